#pragma once
// Measures of one head's weights and scores, as phasor/model.h defines them.

#include <span>
#include <vector>

#include "phasor/attention.h"

namespace phasor::model {

/// Tokens whose id is also elsewhere: for each row the columns that a measure sums, and whether the
/// row counts.
struct Repeats {
  std::vector<std::vector<int>> same, after;  // (tokens)
  std::vector<bool> has_same, came_before;
};

Repeats find_repeats(std::span<const int> ids, bool causal);
/// The mean over the rows that count of the sum of their columns in a (tokens, tokens).
double mean_weight(const std::vector<std::vector<int>>& columns, const std::vector<bool>& counts,
                   const ConstMatrixRef& a);
/// The same if all visible tokens had equal weights; 0 if no row counts.
double equal_weight(const std::vector<std::vector<int>>& columns, const std::vector<bool>& counts,
                    bool causal);

struct WeightMeasures {
  int tokens = 0;
  bool causal = false;
  double entropy = 0, entropy_normalised = 0, distance = 0, first = 0, last = 0;
  std::vector<double> sums{};  ///< of weights by i - j, from 1 - tokens on

  /// The smallest i - j.
  int first_distance() const { return causal ? 0 : 1 - tokens; }
  /// The mean over the rows that have an entry there.
  double at_distance(int d) const;
};
WeightMeasures measure_weights(const ConstMatrixRef& a, bool causal);

/// s (tokens, tokens), -infinity where a key is hidden.
double share_of_distance(const ConstMatrixRef& s);
/// The mean of KL(a || b) over rows, of one head each with weights, scores and softmax_stats; from
/// the logarithms of the weights, which do not underflow.
double divergence(const AttentionResult& a, const AttentionResult& b, bool causal);

}  // namespace phasor::model
