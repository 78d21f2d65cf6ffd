#include "phasor/tensor.h"

namespace phasor {

// Here and not in the header, because results are large: compiled for size, as most of the WebAssembly is, the zeros would be
// written by one call each, and the C library of that build fills memory byte by byte. See CMakeLists.txt.
Tensor::Tensor(std::vector<int> extents) : shape(std::move(extents)), data(phasor::count(shape)) {}

}  // namespace phasor
