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
inline Tensor tokens(const Tensor& x, int first, int count) {
  Tensor part({x.shape[0], count, x.shape[2]});
  for (int h = 0; h < x.shape[0]; ++h)
    std::copy_n(matrix(x, h).row(first), count * x.shape[2], matrix(part, h).row(0));
  return part;
}

inline std::unique_ptr<KeyValueCache> cache_of(const CacheConfig& config) {
  return value_of(KeyValueCache::create(config));
}

inline CacheConfig config_of(const EncodingConfig& encoding, const Sizes& s) {
  return {.heads = s.heads,
          .kv_heads = s.kv_heads,
          .head_dim = s.head_dim,
          .v_head_dim = s.v_head_dim,
          .max_length = s.keys,
          .encoding = encoding};
}

inline Result<AttentionResult> decode(KeyValueCache& cache, const Inputs& in, int first, int count,
                                      const DecodeConfig& config = {}) {
  return cache.decode(tokens(in.q, first, count), tokens(in.k, first, count),
                      tokens(in.v, first, count), config);
}

// Expects the same bits from two caches in the next step, and truncates both after it.
inline void expect_same(KeyValueCache& got, KeyValueCache& expected, const Inputs& in, int first,
                        int count) {
  const DecodeConfig step{.outputs = {.weights = true}};
  for (const DecodeConfig& config : {DecodeConfig{}, step}) {
    ASSERT_OK_AND_ASSIGN(const AttentionResult a, decode(got, in, first, count, config));
    ASSERT_OK_AND_ASSIGN(const AttentionResult b, decode(expected, in, first, count, config));
    EXPECT_EQ(a.output.data, b.output.data);
    EXPECT_EQ(a.weights.data, b.weights.data);
    ASSERT_TRUE(got.truncate(first).ok());
    ASSERT_TRUE(expected.truncate(first).ok());
  }
}

}  // namespace phasor::test
