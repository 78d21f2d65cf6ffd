#pragma once
// Measures one head's attention weights and scores, as defined in phasor/head_measures.h.

#include <span>
#include <vector>

#include "phasor/attention.h"

namespace phasor::model {

/// Repeated tokens in a text. For each token, same_tokens lists the columns of its other
/// occurrences (only the earlier ones if attention is causal), and next_tokens lists the columns
/// directly after its earlier occurrences, except its own column. The flags tell which tokens have
/// such occurrences.
struct Repeats {
  std::vector<std::vector<int>> same_tokens, next_tokens;  // (tokens)
  std::vector<bool> has_other_occurrence, has_earlier_occurrence;
};

Repeats find_repeats(std::span<const int> ids, bool causal);
/// Sums the attention weights a (tokens, tokens) of row i over columns[i], and returns the mean
/// over the rows with is_counted[i].
double compute_mean_weight(const std::vector<std::vector<int>>& columns,
                           const std::vector<bool>& is_counted, const ConstMatrixRef& a);
/// The result of compute_mean_weight() for uniform attention over the visible tokens. 0 if no
/// row is counted.
double compute_uniform_weight(const std::vector<std::vector<int>>& columns,
                              const std::vector<bool>& is_counted, bool causal);

struct WeightMeasures {
  int tokens = 0;
  bool causal = false;
  double entropy = 0, entropy_normalised = 0, distance = 0, first_token_weight = 0,
         last_token_weight = 0;
  /// Sums of attention weights for each distance i - j, from 1 - tokens to tokens - 1
  std::vector<double> weight_sums{};

  /// The smallest distance i - j of a visible key.
  int first_distance() const { return causal ? 0 : 1 - tokens; }
  /// The mean attention weight at distance d over the rows with a visible key at that distance,
  /// excluding row 0 if causal.
  double mean_at_distance(int d) const;
};
WeightMeasures measure_weights(const ConstMatrixRef& a, bool causal);

/// The share of the variance of scores s that distance explains: 1 - Var(s - mean of s at the same
/// distance) / Var(s). s is (tokens, tokens), with -infinity for hidden keys.
double compute_share_of_distance(const ConstMatrixRef& s);
/// The mean of KL(a || b) over the rows, computed from log weights, because they do not underflow.
/// Each result must have one head, with weights, scores and softmax_stats.
double compute_divergence(const AttentionResult& a, const AttentionResult& b, bool causal);

}  // namespace phasor::model
