#pragma once
// Measures of a model's attention heads on one text, such as entropy and mean distance.

#include <vector>

#include "phasor/tensor.h"

namespace phasor {

/// Measures of attention heads on one text, (layers, heads) unless noted. a[i,j] is the attention
/// weight of query i on key j, with RunConfig::changes applied. In causal models, means are over
/// rows i >= 1, because row 0 sees only itself; otherwise over all rows for which the measure is
/// defined.
struct HeadMeasures {
  Tensor entropy{};             ///< -sum_j a[i,j] ln a[i,j]
  Tensor entropy_normalised{};  ///< entropy / ln(i + 1), or entropy / ln(tokens) if not causal
  Tensor distance{};            ///< sum_j a[i,j] |i - j|
  /// a[i,0] for i > 0, and a[i,tokens-1] for i < tokens - 1; `last` only for non-causal models
  Tensor first{}, last{};
  /// a[i,i], a[i,i-1], a[i,i+1]; `next` only for non-causal models
  Tensor self{}, previous{}, next{};
  /// For tokens that occur more than once: the weight on their other occurrences, or on the earlier
  /// ones if causal; empty if no token repeats. duplicate_chance is the value for uniform attention
  Tensor duplicate{};
  double duplicate_chance = 0;
  /// For tokens i that also occur earlier, at positions j: the weight on the keys j + 1 < i (Olsson
  /// et al. 2022, arXiv 2209.11895); empty if no token repeats
  Tensor induction{};
  double induction_chance = 0;
  /// The fraction of the variance of visible scores s that distance explains: 1 - Var(s - mean of s
  /// at the same distance) / Var(s); 0 if all scores are equal
  Tensor share_of_distance{};
  /// KL(a[i] || a0[i]) in nats, where a0 contains the attention weights of the same queries and
  /// keys without the encoding; empty if positions are a table added to the embeddings
  Tensor use_of_position{};
  /// Per layer, (heads, pairs): sum over visible i, j of |q_i^p| |k_j^p|, divided by the sum over
  /// all rotated pairs p (Barbero et al. 2024, arXiv 2410.06205); empty if the encoding does not
  /// rotate channel pairs
  std::vector<Tensor> pairs_used{};
  /// (layers, heads, distances): a[i,i-d] for d from 0 (causal) or 1 - tokens to tokens - 1
  Tensor profile{};
};

/// Queries (heads, tokens, head_dim) and keys (kv_heads, tokens, head_dim) of one layer, before and
/// after the encoding rotates them. Both include norms that precede the encoding.
struct QueryKeyStates {
  Tensor queries{}, keys{};
  Tensor rotated_queries{}, rotated_keys{};
};

}  // namespace phasor
