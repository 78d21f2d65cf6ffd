#pragma once
// Working memory, and the only place that checks memory before allocation: a failed allocation ends
// the program.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "phasor/tensor.h"

namespace phasor {

/// An array whose start is aligned to a cache line, so that no vector load crosses two. Not
/// initialised: write before reading.
class Buffer {
 public:
  Buffer() = default;
  /// For small or already checked sizes: a failed allocation ends the program.
  explicit Buffer(std::size_t size);
  Buffer(const Buffer& other);
  Buffer(Buffer&& other) noexcept
      : storage_(std::move(other.storage_)), size_(std::exchange(other.size_, 0)) {}
  Buffer& operator=(Buffer other) noexcept {
    std::swap(storage_, other.storage_);
    std::swap(size_, other.size_);
    return *this;
  }

  std::size_t size() const { return size_; }
  float* data() { return const_cast<float*>(std::as_const(*this).data()); }
  const float* data() const {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.get());
    return storage_.get() + (kLine - address % kLine) % kLine / sizeof(float);
  }

 private:
  static constexpr std::size_t kLine = 64;
  std::unique_ptr<float[]> storage_;
  std::size_t size_ = 0;
};

/// Smaller allocations are not checked.
inline constexpr double kUncheckedBytes = 4194304;
/// Whether malloc can currently provide this many bytes.
bool is_available(double bytes);

/// For tests: during its lifetime it observes calls of can_allocate and makes one of them fail.
class MemoryWatch {
 public:
  /// denied: the number of the call that fails, from 1; 0: none
  explicit MemoryWatch(int denied = 0);
  virtual ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  bool failed() const { return denied_ > 0 && questions_ >= denied_; }
  /// Whether this allocation is allowed.
  virtual bool allows(double /*bytes*/) { return ++questions_ != denied_; }

 private:
  int denied_, questions_ = 0;
};

/// For tests: during its lifetime can_allocate returns false above `bytes`.
class MemoryLimit {
 public:
  explicit MemoryLimit(double bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  double before_;
};

}  // namespace phasor
