#pragma once
// Working memory that starts at a cache line, so that no load of the hot loops touches two.

#include <cstdint>
#include <vector>

namespace phasor::kernels {

class AlignedBuffer {
 public:
  AlignedBuffer() = default;
  explicit AlignedBuffer(std::size_t count) : storage_(count + kLine / sizeof(float)) {}

  float* data() {
    const auto address = reinterpret_cast<std::uintptr_t>(storage_.data());
    return storage_.data() + (kLine - address % kLine) % kLine / sizeof(float);
  }

 private:
  static constexpr std::size_t kLine = 64;
  std::vector<float> storage_;
};

}  // namespace phasor::kernels
