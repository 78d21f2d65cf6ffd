#pragma once

#include "phasor/cache.h"
#include "phasor/encoding.h"

namespace phasor {

/// Checks that the inputs of a step fit a cache that contains `length` tokens.
Status check_step(const CacheConfig& cache, const Encoding& encoding, int length, const Tensor& q,
                  const Tensor& k, const Tensor& v, const DecodeConfig& config);

}  // namespace phasor
