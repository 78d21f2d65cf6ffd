#include "phasor/tensor.h"

namespace phasor {

// Here and not in the header, because results are large: compiled for size, as most of the WebAssembly is, the zeros would be
// written by one call each, and the C library of that build fills memory byte by byte. See CMakeLists.txt.
Tensor::Tensor(std::initializer_list<int> extents) : Tensor(std::vector<int>(extents)) {}
Tensor::Tensor(std::vector<int> extents) : shape(std::move(extents)), data(count(shape)) {}
Tensor::Tensor(std::vector<int> extents, std::vector<float> values) : shape(std::move(extents)), data(std::move(values)) {}
Tensor::Tensor(const Tensor& other) = default;
Tensor::Tensor(Tensor&& other) noexcept = default;
Tensor& Tensor::operator=(const Tensor& other) = default;
Tensor& Tensor::operator=(Tensor&& other) noexcept = default;
Tensor::~Tensor() = default;

}  // namespace phasor
