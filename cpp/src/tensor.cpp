#include "phasor/tensor.h"

namespace phasor {

// Here and not in the header: tensors are made, moved and dropped in hundreds of places. And results are large: compiled for size,
// as most of the WebAssembly is, their zeros would be written by one call each (CMakeLists.txt).
[[gnu::noinline]] Tensor::Tensor(std::initializer_list<int> extents) : Tensor(std::vector<int>(extents)) {}
[[gnu::noinline]] Tensor::Tensor(std::vector<int> extents) : shape(std::move(extents)), data(count(shape)) {}
[[gnu::noinline]] Tensor::Tensor(std::vector<int> extents, std::vector<float> values)
    : shape(std::move(extents)), data(std::move(values)) {}
[[gnu::noinline]] Tensor::Tensor(const Tensor& other) = default;
[[gnu::noinline]] Tensor::Tensor(Tensor&& other) noexcept = default;
[[gnu::noinline]] Tensor& Tensor::operator=(const Tensor& other) = default;
[[gnu::noinline]] Tensor& Tensor::operator=(Tensor&& other) noexcept = default;
[[gnu::noinline]] Tensor::~Tensor() = default;

}  // namespace phasor
