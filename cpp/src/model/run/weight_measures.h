#pragma once
// Measures of the weights and scores of one head, as defined in phasor/head_measures.h.

#include <span>
#include <vector>

#include "phasor/attention.h"

namespace phasor::model {

/// For each token: same_tokens has the columns of its other occurrences, and next_tokens the
/// columns of the tokens after its earlier occurrences. The flags are true for tokens with other,
/// or earlier, occurrences.
struct Repeats {
  std::vector<std::vector<int>> same_tokens, next_tokens;  // (tokens)
  std::vector<bool> has_other_occurrence, has_earlier_occurrence;
};

Repeats find_repeats(std::span<const int> ids, bool causal);
/// The weight of row i of a (tokens, tokens) on columns[i], averaged over the rows with
/// is_counted[i].
double compute_mean_weight(const std::vector<std::vector<int>>& columns,
                           const std::vector<bool>& is_counted, const ConstMatrixRef& a);
/// The compute_mean_weight() of uniform attention over the visible tokens; 0 if no row is counted.
double compute_uniform_weight(const std::vector<std::vector<int>>& columns,
                              const std::vector<bool>& is_counted, bool causal);

struct WeightMeasures {
  int tokens = 0;
  bool causal = false;
  double entropy = 0, entropy_normalised = 0, distance = 0, first_token_weight = 0,
         last_token_weight = 0;
  std::vector<double>
      weight_sums{};  ///< sums of weights by distance i - j, from 1 - tokens to tokens - 1

  /// The smallest distance i - j of a visible key.
  int first_distance() const { return causal ? 0 : 1 - tokens; }
  /// The mean weight at distance d, over the rows that have a key at this distance.
  double mean_at_distance(int d) const;
};
WeightMeasures measure_weights(const ConstMatrixRef& a, bool causal);

/// 1 - Var(s - mean of s at the same distance) / Var(s). Scores s (tokens, tokens) of hidden keys
/// are -infinity.
double compute_share_of_distance(const ConstMatrixRef& s);
/// The mean over rows of KL(a || b), computed from log weights, which do not underflow. Each result
/// must have one head, with weights, scores and softmax_stats.
double compute_divergence(const AttentionResult& a, const AttentionResult& b, bool causal);

}  // namespace phasor::model
