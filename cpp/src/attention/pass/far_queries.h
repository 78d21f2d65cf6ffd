#pragma once
// Sink tokens that are numbered inside the cache (StreamingLLM, arXiv 2309.17453, section 3.2): a
// query that has left them behind sees them from the end of the cache, at sink_tokens + window - 1,
// and everything else from where it is.

#include <vector>

#include "attention/pass/attend.h"

namespace phasor {

class FarQueries {
 public:
  /// Moves the queries to those places, where the job numbers by the cache and some query is
  /// beyond. q (heads, queries, width) is as attention was given it. Keys are in ascending order.
  Status start(const AttendJob& job, const Tensor& q);
  /// What start() keeps.
  static double bytes(const AttendJob& job, const Tensor& q);

  /// How many of `count` keys from `first_key` on some of these rows see from elsewhere; they are
  /// the first ones.
  int keys(int row, int rows, int first_key, int count) const;
  Positions places() const { return places_; }
  /// Whether an encoding moves queries; else they are the same everywhere.
  bool moves() const { return !q_.empty(); }
  /// The queries of a head as those keys meet them, if they are moved. (queries, width)
  ConstMatrixRef q(int head) const { return matrix(q_, head); }

 private:
  std::vector<double> places_;
  std::vector<std::uint8_t> is_far_;  // of each query
  int keys_ = 0;
  Tensor q_;
};

}  // namespace phasor
