#pragma once
// Validation of the tokens that a step adds to a cache.

#include "phasor/cache.h"
#include "phasor/encoding.h"

namespace phasor {

/// Rejects inputs of a step that do not fit a cache of `length` tokens.
Status check_step(const CacheConfig& cache, const Encoding& encoding, int length, const Tensor& q,
                  const Tensor& k, const Tensor& v, const DecodeConfig& config);

}  // namespace phasor
