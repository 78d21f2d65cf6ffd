#pragma once
// Attention calls with explicit values, for tests near the limits of float32.
#include <utility>
#include <vector>

#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {

// Queries, keys or values of one head (1, tokens, head_dim) from data (tokens, head_dim).
inline Tensor head(int tokens, int head_dim, std::vector<float> data) {
  return Tensor({1, tokens, head_dim}, std::move(data));
}

inline AttentionConfig encoded(const char* id, Params params = {}) {
  return {.encoding = {.id = id, .params = std::move(params)}};
}

inline AttentionResult attended(const Tensor& q, const Tensor& k, const Tensor& v,
                                const AttentionConfig& config = {}) {
  return value_of(attention(q, k, v, config));
}

}  // namespace phasor::test
