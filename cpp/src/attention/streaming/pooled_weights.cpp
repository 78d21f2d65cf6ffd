#include "attention/streaming/pooled_weights.h"

#include <algorithm>

namespace phasor {

namespace {

int cell_count(const PoolingAxis& axis) {
  return (axis.end - axis.begin + axis.cell_size - 1) / axis.cell_size;
}

}  // namespace

PoolingPass::PoolingPass(const AttentionParams& job, int tile_rows)
    : pooling_(job.pooling),
      cells_(job.outputs.pooled_weights ? cell_count(pooling_.columns) : 0),
      data_(2 * static_cast<std::size_t>(tile_rows) * static_cast<std::size_t>(cells_)) {}

std::vector<int> PoolingPass::shape(const AttentionParams& job, int heads) {
  if (!job.outputs.pooled_weights) return {};
  return {heads, cell_count(job.pooling.rows), cell_count(job.pooling.columns)};
}

void PoolingPass::start(int row, int rows) {
  row_ = row;
  std::fill_n(data_.data(), 2 * static_cast<std::size_t>(rows) * static_cast<std::size_t>(cells_),
              0.0f);
}

void PoolingPass::add(int r, const float* weights, int first_key, int count) {
  if (!is_pooled(r)) return;
  const int first = std::max(pooling_.columns.begin, first_key),
            last = std::min(pooling_.columns.end, first_key + count);
  for (int key = first; key < last;) {
    const int cell = (key - pooling_.columns.begin) / pooling_.columns.cell_size;
    const int end =
        std::min(last, pooling_.columns.begin + (cell + 1) * pooling_.columns.cell_size);
    float sum = 0, max = maxima(r)[cell];
    for (; key < end; ++key) {
      sum += weights[key - first_key];
      max = std::max(max, weights[key - first_key]);
    }
    sums(r)[cell] += sum;
    maxima(r)[cell] = max;
  }
}

void PoolingPass::rescale(int r, float factor) {
  if (!is_pooled(r)) return;
  for (int c = 0; c < 2 * cells_; ++c) sums(r)[c] *= factor;
}

void PoolingPass::finish(int r, double row_sum, int head, AttentionResult& out) {
  if (!is_pooled(r) || !(row_sum > 0)) return;
  const int row = row_ + r - pooling_.rows.begin, cell_row = row / pooling_.rows.cell_size;
  const int rows = std::min(pooling_.rows.cell_size, pooling_.rows.end - pooling_.rows.begin -
                                                         cell_row * pooling_.rows.cell_size);
  float* mean = matrix(out.pooled_mean, head).row(cell_row);
  float* max = matrix(out.pooled_max, head).row(cell_row);
  for (int c = 0; c < cells_; ++c) {
    const int columns =
        std::min(pooling_.columns.cell_size,
                 pooling_.columns.end - pooling_.columns.begin - c * pooling_.columns.cell_size);
    mean[c] += static_cast<float>(static_cast<double>(sums(r)[c]) / row_sum / rows / columns);
    max[c] = std::max(max[c], static_cast<float>(static_cast<double>(maxima(r)[c]) / row_sum));
  }
}

}  // namespace phasor
