#pragma once
// Attention with scores and sums in double, for inputs whose intermediate results exceed float32:
// products of 1e30 and 1e30, sums of 3e38, a scale of 1e300. Ordinary inputs never need it.

#include "attention/streaming/attend.h"
#include "kernels/kernels.h"

namespace phasor {

/// True if scale * q.k or a sum of values may exceed float32 in some summation order. q (heads,
/// queries, head_dim); max_abs_k and max_abs_v are the largest magnitudes in `keys` keys and
/// values.
bool needs_float64(double scale, const Tensor& q, float max_abs_k, float max_abs_v, int keys);

/// out (rows, keys) = scale * q.k, clamped to float32.
void compute_products_float64(double scale, const ConstMatrixRef& q, const kernels::Panels& keys,
                              const MatrixRef& out);

/// The inputs of compute_scores_float64. bias (rows, keys)
struct Float64ScoreInputs {
  double scale = 1;
  double softcap = 0;  ///< 0: none
  bool cap_includes_bias = false;
  ConstMatrixRef q;
  kernels::Panels keys;
  ConstMatrixRef bias;
  /// Separate queries sink_q (queries, head_dim) that some rows use for the first `sink_keys` keys,
  /// or nullptr. The first row is query `first_row`
  const SinkQueries* sink_queries = nullptr;
  ConstMatrixRef sink_q;
  int first_row = 0, sink_keys = 0;
};

/// Scores (rows, keys) of visible keys, written if the data is not null: `exact_scores` before the
/// largest is subtracted, `capped_scores` after the soft cap.
struct OptionalScores {
  MatrixRef exact_scores, capped_scores;
};

/// Computes the difference of each score from the row's largest, which may be that of the sink. The
/// softmax depends only on these differences, which fit float32 even if scores do not. On entry
/// `scores` (rows, keys) is -infinity for hidden keys and 0 otherwise, and sinks (rows) has the
/// score of each row's sink, or -infinity; on exit, both have the differences.
void compute_scores_float64(const Float64ScoreInputs& inputs, const MatrixRef& scores,
                            std::span<float> sinks, const OptionalScores& out);

/// output (rows, v_head_dim) = weights (rows, keys) times values (keys, v_head_dim), divided by the
/// row sum of weights and sink weight; 0 if that is 0.
void compute_means_float64(const ConstMatrixRef& weights, const kernels::Panels& values,
                           std::span<const double> sink_weights, const MatrixRef& output);

/// True if d_output . v may exceed float32. v (kv_heads, keys, v_head_dim)
bool needs_float64_grad(const Tensor& d_output, const Tensor& v);

/// d_scores (rows, keys) = weights * (d_output . values + d_scores - mean), where on entry d_scores
/// is the gradient through the encoding and the mean of a row is d_output . output; 0 where the
/// weight is 0. values (v_head_dim, keys)
void score_grad_float64(const ConstMatrixRef& weights, const ConstMatrixRef& d_output,
                        const kernels::Panels& values, const ConstMatrixRef& output,
                        const MatrixRef& d_scores);

}  // namespace phasor
