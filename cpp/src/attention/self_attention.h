#pragma once

#include <cstdint>

#include "phasor/status.h"
#include "phasor/tensor.h"

namespace phasor {

/// A random orthogonal matrix (embed_dim, embed_dim), uniformly distributed: Gaussian rows
/// orthonormalised by Gram-Schmidt, twice for accuracy. Takes O(embed_dim^3) time; embed_dim above
/// 1024 is rejected.
Status random_orthogonal(std::uint32_t seed, int embed_dim, Tensor& out);

}  // namespace phasor
