#include "attention/streaming/pooled_weights.h"

#include <algorithm>

namespace phasor {

namespace {

int cells(const MapAxis& axis) { return (axis.last - axis.first + axis.cell - 1) / axis.cell; }

}  // namespace

PoolingPass::PoolingPass(const AttentionParams& job, int tile_rows)
    : map_(job.map),
      cells_(job.want.map ? cells(map_.columns) : 0),
      data_(2 * static_cast<std::size_t>(tile_rows) * static_cast<std::size_t>(cells_)) {}

std::vector<int> PoolingPass::shape(const AttentionParams& job, int heads) {
  if (!job.want.map) return {};
  return {heads, cells(job.map.rows), cells(job.map.columns)};
}

void PoolingPass::start(int row, int rows) {
  row_ = row;
  std::fill_n(data_.data(), 2 * static_cast<std::size_t>(rows) * static_cast<std::size_t>(cells_),
              0.0f);
}

void PoolingPass::add(int r, const float* weights, int first_key, int count) {
  if (!shown(r)) return;
  const int first = std::max(map_.columns.first, first_key),
            last = std::min(map_.columns.last, first_key + count);
  for (int key = first; key < last;) {
    const int cell = (key - map_.columns.first) / map_.columns.cell;
    const int end = std::min(last, map_.columns.first + (cell + 1) * map_.columns.cell);
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
  if (!shown(r)) return;
  for (int c = 0; c < 2 * cells_; ++c) sums(r)[c] *= factor;
}

void PoolingPass::finish(int r, double row_sum, int head, AttentionResult& out) {
  if (!shown(r) || !(row_sum > 0)) return;
  const int row = row_ + r - map_.rows.first, cell_row = row / map_.rows.cell;
  const int rows =
      std::min(map_.rows.cell, map_.rows.last - map_.rows.first - cell_row * map_.rows.cell);
  float* mean = matrix(out.map_mean, head).row(cell_row);
  float* max = matrix(out.map_max, head).row(cell_row);
  for (int c = 0; c < cells_; ++c) {
    const int columns =
        std::min(map_.columns.cell, map_.columns.last - map_.columns.first - c * map_.columns.cell);
    mean[c] += static_cast<float>(static_cast<double>(sums(r)[c]) / row_sum / rows / columns);
    max[c] = std::max(max[c], static_cast<float>(static_cast<double>(maxima(r)[c]) / row_sum));
  }
}

}  // namespace phasor
