#pragma once
// Attention if float32 would not hold intermediate results between q, k, v and the output: a
// product of 1e30 and 1e30, a sum of values of 3e38, a scale of 1e300. The passes are the same,
// with scores and means in double. Ordinary inputs never use it.

#include "attention/streaming/attend.h"
#include "kernels/kernels.h"

namespace phasor {

/// Whether scale * q.k, or a sum of values, may exceed float32, whatever the order of the sums. q
/// (heads, queries, head_dim); largest_k and largest_v are the largest magnitudes of `keys` keys
/// and values.
bool needs_float64(double scale, const Tensor& q, float largest_k, float largest_v, int keys);

/// out (rows, keys) = scale * q.k, clamped to float32.
void double_products(double scale, const ConstMatrixRef& q, const kernels::Panels& keys,
                     const MatrixRef& out);

/// The inputs of scores_float64. bias (rows, keys)
struct DoubleScores {
  double scale = 1;
  double cap = 0;  ///< 0: none
  bool cap_includes_bias = false;
  ConstMatrixRef q;
  kernels::Panels keys;
  ConstMatrixRef bias;
  /// The rows, beginning with `first_row`, that have separate queries for the first keys: far_q
  /// contains all queries of a head. nullptr: none
  const SinkQueries* far = nullptr;
  ConstMatrixRef far_q;
  int first_row = 0, far_keys = 0;
};

/// If their data is not null, (rows, keys) receive the score of each visible key, and the score
/// after the soft cap.
struct ExactScores {
  MatrixRef exact, capped;
};

/// The softmax depends only on the difference between a score and the largest of its row, which
/// fits float32 even if the score does not. `scores` (rows, keys) is -infinity at hidden keys; on
/// exit it holds at the others scale * q.k + bias, less the largest visible one of the row. sinks
/// (rows), or -infinity, are one more score of each row. `rule` determines the scores.
void scores_float64(const DoubleScores& rule, const MatrixRef& scores, std::span<float> sinks,
                    const ExactScores& exact);

/// output (rows, v_head_dim) = the means of values (keys, v_head_dim) by weights (rows, keys),
/// which need not sum to 1, beside a weight (rows) without a value; rows without weights are 0.
void double_means(const ConstMatrixRef& weights, const kernels::Panels& values,
                  std::span<const double> sink_weights, const MatrixRef& output);

/// Whether d_output . v may exceed float32. v (kv_heads, keys, v_head_dim)
bool needs_float64_grad(const Tensor& d_output, const Tensor& v);

/// d_scores (rows, keys) = weights * (d_output . values + d_scores - mean), where on entry d_scores
/// is the gradient through the encoding and the mean of a row is d_output . output; 0 where the
/// weight is 0. values (v_head_dim, keys)
void score_grad_float64(const ConstMatrixRef& weights, const ConstMatrixRef& d_output,
                        const kernels::Panels& values, const ConstMatrixRef& output,
                        const MatrixRef& d_scores);

}  // namespace phasor
