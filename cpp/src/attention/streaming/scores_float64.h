#pragma once
// Attention with scores and sums in double, for inputs whose intermediate results exceed float32,
// for example 1e30 * 1e30, 3e38 + 3e38 or a scale of 1e300. Ordinary inputs never need it.

#include "attention/streaming/attend.h"
#include "kernels/kernels.h"

namespace phasor {

/// True if scale * q.k or a sum of values may exceed float32 in some summation order. q is (heads,
/// queries, head_dim). max_abs_k and max_abs_v are the largest magnitudes of the keys and the
/// values, and `keys` is their number.
bool needs_float64(double scale, const Tensor& q, float max_abs_k, float max_abs_v, int keys);

/// out (rows, keys) = scale * q.k, clamped to float32.
void compute_products_float64(double scale, const ConstMatrixRef& q, const kernels::Panels& keys,
                              const MatrixRef& out);

/// The inputs of compute_scores_float64. `bias` is (rows, keys).
struct Float64ScoreInputs {
  double scale = 1;
  double softcap = 0;  ///< 0: none
  bool cap_includes_bias = false;
  ConstMatrixRef q;
  kernels::Panels keys;
  ConstMatrixRef bias;
  /// If not nullptr, rows with uses_sink_position() use sink_q (queries, head_dim) for the first
  /// `sink_keys` keys. The first row is query `first_row`
  const SinkQueries* sink_queries = nullptr;
  ConstMatrixRef sink_q;
  int first_row = 0, sink_keys = 0;
};

/// Scores (rows, keys) of visible keys. `exact_scores` receives the scores before the largest is
/// subtracted, and `capped_scores` those after the soft cap; each is written only if its data is
/// not null.
struct OptionalScores {
  MatrixRef exact_scores, capped_scores;
};

/// Computes the scores of visible keys and subtracts the largest score of their row, which may be
/// that of the sink. The softmax depends only on these differences, which fit float32 even if
/// scores do not. On entry, `scores` (rows, keys) is -infinity for hidden keys and 0 otherwise, and
/// `sinks` (rows) contains the score of each row's sink, or -infinity. On exit, both contain the
/// differences.
void compute_scores_float64(const Float64ScoreInputs& inputs, const MatrixRef& scores,
                            std::span<float> sinks, const OptionalScores& out);

/// output (rows, v_head_dim) = weights (rows, keys) times values (keys, v_head_dim), divided by the
/// sum of the row's weights and its sink weight. A row whose sum is 0 becomes 0.
void compute_means_float64(const ConstMatrixRef& weights, const kernels::Panels& values,
                           std::span<const double> sink_weights, const MatrixRef& output);

/// True if d_output . v may exceed float32. v is (kv_heads, keys, v_head_dim).
bool needs_float64_grad(const Tensor& d_output, const Tensor& v);

/// d_scores (rows, keys) = weights * (d_output . values + d_scores - mean), or 0 where the weight
/// is 0. The d_scores on the right is the gradient through the encoding, and the mean of a row is
/// d_output . output. `values` is (v_head_dim, keys).
void score_grad_float64(const ConstMatrixRef& weights, const ConstMatrixRef& d_output,
                        const kernels::Panels& values, const ConstMatrixRef& output,
                        const MatrixRef& d_scores);

}  // namespace phasor
