#pragma once
// The pooled weights of one head, accumulated beside the output and rescaled with it.

#include "attention/streaming/attend.h"

namespace phasor {

class PoolingPass {
 public:
  PoolingPass(const AttentionParams& job, int tile_rows);

  /// (heads, cells of rows, cells of columns)
  static std::vector<int> shape(const AttentionParams& job, int heads);

  /// Starts some rows, beginning with `row`. Rows outside the pooled part cost nothing.
  void start(int row, int rows);
  /// e^(score - row_max) of row r (of this tile) for keys first_key ..., which are not yet divided
  /// by their row_sum.
  void add(int r, const float* weights, int first_key, int count);
  /// Rescales row r after its row_max has increased.
  void rescale(int r, float factor);
  /// Row r is complete: weights are divided by `row_sum`.
  void finish(int r, double row_sum, int head, AttentionResult& out);

 private:
  bool shown(int r) const {
    return row_ + r >= pooling_.rows.begin && row_ + r < pooling_.rows.end;
  }
  float* sums(int r) { return data_.data() + static_cast<std::ptrdiff_t>(2 * r) * cells_; }
  float* maxima(int r) { return sums(r) + cells_; }

  PoolingConfig pooling_;
  int cells_ = 0;  // along the columns
  int row_ = 0;
  std::vector<float> data_;
};

}  // namespace phasor
