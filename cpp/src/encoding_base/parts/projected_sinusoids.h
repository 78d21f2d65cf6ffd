#pragma once
// Transformer-XL's projected sinusoids, one per distance.

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

/// Computes W_r r_{i-j}, where r_m = [sin(m w) | cos(m w)] has D channels and w_r has shape (heads
/// * dim, D).
class ProjectedSinusoids {
 public:
  /// `frequencies` has D / 2 elements. If clamp_len > 0, distances are clamped to [-clamp_len,
  /// clamp_len].
  ProjectedSinusoids(std::vector<double> frequencies, SinusoidLayout layout, double clamp_len)
      : frequencies_(std::move(frequencies)), layout_(layout), clamp_len_(clamp_len) {}

  /// Precomputes the projected rows for the distances from 1 - length to length - 1, which occur
  /// with consecutive positions.
  Status prepare(const Tensor& w_r, int length);
  /// Updates the precomputed rows after a change of w_r.
  Status recompute(const Tensor& w_r);

  /// Bytes of working memory for tiles with this many distances, including the accumulated
  /// gradients.
  double working_bytes(int distances) const;

  /// One head's projected rows, one per distance j - i.
  struct HeadRows {
    Tensor storage{};       ///< owns the rows if they are not precomputed
    ConstMatrixRef rows{};  ///< (distances, dim)
    int first_row = -1;     ///< index in the precomputed rows, or -1 if `storage` is used
  };
  HeadRows project_head(const Tensor& w_r, int head, int head_dim,
                        const RelativePositions& distances) const;

  /// Adds grads^T queries to the accumulated gradient of the projected rows, starting at row
  /// `first` of head_rows. If the rows are not precomputed, their gradient is added to d_w_r
  /// immediately. grads (queries, distances), queries (queries, dim), d_w_r (heads * dim, D)
  void backward(const HeadRows& head_rows, int head, const RelativePositions& distances, int first,
                ConstMatrixRef grads, ConstMatrixRef queries, MatrixRef d_w_r);
  /// Adds the accumulated gradients to d_w_r. Must be called once, after the backward passes of all
  /// tiles and heads.
  void finish_backward(MatrixRef d_w_r);

 private:
  int channels() const { return 2 * static_cast<int>(frequencies_.size()); }  // D
  int max_distance() const { return (projected_rows_.shape[0] - 1) / 2; }
  bool is_precomputed(double distance) const;
  double sinusoid_bytes(int distances) const;
  template <class F>
  void for_each_block(std::span<const double> distances, F&& f) const;
  void write_sinusoid(SinusoidRows& sines, double distance, std::span<float> out) const;
  void sinusoids_backward(std::span<const double> distances, ConstMatrixRef d_rows,
                          MatrixRef d_w_r) const;

  std::vector<double> frequencies_;
  SinusoidLayout layout_;
  double clamp_len_;
  Tensor projected_rows_;  // (2 length - 1, heads * dim); row 0: j - i = 1 - length
  // The gradient of projected_rows_, empty before the first backward pass. Only rows in
  // [gradient_begin_, gradient_end_) are nonzero.
  Tensor d_projected_rows_;
  int gradient_begin_ = std::numeric_limits<int>::max(), gradient_end_ = 0;
};

}  // namespace phasor
