#pragma once
// Random orthogonal projections of self-attention.

#include <cstdint>

#include "phasor/status.h"
#include "phasor/tensor.h"

namespace phasor {

/// An orthogonal matrix, uniform over all of them: the rows of a Gaussian matrix made orthonormal
/// one after the other (Gram-Schmidt, twice, because once loses digits), which takes
/// O(embed_dim^3): an embed_dim above 1024 is rejected. out (embed_dim, embed_dim)
Status orthogonal(std::uint32_t seed, int embed_dim, Tensor& out);

}  // namespace phasor
