#include "attention/streaming/pooled_weights.h"

#include <algorithm>

namespace phasor {

namespace {

int cell_count(const PoolingAxis& axis) {
  return (axis.end - axis.begin + axis.cell_size - 1) / axis.cell_size;
}

}  // namespace

PoolingPass::PoolingPass(const AttentionParams& params, int tile_rows)
    : pooling_(params.pooling),
      cell_count_(params.outputs.pooled_weights ? cell_count(pooling_.columns) : 0),
      data_(2 * static_cast<std::size_t>(tile_rows) * static_cast<std::size_t>(cell_count_)) {}

std::vector<int> PoolingPass::shape(const AttentionParams& params, int heads) {
  if (!params.outputs.pooled_weights) return {};
  return {heads, cell_count(params.pooling.rows), cell_count(params.pooling.columns)};
}

void PoolingPass::start(int row, int rows) {
  row_ = row;
  std::fill_n(data_.data(),
              2 * static_cast<std::size_t>(rows) * static_cast<std::size_t>(cell_count_), 0.0f);
}

void PoolingPass::add(int r, const float* weights, int first_key, int count) {
  if (!is_pooled(r)) return;
  const int begin_key = std::max(pooling_.columns.begin, first_key),
            end_key = std::min(pooling_.columns.end, first_key + count);
  for (int key = begin_key; key < end_key;) {
    const int cell = (key - pooling_.columns.begin) / pooling_.columns.cell_size;
    const int end =
        std::min(end_key, pooling_.columns.begin + (cell + 1) * pooling_.columns.cell_size);
    float sum = 0, max = cell_maxima(r)[cell];
    for (; key < end; ++key) {
      sum += weights[key - first_key];
      max = std::max(max, weights[key - first_key]);
    }
    cell_sums(r)[cell] += sum;
    cell_maxima(r)[cell] = max;
  }
}

void PoolingPass::rescale(int r, float factor) {
  if (!is_pooled(r)) return;
  for (int c = 0; c < 2 * cell_count_; ++c) cell_sums(r)[c] *= factor;
}

void PoolingPass::finish(int r, double row_sum, int head, AttentionResult& out) {
  if (!is_pooled(r) || !(row_sum > 0)) return;
  const int row = row_ + r - pooling_.rows.begin, cell_row = row / pooling_.rows.cell_size;
  const int rows = std::min(pooling_.rows.cell_size, pooling_.rows.end - pooling_.rows.begin -
                                                         cell_row * pooling_.rows.cell_size);
  float* mean = matrix(out.pooled_mean, head).row(cell_row);
  float* max = matrix(out.pooled_max, head).row(cell_row);
  for (int c = 0; c < cell_count_; ++c) {
    const int columns =
        std::min(pooling_.columns.cell_size,
                 pooling_.columns.end - pooling_.columns.begin - c * pooling_.columns.cell_size);
    mean[c] += static_cast<float>(static_cast<double>(cell_sums(r)[c]) / row_sum / rows / columns);
    max[c] = std::max(max[c], static_cast<float>(static_cast<double>(cell_maxima(r)[c]) / row_sum));
  }
}

}  // namespace phasor
