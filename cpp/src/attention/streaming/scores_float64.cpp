#include "attention/streaming/scores_float64.h"

#include <cmath>
#include <limits>
#include <vector>

#include "attention/streaming/score_ops.h"
#include "attention/streaming/sink_queries.h"
#include "core/finite.h"
#include "kernels/vector_ops.h"

namespace phasor {

namespace {

// A sum below this cannot exceed float32 after rounding or an ordinary bias.
constexpr double kSafe = 1e38;

double dot(const float* q, const kernels::Panels& keys, int key) {
  double sum = 0;
  for (int c = 0; c < keys.inner; ++c)
    sum += static_cast<double>(q[c]) * static_cast<double>(keys.at(c, key));
  return sum;
}

}  // namespace

bool needs_float64(double scale, const Tensor& q, float largest_k, float largest_v, int keys) {
  // A bound on every partial sum of products, in any order.
  const double product =
      static_cast<double>(max_abs(q.data)) * static_cast<double>(largest_k) * q.shape[2];
  const double size = std::fabs(scale);
  return !(size <= kSafe && product <= kSafe && size * product <= kSafe &&
           static_cast<double>(largest_v) * keys <= kSafe);
}

void double_products(double scale, const ConstMatrixRef& q, const kernels::Panels& keys,
                     const MatrixRef& out) {
  for (int r = 0; r < out.rows; ++r) {
    for (int j = 0; j < out.columns; ++j)
      out.row(r)[j] = static_cast<float>(scale * dot(q.row(r), keys, j));
  }
}

void scores_float64(const DoubleScores& rule, const MatrixRef& scores, std::span<float> sinks,
                    const ExactScores& out) {
  constexpr float kHidden = -std::numeric_limits<float>::infinity();
  std::vector<double> products(static_cast<std::size_t>(scores.columns));
  for (int r = 0; r < scores.rows; ++r) {
    float* row = scores.row(r);
    const int query = rule.first_row + r;
    const bool uses_sink_position = rule.far != nullptr && rule.far->uses_sink_position(query);
    const float* const far_q = uses_sink_position ? rule.far_q.row(query) : nullptr;
    const float* added = rule.bias.row(r);
    const auto product = [&](int j) { return products[static_cast<std::size_t>(j)]; };
    const auto capped = [&](int j) {
      const double score = rule.scale * product(j);
      return softcapped(rule.cap_includes_bias ? score + static_cast<double>(added[j]) : score,
                        rule.cap);
    };
    const auto score = [&](int j) {
      if (rule.cap != 0)
        return capped(j) + (rule.cap_includes_bias ? 0.0 : static_cast<double>(added[j]));
      return rule.scale * product(j) + static_cast<double>(added[j]);
    };
    // Subtracts before scaling, because scale * q.k may even exceed double.
    const auto above = [&](int j, int other) {
      if (rule.cap != 0) return score(j) - score(other);
      return rule.scale * (product(j) - product(other)) +
             (static_cast<double>(added[j]) - static_cast<double>(added[other]));
    };
    int largest = -1;
    for (int j = 0; j < scores.columns; ++j) {
      if (out.capped.data != nullptr) out.capped.row(r)[j] = 0;
      if (row[j] == kHidden) continue;
      products[static_cast<std::size_t>(j)] =
          dot(uses_sink_position && j < rule.far_keys ? far_q : rule.q.row(r), rule.keys, j);
      if (out.exact.data != nullptr) out.exact.row(r)[j] = static_cast<float>(score(j));
      if (out.capped.data != nullptr) out.capped.row(r)[j] = static_cast<float>(capped(j));
      if (std::isfinite(added[j]) && (largest < 0 || above(j, largest) > 0)) largest = j;
    }
    float& sink = sinks[static_cast<std::size_t>(r)];
    const double level = static_cast<double>(sink);
    if (sink != kHidden && largest >= 0 && score(largest) <= level) {
      for (int j = 0; j < scores.columns; ++j) {
        // Keeps finite scores finite, even far below the sink.
        if (row[j] != kHidden)
          row[j] = static_cast<float>(std::isfinite(added[j]) ? std::fmax(score(j) - level, -kSafe)
                                                              : score(j) - level);
      }
      sink = 0;
      continue;
    }
    if (sink != kHidden) sink = largest < 0 ? 0 : static_cast<float>(level - score(largest));
    for (int j = 0; j < scores.columns; ++j) {
      if (row[j] != kHidden) row[j] = largest < 0 ? kHidden : static_cast<float>(above(j, largest));
    }
  }
}

void double_means(const ConstMatrixRef& weights, const kernels::Panels& values,
                  std::span<const double> sink_weights, const MatrixRef& output) {
  for (int r = 0; r < output.rows; ++r) {
    const float* row = weights.row(r);
    double row_sum = sink_weights[static_cast<std::size_t>(r)];
    for (int j = 0; j < weights.columns; ++j) row_sum += static_cast<double>(row[j]);
    for (int c = 0; c < output.columns && row_sum > 0; ++c) {
      double sum = 0;
      for (int j = 0; j < weights.columns; ++j)
        sum += static_cast<double>(row[j]) * static_cast<double>(values.at(j, c));
      output.row(r)[c] = static_cast<float>(sum / row_sum);
    }
  }
}

bool needs_float64_grad(const Tensor& d_output, const Tensor& v) {
  return !(static_cast<double>(max_abs(d_output.data)) * static_cast<double>(max_abs(v.data)) *
               v.shape[2] <=
           kSafe);
}

void score_grad_float64(const ConstMatrixRef& weights, const ConstMatrixRef& d_output,
                        const kernels::Panels& values, const ConstMatrixRef& output,
                        const MatrixRef& d_scores) {
  for (int r = 0; r < d_scores.rows; ++r) {
    const double mean = kernels::double_dot(d_output.row(r), output.row(r), output.columns);
    float* row = d_scores.row(r);
    for (int j = 0; j < d_scores.columns; ++j) {
      const double weight = static_cast<double>(weights.row(r)[j]);
      row[j] = weight == 0 ? 0.0f
                           : static_cast<float>(weight * (dot(d_output.row(r), values, j) +
                                                          static_cast<double>(row[j]) - mean));
    }
  }
}

}  // namespace phasor
