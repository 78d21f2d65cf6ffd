#pragma once
// Random orthogonal projections of self-attention.

#include <cstdint>

#include "phasor/status.h"
#include "phasor/tensor.h"

namespace phasor {

/// An orthogonal matrix, uniform over all of them: the rows of a Gaussian matrix made orthonormal
/// one after the other (Gram-Schmidt, twice, because once loses digits), which takes as long as
/// width^3: an x wider than 1024 is rejected. out (width, width)
Status orthogonal(std::uint32_t seed, int width, Tensor& out);

}  // namespace phasor
