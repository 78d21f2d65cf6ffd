#pragma once
// Measures of attention heads (phasor/model.h).

#include <vector>

#include "phasor/tensor.h"

namespace phasor {

/// The measures of each head on one text, (layers, heads) unless noted; a is its weights after
/// the changes of the run. In a causal model means are over rows i >= 1, because row 0 sees itself
/// alone; otherwise over all rows that have such an entry.
struct HeadMeasures {
  Tensor entropy{};             ///< -sum_j a[i,j] ln a[i,j]
  Tensor entropy_normalised{};  ///< entropy / ln(i + 1); / ln(tokens) if the model is not causal
  Tensor distance{};            ///< sum_j a[i,j] |i - j|
  /// a[i,0] and a[i,tokens-1], without their own rows; `last` only for models that are not causal
  Tensor first{}, last{};
  /// a[i,i], a[i,i-1], a[i,i+1]; `next` only for models that are not causal
  Tensor self{}, previous{}, next{};
  /// Over rows whose token occurs twice: the weight on its other occurrences (earlier ones if
  /// causal); empty if no token repeats. Beside it the same for uniform weights
  Tensor duplicate{};
  double duplicate_chance = 0;
  /// Over the rows of tokens that came before, the weight of those after them: j + 1 < i where
  /// token j is token i (Olsson et al. 2022, arXiv 2209.11895); empty if none did
  Tensor induction{};
  double induction_chance = 0;
  /// 1 - Var(s - mean of s at its distance) / Var(s) of the scores s of all visible pairs: how much
  /// of them distance explains. Equal scores have 0
  Tensor share_of_distance{};
  /// KL(a[i] || a0[i]) in nats, a0 from the same queries and keys without positions; empty if
  /// positions are a table added to the embeddings
  Tensor use_of_position{};
  /// Per layer, (heads, pairs): sum over visible i, j of |q_i^p| |k_j^p|, divided by the sum over
  /// all pairs p that rope rotates (Barbero et al. 2024, arXiv 2410.06205); empty without rope
  std::vector<Tensor> pairs_used{};
  /// (layers, heads, distances): a[i,i-d] for d from 0 (causal) or 1 - tokens to tokens - 1
  Tensor profile{};
};

/// Queries and keys of one layer after norms that precede its encoding, (heads, tokens, head_dim)
/// and (kv_heads, tokens, head_dim), and after the encoding; without rotations both are equal.
struct QueryKeyStates {
  Tensor queries{}, keys{};
  Tensor rotated_queries{}, rotated_keys{};
};

}  // namespace phasor
