#pragma once
// Sink tokens that are numbered inside the cache (StreamingLLM, arXiv 2309.17453, section 3.2):
// for sink tokens outside its window a query is at the end of the cache, position sink_tokens +
// window - 1, and for other keys at its own position.

#include <algorithm>
#include <vector>

#include "attention/streaming/attend.h"

namespace phasor {

class SinkQueries {
 public:
  /// Transforms the queries at that position, if the call uses SinkPositions::cache and a query is
  /// beyond it. q (heads, queries, head_dim) is the input of attention. Keys are in ascending
  /// order.
  Status start(const AttentionParams& job, const Tensor& q);
  /// Bytes of the copies that start() makes.
  static double bytes(const AttentionParams& job, const Tensor& q);

  /// Number of keys, of `count` from `first_key` on, with separate queries for some rows; they are
  /// the first ones.
  int keys(int first_key, int count) const { return std::clamp(keys_ - first_key, 0, count); }
  bool uses_sink_position(int row) const { return is_far_[static_cast<std::size_t>(row)] != 0; }
  /// Calls f(first row, count, is far) for runs of rows with and without separate queries. The
  /// decision is per row, so that its bits do not depend on its neighbours.
  template <class F>
  void for_each_run(int row, int rows, F&& f) const {
    for (int first = row, last = row; first < row + rows; first = last) {
      while (last < row + rows && uses_sink_position(last) == uses_sink_position(first)) ++last;
      f(first, last - first, uses_sink_position(first));
    }
  }
  /// The positions of these queries, all equal.
  Positions positions(int count) const { return Positions(positions_).part(0, count); }
  /// Whether the encoding transforms queries; otherwise they do not depend on the position.
  bool transforms() const { return !q_.empty(); }
  /// The queries of a head for those keys, if they are transformed. (queries, head_dim)
  ConstMatrixRef q(int head) const { return matrix(q_, head); }

 private:
  std::vector<double> positions_;
  std::vector<std::uint8_t> is_far_;  // per query
  int keys_ = 0;
  Tensor q_;
};

}  // namespace phasor
