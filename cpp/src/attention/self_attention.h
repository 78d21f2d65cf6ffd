#pragma once
// Random orthogonal projections of self-attention.

#include <cstdint>

#include "phasor/status.h"
#include "phasor/tensor.h"

namespace phasor {

/// A random orthogonal matrix (embed_dim, embed_dim), uniformly distributed: the rows of a Gaussian
/// matrix, orthonormalised by Gram-Schmidt. Each row is orthogonalised twice, because once is
/// inaccurate. Takes O(embed_dim^3) time, so embed_dim above 1024 is rejected.
Status orthogonal(std::uint32_t seed, int embed_dim, Tensor& out);

}  // namespace phasor
