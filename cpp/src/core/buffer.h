#pragma once
// Working memory, and checks that it is available, because a failed allocation ends the program.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "phasor/tensor.h"

namespace phasor {

/// An uninitialised array aligned to a cache line, so that no vector load crosses a line.
class Buffer {
 public:
  Buffer() = default;
  /// `size` must be small or have been checked, because a failed allocation ends the program.
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
    return storage_.get() +
           (kCacheLineBytes - address % kCacheLineBytes) % kCacheLineBytes / sizeof(float);
  }

 private:
  static constexpr std::size_t kCacheLineBytes = 64;
  std::unique_ptr<float[]> storage_;
  std::size_t size_ = 0;
};

/// Allocations below this many bytes are not checked.
inline constexpr double kMinCheckedBytes = 4194304;
/// True if malloc can currently provide this many bytes.
bool is_memory_available(double bytes);

/// For tests: counts calls of can_allocate and makes one of them fail.
class MemoryWatch {
 public:
  /// `failing_call` is the number of the call that fails, counted from 1; 0: none
  explicit MemoryWatch(int failing_call = 0);
  virtual ~MemoryWatch();
  MemoryWatch(const MemoryWatch&) = delete;
  MemoryWatch& operator=(const MemoryWatch&) = delete;

  bool has_failed() const { return failing_call_ > 0 && calls_ >= failing_call_; }
  virtual bool allows(double /*bytes*/) { return ++calls_ != failing_call_; }

 private:
  int failing_call_, calls_ = 0;
};

/// For tests: while this object exists, can_allocate returns false for more than `bytes`.
class MemoryLimit {
 public:
  explicit MemoryLimit(double bytes);
  ~MemoryLimit();
  MemoryLimit(const MemoryLimit&) = delete;
  MemoryLimit& operator=(const MemoryLimit&) = delete;

 private:
  double previous_limit_bytes_;
};

}  // namespace phasor
