#pragma once
// Validation of the tokens that a step adds to a cache.

#include "phasor/cache.h"
#include "phasor/encoding.h"

namespace phasor {

/// Checks q, k, v and the other inputs of a step for a cache of `length` tokens.
Status check_step(const CacheConfig& cache, const Encoding& encoding, int length, const Tensor& q,
                  const Tensor& k, const Tensor& v, const DecodeConfig& config);

}  // namespace phasor
