#pragma once
// The bias of one head where it is a function of the difference of positions alone: found once per difference, not once per tile.

#include "attention/attend.h"
#include "kernels/relative_positions.h"

namespace phasor {

class BiasRows {
 public:
  explicit BiasRows(const AttendJob& job)
      : bias_(job.encoding->as_score_bias()),
        distances_(job.queries, job.keys),
        known_(bias_ != nullptr && bias_->is_toeplitz() && distances_.consecutive()) {}

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
  const ScoreEncoding* bias_;
  kernels::RelativePositions distances_;
  bool known_;
  std::vector<float> values_;
};

}  // namespace phasor
