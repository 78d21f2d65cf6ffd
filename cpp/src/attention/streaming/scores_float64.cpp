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

// Sums up to this value stay within float32 even after rounding and after a bias of ordinary size
// is added.
constexpr double kMaxSafeSum = 1e38;

double dot(const float* q, const kernels::Panels& keys, int key) {
  double sum = 0;
  for (int c = 0; c < keys.inner; ++c)
    sum += static_cast<double>(q[c]) * static_cast<double>(keys.at(c, key));
  return sum;
}

}  // namespace

bool needs_float64(double scale, const Tensor& q, float max_abs_k, float max_abs_v, int keys) {
  // An upper bound on every partial sum of the products, in any order.
  const double product =
      static_cast<double>(max_abs(q.data)) * static_cast<double>(max_abs_k) * q.shape[2];
  const double abs_scale = std::fabs(scale);
  return !(abs_scale <= kMaxSafeSum && product <= kMaxSafeSum &&
           abs_scale * product <= kMaxSafeSum &&
           static_cast<double>(max_abs_v) * keys <= kMaxSafeSum);
}

void compute_products_float64(double scale, const ConstMatrixRef& q, const kernels::Panels& keys,
                              const MatrixRef& out) {
  for (int r = 0; r < out.rows; ++r) {
    for (int j = 0; j < out.columns; ++j)
      out.row(r)[j] = static_cast<float>(scale * dot(q.row(r), keys, j));
  }
}

void compute_scores_float64(const Float64ScoreInputs& inputs, const MatrixRef& scores,
                            std::span<float> sinks, const OptionalScores& out) {
  std::vector<double> products(static_cast<std::size_t>(scores.columns));
  for (int r = 0; r < scores.rows; ++r) {
    float* row = scores.row(r);
    const int query = inputs.first_row + r;
    const bool uses_sink_position =
        inputs.sink_queries != nullptr && inputs.sink_queries->uses_sink_position(query);
    const float* const sink_q = uses_sink_position ? inputs.sink_q.row(query) : nullptr;
    const float* bias = inputs.bias.row(r);
    const auto product = [&](int j) { return products[static_cast<std::size_t>(j)]; };
    const auto capped_score = [&](int j) {
      const double score = inputs.scale * product(j);
      return softcap_score(inputs.cap_includes_bias ? score + static_cast<double>(bias[j]) : score,
                           inputs.softcap);
    };
    const auto score = [&](int j) {
      if (inputs.softcap != 0)
        return capped_score(j) + (inputs.cap_includes_bias ? 0.0 : static_cast<double>(bias[j]));
      return inputs.scale * product(j) + static_cast<double>(bias[j]);
    };
    // Subtracts the products before scaling, because scale * q.k may exceed even double.
    const auto difference = [&](int j, int reference_key) {
      if (inputs.softcap != 0) return score(j) - score(reference_key);
      return inputs.scale * (product(j) - product(reference_key)) +
             (static_cast<double>(bias[j]) - static_cast<double>(bias[reference_key]));
    };
    int largest_key = -1;
    for (int j = 0; j < scores.columns; ++j) {
      if (out.capped_scores.data != nullptr) out.capped_scores.row(r)[j] = 0;
      if (row[j] == kMinusInfinity) continue;
      products[static_cast<std::size_t>(j)] = dot(
          uses_sink_position && j < inputs.sink_keys ? sink_q : inputs.q.row(r), inputs.keys, j);
      if (out.exact_scores.data != nullptr)
        out.exact_scores.row(r)[j] = static_cast<float>(score(j));
      if (out.capped_scores.data != nullptr)
        out.capped_scores.row(r)[j] = static_cast<float>(capped_score(j));
      if (std::isfinite(bias[j]) && (largest_key < 0 || difference(j, largest_key) > 0))
        largest_key = j;
    }
    float& sink = sinks[static_cast<std::size_t>(r)];
    const double sink_score = static_cast<double>(sink);
    if (sink != kMinusInfinity && largest_key >= 0 && score(largest_key) <= sink_score) {
      for (int j = 0; j < scores.columns; ++j) {
        // A finite score far below the sink must not become -infinity.
        if (row[j] != kMinusInfinity)
          row[j] = static_cast<float>(std::isfinite(bias[j])
                                          ? std::fmax(score(j) - sink_score, -kMaxSafeSum)
                                          : score(j) - sink_score);
      }
      sink = 0;
      continue;
    }
    if (sink != kMinusInfinity)
      sink = largest_key < 0 ? 0 : static_cast<float>(sink_score - score(largest_key));
    for (int j = 0; j < scores.columns; ++j) {
      if (row[j] != kMinusInfinity)
        row[j] = largest_key < 0 ? kMinusInfinity : static_cast<float>(difference(j, largest_key));
    }
  }
}

void compute_means_float64(const ConstMatrixRef& weights, const kernels::Panels& values,
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
           kMaxSafeSum);
}

void score_grad_float64(const ConstMatrixRef& weights, const ConstMatrixRef& d_output,
                        const kernels::Panels& values, const ConstMatrixRef& output,
                        const MatrixRef& d_scores) {
  for (int r = 0; r < d_scores.rows; ++r) {
    const double mean = kernels::dot_in_double(d_output.row(r), output.row(r), output.columns);
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
