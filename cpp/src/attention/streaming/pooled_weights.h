#pragma once
// The pooled weights of one head, which are accumulated and rescaled like the output.

#include "attention/streaming/attend.h"

namespace phasor {

class PoolingPass {
 public:
  PoolingPass(const AttentionParams& params, int tile_rows);

  /// The shape of the result: (heads, query cells, key cells).
  static std::vector<int> shape(const AttentionParams& params, int heads);

  /// Starts rows [row, row + rows) with weights of 0. In the result, rows outside the pooled range
  /// stay 0.
  void start(int row, int rows);
  /// Adds the weights of `count` keys, from `first_key` on, to row r of the tile. The weights are
  /// e^(score - row_max).
  void add(int r, const float* weights, int first_key, int count);
  void rescale(int r, float factor);
  /// Divides the weights of the complete row r by `row_sum` and adds them to the result.
  void finish(int r, double row_sum, int head, AttentionResult& out);

 private:
  bool is_pooled(int r) const {
    return row_ + r >= pooling_.rows.begin && row_ + r < pooling_.rows.end;
  }
  float* cell_sums(int r) {
    return data_.data() + static_cast<std::ptrdiff_t>(2 * r) * cell_count_;
  }
  float* cell_maxima(int r) { return cell_sums(r) + cell_count_; }

  PoolingConfig pooling_;
  int cell_count_ = 0;  // along the columns
  int row_ = 0;
  std::vector<float> data_;
};

}  // namespace phasor
