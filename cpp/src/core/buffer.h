#pragma once
// Working memory, and the one place where memory is tried before it is taken: an allocation that fails ends the program.

#include <cstddef>
#include <cstdint>
#include <memory>
#include <utility>

#include "phasor/tensor.h"

namespace phasor {

/// Numbers that start at a cache line, so that no load of the hot loops touches two. They are not zeroed: whoever asks for them writes
/// them before reading.
class Buffer {
 public:
  Buffer() = default;
  /// For what is small beside the arguments of a call, or has been tried: without memory the program ends.
  explicit Buffer(std::size_t size);
  Buffer(const Buffer& other);
  Buffer(Buffer&&) noexcept = default;
  Buffer& operator=(Buffer&&) noexcept = default;

  /// Room for `size` numbers in place of what was held. Where has_room denies it, the buffer is empty and the answer false.
  [[nodiscard]] bool allocate(std::size_t size);

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

/// For tests: while one of these lives, has_room denies whatever is larger than `bytes`.
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
