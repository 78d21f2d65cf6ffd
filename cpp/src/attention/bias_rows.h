#pragma once
// The bias of one head where it is a function of the difference of positions alone: found once per difference, not once per tile.

#include "attention/attend.h"
#include "kernels/relative_positions.h"

namespace phasor {

class BiasRows {
 public:
  explicit BiasRows(const AttendJob& job)
      : bias_(job.encoding->as_score_bias()),
        known_(bias_ != nullptr && bias_->is_toeplitz() && consecutive(job)),
        distances_(known_ ? job.queries : Positions(), known_ ? job.keys : Positions()) {}

  /// Whether add() knows the bias; else the encoding is asked tile by tile.
  bool known() const { return known_; }

  void start(int head) {
    if (!known_) return;
    values_.assign(static_cast<std::size_t>(distances_.count()), 0.0f);
    std::vector<double> differences;
    for (int n = 0; n < distances_.count(); ++n) differences.push_back(distances_.value(n));
    // Keys at the differences, seen by one query at 0.
    const double origin = 0;
    bias_->add_bias(head, Positions(std::span(&origin, 1)), differences, {values_.data(), 1, distances_.count(), distances_.count()});
  }

  /// Adds to a tile of scores that starts at this query and this key.
  void add(int first_query, int first_key, MatrixRef tile) const { distances_.add(values_, tile, first_query, first_key); }

 private:
  // One axis at a time: there may be more pairs than an int counts.
  static bool consecutive(const AttendJob& job) {
    return kernels::RelativePositions(job.queries, job.keys.part(0, 1)).consecutive() &&
           kernels::RelativePositions(job.queries.part(0, 1), job.keys).consecutive();
  }

  const ScoreEncoding* bias_;
  bool known_;
  kernels::RelativePositions distances_;
  std::vector<float> values_;
};

}  // namespace phasor
