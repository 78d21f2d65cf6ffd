#pragma once
// Queries, keys and values of the requested sizes, and attention at explicit positions.

#include "numbers.h"
#include "phasor/attention.h"

namespace phasor::test {

struct Inputs {
  Tensor q, k, v;
};

struct Sizes {
  int heads, kv_heads, queries, keys, head_dim, v_head_dim;
};

inline Inputs inputs(const Sizes& s) {
  Inputs in{dyadic(31, {s.heads, s.queries, s.head_dim}),
            dyadic(32, {s.kv_heads, s.keys, s.head_dim}),
            dyadic(33, {s.kv_heads, s.keys, s.v_head_dim})};
  for (float& x : in.q.data) x *= 0.5f;  // scores of a few units
  return in;
}

// Causal attention at explicit positions.
inline AttentionConfig make_config(const EncodingConfig& encoding, std::vector<double> queries,
                                   std::vector<double> keys) {
  AttentionConfig config;
  config.encoding = encoding;
  config.mask = Mask::causal;
  config.query_positions = {std::move(queries)};
  config.key_positions = {std::move(keys)};
  return config;
}

}  // namespace phasor::test
