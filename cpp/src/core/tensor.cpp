#include "phasor/tensor.h"

#include <limits>

namespace phasor {

std::size_t numel(std::span<const int> shape) {
  constexpr std::size_t kLargest = std::numeric_limits<std::size_t>::max();
  double total = 1;  // exact within any memory
  for (const int extent : shape) {
    if (extent < 0) return kLargest;
    total *= extent;
  }
  return total < static_cast<double>(kLargest) ? static_cast<std::size_t>(total) : kLargest;
}

std::vector<int> prepend_dim(int first, std::span<const int> extents) {
  std::vector<int> shape = {first};
  for (const int extent : extents) shape.push_back(extent);
  return shape;
}

// Here and not in the header: tensors are constructed, moved and destroyed in hundreds of places.
// And results are large: compiled for size, as most of the WebAssembly is, their zeros would be
// written by one call each (CMakeLists.txt).
Tensor::Tensor(const std::initializer_list<int>& extents) : Tensor(std::vector<int>(extents)) {}
Tensor::Tensor(std::vector<int> extents) : shape(std::move(extents)), data(numel(shape)) {}
Tensor::Tensor(std::vector<int> extents, std::vector<float> values)
    : shape(std::move(extents)), data(std::move(values)) {}
Tensor::Tensor(const Tensor& other) = default;
Tensor::Tensor(Tensor&& other) noexcept = default;
Tensor& Tensor::operator=(const Tensor& other) { return *this = Tensor(other); }
Tensor& Tensor::operator=(Tensor&& other) noexcept = default;
Tensor::~Tensor() = default;

}  // namespace phasor
