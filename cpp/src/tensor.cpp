#include "phasor/tensor.h"

namespace phasor {

Tensor::Tensor(std::initializer_list<int> extents) : Tensor(std::vector<int>(extents)) {}
Tensor::Tensor(std::vector<int> extents) : shape(std::move(extents)), data(count(shape)) {}
Tensor::Tensor(std::vector<int> extents, std::vector<float> values) : shape(std::move(extents)), data(std::move(values)) {}
Tensor::Tensor(const Tensor& other) = default;
Tensor::Tensor(Tensor&& other) noexcept = default;
Tensor& Tensor::operator=(const Tensor& other) = default;
Tensor& Tensor::operator=(Tensor&& other) noexcept = default;
Tensor::~Tensor() = default;

}  // namespace phasor
