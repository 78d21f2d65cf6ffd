#pragma once
// Sink tokens that are numbered inside the cache (StreamingLLM, arXiv 2309.17453, section 3.2): a
// query that has left them behind sees them from the end of the cache, at sink_tokens + window - 1,
// and everything else from where it is.

#include <algorithm>
#include <vector>

#include "attention/streaming/attend.h"

namespace phasor {

class SinkQueries {
 public:
  /// Moves the queries there, where the job numbers by the cache and some query is beyond. q
  /// (heads, queries, head_dim) is as attention was given it. Keys are in ascending order.
  Status start(const AttentionParams& job, const Tensor& q);
  /// The size of the copies that start() makes.
  static double bytes(const AttentionParams& job, const Tensor& q);

  /// How many of `count` keys from `first_key` on some queries see from elsewhere; they are the
  /// first ones.
  int keys(int first_key, int count) const { return std::clamp(keys_ - first_key, 0, count); }
  bool uses_sink_position(int row) const { return is_far_[static_cast<std::size_t>(row)] != 0; }
  /// f(first row, count, is far) for the stretches of such and of other rows. Each row by itself
  /// decides, so that its bits do not depend on its neighbours.
  template <class F>
  void for_each_run(int row, int rows, F&& f) const {
    for (int first = row, last = row; first < row + rows; first = last) {
      while (last < row + rows && uses_sink_position(last) == uses_sink_position(first)) ++last;
      f(first, last - first, uses_sink_position(first));
    }
  }
  /// Where the queries are for those keys: all at the same place.
  Positions places(int count) const { return Positions(places_).part(0, count); }
  /// Whether an encoding moves queries; else they are the same everywhere.
  bool moves() const { return !q_.empty(); }
  /// The queries of a head as those keys meet them, if they are moved. (queries, head_dim)
  ConstMatrixRef q(int head) const { return matrix(q_, head); }

 private:
  std::vector<double> places_;
  std::vector<std::uint8_t> is_far_;  // of each query
  int keys_ = 0;
  Tensor q_;
};

}  // namespace phasor
