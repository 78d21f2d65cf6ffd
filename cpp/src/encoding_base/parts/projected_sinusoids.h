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

/// W_r r_{i-j}, r_m = [sin(m w) | cos(m w)] of D channels. w_r (heads * dim, D)
class ProjectedSinusoids {
 public:
  /// frequencies (D / 2); clamp_len > 0 clamps distances.
  ProjectedSinusoids(std::vector<double> frequencies, SinusoidLayout layout, double clamp_len)
      : frequencies_(std::move(frequencies)), layout_(layout), clamp_len_(clamp_len) {}

  /// Computes the rows of the distances 1 - length .. length - 1, which every text without gaps
  /// needs.
  Status prepare(const Tensor& w_r, int length);
  /// The same distances with other weights.
  Status recompute(const Tensor& w_r);

  /// The working memory of a pass over tiles of so many distances; gradients accumulate until the
  /// next pass.
  double working_bytes(int distances) const;

  /// The rows of one head for each distance j - i.
  struct Rows {
    Tensor own{};           ///< where they are not all next to each other in what is prepared
    ConstMatrixRef rows{};  ///< (distances, dim)
    int first = -1;         ///< the prepared row of the first of them; -1: none
  };
  Rows rows_of_head(const Tensor& w_r, int head, int head_dim,
                    const RelativePositions& distances) const;

  /// Accumulates the gradient of W_r for `slopes.columns` distances from `first` on, slopes^T
  /// queries: in the prepared rows, or directly for other distances. slopes (queries, distances),
  /// queries (queries, dim), d_w_r (heads * dim, D)
  void backward(const Rows& of_head, int head, const RelativePositions& distances, int first,
                ConstMatrixRef slopes, ConstMatrixRef queries, MatrixRef d_w_r);
  /// Through the sinusoids to W_r, once for all tiles and heads of a distance.
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
  Tensor prepared_;  // (2 length - 1, heads * dim): by distance j - i, from 1 - length on
  // The gradient of prepared_, of its shape, 0 except in the rows [begin, end) with a gradient;
  // empty until a backward pass
  Tensor gathered_;
  int gradient_begin_ = std::numeric_limits<int>::max(), gradient_end_ = 0;
};

}  // namespace phasor
