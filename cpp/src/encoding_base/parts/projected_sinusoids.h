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

  /// Precomputes the rows of distances 1 - length .. length - 1, which consecutive positions need.
  Status prepare(const Tensor& w_r, int length);
  /// Updates the precomputed rows after a change of w_r.
  Status recompute(const Tensor& w_r);

  /// Bytes of working memory for tiles of this many distances, including the gradients accumulated
  /// over a pass.
  double working_bytes(int distances) const;

  /// The projected rows of one head for each distance j - i.
  struct Rows {
    Tensor storage{};       ///< memory of rows that are not precomputed
    ConstMatrixRef rows{};  ///< (distances, dim)
    int first = -1;         ///< index of the first row in the precomputed rows; -1: in `storage`
  };
  Rows rows_of_head(const Tensor& w_r, int head, int head_dim,
                    const RelativePositions& distances) const;

  /// Accumulates the gradient of the projected rows, grads^T queries, for `grads.columns` distances
  /// from `first` on. The gradient of rows that are not precomputed is added to d_w_r at once.
  /// grads (queries, distances), queries (queries, dim), d_w_r (heads * dim, D)
  void backward(const Rows& head_rows, int head, const RelativePositions& distances, int first,
                ConstMatrixRef grads, ConstMatrixRef queries, MatrixRef d_w_r);
  /// Propagates the accumulated gradients through the sinusoids to W_r, once for all tiles and
  /// heads.
  void finish_backward(MatrixRef d_w_r);

 private:
  int channels() const { return 2 * static_cast<int>(frequencies_.size()); }  // D
  int max_distance() const { return (prepared_.shape[0] - 1) / 2; }
  bool is_prepared(double distance) const;
  double sinusoid_bytes(int distances) const;
  template <class F>
  void each_block(std::span<const double> distances, F&& f) const;
  void write_sinusoid(SinusoidRows& sines, double distance, std::span<float> out) const;
  void sinusoids_backward(std::span<const double> distances, ConstMatrixRef d_rows,
                          MatrixRef d_w_r) const;

  std::vector<double> frequencies_;
  SinusoidLayout layout_;
  double clamp_len_;
  Tensor prepared_;  // (2 length - 1, heads * dim); row 0: j - i = 1 - length
  // The gradient of prepared_, nonzero only in rows [gradient_begin_, gradient_end_); empty before
  // a backward pass.
  Tensor d_prepared_;
  int gradient_begin_ = std::numeric_limits<int>::max(), gradient_end_ = 0;
};

}  // namespace phasor
