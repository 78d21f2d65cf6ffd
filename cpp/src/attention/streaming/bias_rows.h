#pragma once
// The bias of one head where it is a function of the difference of positions alone: found once per
// difference, not once per tile.

#include "attention/streaming/attend.h"
#include "relative_position/relative_positions.h"

namespace phasor {

class BiasRows {
 public:
  explicit BiasRows(const AttendJob& job)
      : bias_(job.encoding->as_score_bias()),
        known_(bias_ != nullptr && bias_->is_toeplitz() && both_consecutive(job.queries, job.keys)),
        distances_(known_ ? job.queries : Positions(), known_ ? job.keys : Positions()) {}

  /// A number of each distance, the distance itself, and what the encoding works in to find it.
  static constexpr double kBytesOfDistance = 2 * sizeof(float) + 2 * sizeof(double);

  /// Whether add() knows the bias; else the encoding is asked tile by tile.
  bool known() const { return known_; }

  void start(int head) {
    if (!known_) return;
    const std::size_t count = static_cast<std::size_t>(distances_.count());
    values_.assign(count, 0.0f);
    std::vector<double> differences(count);
    for (std::size_t n = 0; n < count; ++n) differences[n] = distances_.value(static_cast<int>(n));
    // Keys at the differences, seen by one query at 0.
    const double origin = 0;
    bias_->add_bias(head, Positions(std::span(&origin, 1)), differences,
                    {values_.data(), 1, distances_.count(), distances_.count()});
  }

  /// Adds to a tile of scores that starts at this query and this key.
  void add(int first_query, int first_key, MatrixRef tile) const {
    distances_.add(values_, tile, first_query, first_key);
  }

 private:
  const ScoreEncoding* bias_;
  bool known_;
  RelativePositions distances_;
  std::vector<float> values_;
};

}  // namespace phasor
