#pragma once
// Attention where float32 would not hold what is between q, k, v and the output: a product of
// 1e30 and 1e30, a sum of values of 3e38, a scale of 1e300. The passes stay the same, but scores
// and means are formed in double. Ordinary numbers never come here.

#include "attention/streaming/attend.h"
#include "kernels/kernels.h"

namespace phasor {

/// Whether scale * q.k, or a sum of values, may leave float32 on the way, whatever the order of the
/// sums. q (heads, queries, head_dim); largest_k and largest_v are the largest magnitudes of `keys`
/// keys and values.
bool needs_float64(double scale, const Tensor& q, float largest_k, float largest_v, int keys);

/// out (rows, keys) = scale * q.k, as far as float32 has it.
void double_products(double scale, const ConstMatrixRef& q, const kernels::Panels& keys,
                     const MatrixRef& out);

/// The inputs of scores. bias (rows, keys)
struct DoubleScores {
  double scale = 1;
  double cap = 0;  ///< 0: none
  bool cap_includes_bias = false;
  ConstMatrixRef q;
  kernels::Panels keys;
  ConstMatrixRef bias;
  /// Which rows, the first being `first_row`, the first keys meet as another query: far_q has all
  /// of a head. nullptr: none
  const SinkQueries* far = nullptr;
  ConstMatrixRef far_q;
  int first_row = 0, far_keys = 0;
};

/// Where their data is not null, (rows, keys) get of each visible key the score itself, and what
/// the cap has left.
struct ExactScores {
  MatrixRef exact, capped;
};

/// The softmax only asks how far each score is below the largest of its row, and that is a float32
/// where the score is none. On entry `scores` (rows, keys) is -infinity where a key is hidden,
/// which it stays; on exit it holds scale * q.k + bias, less the largest visible one of the row.
/// sinks (rows), -infinity where there is none, are one more score of each row. Scores are as
/// `rule` says.
void scores_float64(const DoubleScores& rule, const MatrixRef& scores, std::span<float> sinks,
                    const ExactScores& exact);

/// output (rows, v_head_dim) = the means of values (keys, v_head_dim) by weights (rows, keys),
/// which need not sum to 1, beside a weight (rows) without a value; rows without any are 0.
void double_means(const ConstMatrixRef& weights, const kernels::Panels& values,
                  std::span<const double> beside, const MatrixRef& output);

/// Whether d_output . v may leave float32 on the way. v (kv_heads, keys, v_head_dim)
bool needs_float64_grad(const Tensor& d_output, const Tensor& v);

/// d_scores (rows, keys) = weights * (d_output . values + d_scores - mean), where on entry d_scores
/// is what the encoding makes of d_output and the mean of a row is d_output . output; 0 where the
/// weight is, whatever it meets. values (v_head_dim, keys)
void double_slopes(const ConstMatrixRef& weights, const ConstMatrixRef& d_output,
                   const kernels::Panels& values, const ConstMatrixRef& output,
                   const MatrixRef& d_scores);

}  // namespace phasor
