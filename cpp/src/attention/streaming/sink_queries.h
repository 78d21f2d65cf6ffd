#pragma once
// SinkPositions::cache (StreamingLLM, arXiv 2309.17453, section 3.2): relative to sink tokens
// outside the window, a query is at the last position of the cache, sink_tokens + window - 1;
// relative to other keys, at its own position.

#include <algorithm>
#include <vector>

#include "attention/streaming/attend.h"

namespace phasor {

class SinkQueries {
 public:
  /// If the call uses SinkPositions::cache and a query is beyond the last position of the cache,
  /// copies the queries and transforms them at that position. q (heads, queries, head_dim) is the
  /// input of attention. Key positions must be ascending.
  Status prepare(const AttentionParams& params, const Tensor& q);
  static double bytes(const AttentionParams& params, const Tensor& q);

  /// Number of sink tokens with separate queries among `count` keys from `first_key` on.
  int count_keys(int first_key, int count) const {
    return std::clamp(sink_key_count_ - first_key, 0, count);
  }
  bool uses_sink_position(int row) const {
    return uses_sink_position_[static_cast<std::size_t>(row)] != 0;
  }
  /// Calls f(first row, count, uses sink position) for each run of rows with equal
  /// uses_sink_position(). A row's uses_sink_position() does not depend on other rows, so its
  /// result is bitwise reproducible.
  template <class F>
  void for_each_run(int row, int rows, F&& f) const {
    for (int first = row, end = row; first < row + rows; first = end) {
      while (end < row + rows && uses_sink_position(end) == uses_sink_position(first)) ++end;
      f(first, end - first, uses_sink_position(first));
    }
  }
  /// Returns `count` positions, all equal to the last position of the cache.
  Positions positions(int count) const { return Positions(positions_).part(0, count); }
  /// True if the encoding transforms queries; otherwise no separate queries are needed.
  bool has_queries() const { return !q_.empty(); }
  /// A head's queries at the last position of the cache, (queries, head_dim), if has_queries().
  ConstMatrixRef q(int head) const { return matrix(q_, head); }

 private:
  std::vector<double> positions_;
  std::vector<std::uint8_t> uses_sink_position_;  // per query
  int sink_key_count_ = 0;
  Tensor q_;
};

}  // namespace phasor
