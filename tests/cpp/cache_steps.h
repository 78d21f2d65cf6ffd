#pragma once
// Helpers to decode a text step by step.

#include <gtest/gtest.h>

#include <algorithm>
#include <memory>

#include "attention_inputs.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {

inline constexpr Sizes kText{4, 2, 70, 70, 8, 5};

/// Tokens [first, first + count) of every head of x (heads, tokens, head_dim).
inline Tensor slice_tokens(const Tensor& x, int first, int count) {
  Tensor slice({x.shape[0], count, x.shape[2]});
  for (int h = 0; h < x.shape[0]; ++h)
    std::copy_n(matrix(x, h).row(first), count * x.shape[2], matrix(slice, h).row(0));
  return slice;
}

inline std::unique_ptr<KeyValueCache> create_cache(const CacheConfig& config) {
  return value_of(KeyValueCache::create(config));
}

inline CacheConfig make_cache_config(const EncodingConfig& encoding, const Sizes& s) {
  return {.heads = s.heads,
          .kv_heads = s.kv_heads,
          .head_dim = s.head_dim,
          .v_head_dim = s.v_head_dim,
          .max_length = s.keys,
          .encoding = encoding};
}

inline Result<AttentionResult> decode(KeyValueCache& cache, const Inputs& in, int first, int count,
                                      const DecodeConfig& config = {}) {
  return cache.decode(slice_tokens(in.q, first, count), slice_tokens(in.k, first, count),
                      slice_tokens(in.v, first, count), config);
}

// Expects the same bits from two caches in the next step, and truncates both after it.
inline void expect_same_outputs(KeyValueCache& actual, KeyValueCache& expected, const Inputs& in,
                                int first, int count) {
  const DecodeConfig weights_config{.outputs = {.weights = true}};
  for (const DecodeConfig& config : {DecodeConfig{}, weights_config}) {
    ASSERT_OK_AND_ASSIGN(const AttentionResult a, decode(actual, in, first, count, config));
    ASSERT_OK_AND_ASSIGN(const AttentionResult b, decode(expected, in, first, count, config));
    EXPECT_EQ(a.output.data, b.output.data);
    EXPECT_EQ(a.weights.data, b.weights.data);
    ASSERT_TRUE(actual.truncate(first).ok());
    ASSERT_TRUE(expected.truncate(first).ok());
  }
}

}  // namespace phasor::test
