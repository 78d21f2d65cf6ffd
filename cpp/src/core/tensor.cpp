#include "phasor/tensor.h"

#include <cstdio>
#include <limits>

#include "core/buffer.h"
#include "core/format_error.h"

namespace phasor {

std::size_t numel(std::span<const int> shape) {
  constexpr std::size_t kMaxNumel = std::numeric_limits<std::size_t>::max();
  double total = 1;  // a double is exact for all sizes that fit in memory
  for (const int extent : shape) {
    if (extent < 0) return kMaxNumel;
    total *= extent;
  }
  return total < static_cast<double>(kMaxNumel) ? static_cast<std::size_t>(total) : kMaxNumel;
}

std::vector<int> prepend_dim(int size, std::span<const int> extents) {
  std::vector<int> shape = {size};
  for (const int extent : extents) shape.push_back(extent);
  return shape;
}

namespace {

// Ends the program if the size does not fit in memory. std::vector would throw, but callers may be
// compiled without exceptions. In WebAssembly, a failed allocation always ends the program.
std::size_t numel_or_abort(const std::vector<int>& shape) {
  const std::size_t count = numel(shape);
#ifndef __EMSCRIPTEN__
  const double bytes = static_cast<double>(count) * sizeof(float);
  if (bytes >= kMinCheckedBytes && !is_memory_available(bytes)) {
    const std::string message =
        format_error("phasor: a Tensor of {} elements does not fit in memory\n", shape);
    std::fputs(message.c_str(), stderr);
    std::abort();
  }
#endif
  return count;
}

}  // namespace

Result<Tensor> zeros(std::vector<int> shape) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    for (const int extent : shape)
      PHASOR_TRY(check_range("shape", extent, 0, std::numeric_limits<int>::max()));
    PHASOR_TRY(check_size("shape", "an array", shape));
    out = Tensor(std::move(shape));
    return {};
  });
}

// This file is compiled for speed (CMakeLists.txt), because -Oz zeroes tensors with one call per
// element.
Tensor::Tensor(const std::initializer_list<int>& extents) : Tensor(std::vector<int>(extents)) {}
Tensor::Tensor(std::vector<int> extents) : shape(std::move(extents)), data(numel_or_abort(shape)) {}
Tensor::Tensor(std::vector<int> extents, std::vector<float> values)
    : shape(std::move(extents)), data(std::move(values)) {}
Tensor::Tensor(const Tensor& other) = default;
Tensor::Tensor(Tensor&& other) noexcept = default;
Tensor& Tensor::operator=(const Tensor& other) { return *this = Tensor(other); }
Tensor& Tensor::operator=(Tensor&& other) noexcept = default;
Tensor::~Tensor() = default;

}  // namespace phasor
