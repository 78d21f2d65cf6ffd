#pragma once
// Sinusoids of the distance, projected by a trained matrix, as in Transformer-XL.

#include <limits>
#include <span>
#include <utility>
#include <vector>

#include "phasor/result.h"
#include "phasor/sinusoid.h"
#include "phasor/tensor.h"
#include "relative_position/relative_positions.h"

namespace phasor {

class SinusoidRows;

/// W_r r_{i-j}, with r_m = [sin(m w) | cos(m w)] of D channels. w_r (heads * dim, D)
class ProjectedSinusoids {
 public:
  /// frequencies (D / 2); clamp_len > 0 clamps distances to clamp_len.
  ProjectedSinusoids(std::vector<double> frequencies, SinusoidLayout layout, double clamp_len)
      : frequencies_(std::move(frequencies)), layout_(layout), clamp_len_(clamp_len) {}

  /// Precomputes the rows for distances 1 - length .. length - 1, as used by consecutive positions.
  Status prepare(const Tensor& w_r, int length);
  /// Recomputes the rows of the same distances from new weights.
  Status recompute(const Tensor& w_r);

  /// Bytes of working memory for tiles of this many distances; gradients accumulate until the next
  /// pass.
  double working_bytes(int distances) const;

  /// The projected rows of one head for each distance j - i.
  struct Rows {
    Tensor own{};  ///< computed rows, if the distances are not consecutive in the precomputed ones
    ConstMatrixRef rows{};  ///< (distances, dim)
    int first = -1;         ///< index of the first in the precomputed rows; -1: in `own`
  };
  Rows rows_of_head(const Tensor& w_r, int head, int head_dim,
                    const RelativePositions& distances) const;

  /// Accumulates the gradient of W_r, grads^T queries, for `grads.columns` distances from `first`
  /// on: into the precomputed rows, or directly for other distances. grads (queries, distances),
  /// queries (queries, dim), d_w_r (heads * dim, D)
  void backward(const Rows& of_head, int head, const RelativePositions& distances, int first,
                ConstMatrixRef grads, ConstMatrixRef queries, MatrixRef d_w_r);
  /// Propagates the accumulated gradients through the sinusoids to W_r, once for all tiles and
  /// heads.
  void finish_backward(MatrixRef d_w_r);

 private:
  int channels() const { return 2 * static_cast<int>(frequencies_.size()); }  // D
  int furthest() const { return (prepared_.shape[0] - 1) / 2; }
  bool is_prepared(double distance) const;
  double waves_bytes(int distances) const;
  template <class F>
  void each_strip(std::span<const double> distances, F&& f) const;
  void wave(SinusoidRows& sines, double distance, std::span<float> out) const;
  void waves_backward(std::span<const double> distances, ConstMatrixRef d_rows,
                      MatrixRef d_w_r) const;

  std::vector<double> frequencies_;
  SinusoidLayout layout_;
  double clamp_len_;
  Tensor prepared_;  // (2 length - 1, heads * dim), by distance j - i from 1 - length on
  // Gradient of prepared_, with its shape; nonzero only in rows [begin, end). Empty until a
  // backward pass
  Tensor gathered_;
  int gradient_begin_ = std::numeric_limits<int>::max(), gradient_end_ = 0;
};

}  // namespace phasor
