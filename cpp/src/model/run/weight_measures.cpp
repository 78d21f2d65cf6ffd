#include "model/run/weight_measures.h"

#include <cmath>

namespace phasor::model {

Repeats find_repeats(std::span<const int> ids, bool causal) {
  const std::size_t count = ids.size();
  Repeats out{std::vector<std::vector<int>>(count), std::vector<std::vector<int>>(count),
              std::vector<bool>(count), std::vector<bool>(count)};
  for (std::size_t i = 0; i < count; ++i) {
    for (std::size_t j = 0; j < (causal ? i : count); ++j) {
      if (j == i || ids[j] != ids[i]) continue;
      out.has_other_occurrence[i] = true;
      out.same_tokens[i].push_back(static_cast<int>(j));
      if (j > i) continue;
      out.has_earlier_occurrence[i] = true;
      if (j + 1 < i) out.next_tokens[i].push_back(static_cast<int>(j) + 1);
    }
  }
  return out;
}

double compute_mean_weight(const std::vector<std::vector<int>>& columns,
                           const std::vector<bool>& is_counted, const ConstMatrixRef& a) {
  double sum = 0, rows = 0;
  for (int i = 0; i < a.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    if (!is_counted[row]) continue;
    ++rows;
    for (const int j : columns[row]) sum += static_cast<double>(a.row(i)[j]);
  }
  return sum / rows;
}

double compute_uniform_weight(const std::vector<std::vector<int>>& columns,
                              const std::vector<bool>& is_counted, bool causal) {
  double sum = 0, rows = 0;
  for (std::size_t i = 0; i < columns.size(); ++i) {
    if (!is_counted[i]) continue;
    ++rows;
    sum += static_cast<double>(columns[i].size()) /
           static_cast<double>(causal ? i + 1 : columns.size());
  }
  return rows > 0 ? sum / rows : 0;
}

double WeightMeasures::mean_at_distance(int d) const {
  const double entry_count = tokens - std::abs(d) - (causal && d == 0 ? 1 : 0);
  return weight_sums[static_cast<std::size_t>(d + tokens - 1)] / entry_count;
}

WeightMeasures measure_weights(const ConstMatrixRef& a, bool causal) {
  const int n = a.rows;
  WeightMeasures out{.tokens = n, .causal = causal};
  out.weight_sums.resize(2 * static_cast<std::size_t>(n) - 1);
  const int first_row = causal ? 1 : 0;
  for (int i = first_row; i < n; ++i) {
    double entropy = 0;
    for (int j = 0; j < n; ++j) {
      const auto weight = static_cast<double>(a.row(i)[j]);
      if (weight > 0) entropy -= weight * std::log(weight);
      out.distance += weight * std::abs(i - j);
      out.weight_sums[static_cast<std::size_t>(i - j + n - 1)] += weight;
    }
    out.entropy += entropy;
    out.entropy_normalised += entropy / std::log(causal ? i + 1.0 : n);
    if (i > 0) out.first_token_weight += static_cast<double>(a.row(i)[0]);
    if (i < n - 1) out.last_token_weight += static_cast<double>(a.row(i)[n - 1]);
  }
  for (double* mean : {&out.entropy, &out.entropy_normalised, &out.distance})
    *mean /= n - first_row;
  for (double* mean : {&out.first_token_weight, &out.last_token_weight}) *mean /= n - 1;
  return out;
}

double compute_share_of_distance(const ConstMatrixRef& s) {
  const auto n = static_cast<std::size_t>(s.rows);
  std::vector<double> sums(2 * n - 1), counts(2 * n - 1);
  double total = 0, pair_count = 0;
  const auto for_each_score = [&](const auto& f) {
    for (int i = 0; i < s.rows; ++i) {
      for (int j = 0; j < s.rows; ++j) {
        const auto score = static_cast<double>(s.row(i)[j]);
        if (std::isfinite(score)) f(static_cast<std::size_t>(i - j + s.rows - 1), score);
      }
    }
  };
  for_each_score([&](std::size_t d, double score) {
    sums[d] += score;
    ++counts[d];
    total += score;
    ++pair_count;
  });
  double variance = 0, residual = 0;
  for_each_score([&](std::size_t d, double score) {
    const double deviation = score - total / pair_count,
                 distance_deviation = score - sums[d] / counts[d];
    variance += deviation * deviation;
    residual += distance_deviation * distance_deviation;
  });
  return variance > 0 ? 1 - residual / variance : 0;
}

double compute_divergence(const AttentionResult& a, const AttentionResult& b, bool causal) {
  const ConstMatrixRef weights = matrix(a.weights), scores_a = matrix(a.scores),
                       scores_b = matrix(b.scores);
  const int first_row = causal ? 1 : 0;
  double sum = 0;
  for (int i = first_row; i < weights.rows; ++i) {
    const auto row = static_cast<std::size_t>(i);
    const double log_sum_a = static_cast<double>(a.row_max[row]) + std::log(a.row_sum[row]),
                 log_sum_b = static_cast<double>(b.row_max[row]) + std::log(b.row_sum[row]);
    for (int j = 0; j < weights.columns; ++j) {
      const auto weight = static_cast<double>(weights.row(i)[j]);
      if (weight == 0) continue;
      sum += weight * ((static_cast<double>(scores_a.row(i)[j]) - log_sum_a) -
                       (static_cast<double>(scores_b.row(i)[j]) - log_sum_b));
    }
  }
  return sum / (weights.rows - first_row);
}

}  // namespace phasor::model
