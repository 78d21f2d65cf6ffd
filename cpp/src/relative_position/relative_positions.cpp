#include "relative_position/relative_positions.h"

#include "kernels/vector_ops.h"

namespace phasor {

namespace {

bool is_consecutive(const Positions& positions) {
  for (int t = 1; t < positions.count(); ++t) {
    if (positions[t] != positions[0] + t) return false;
  }
  return true;
}

}  // namespace

bool have_consecutive_positions(const Positions& queries, const Positions& keys) {
  return is_consecutive(queries) && is_consecutive(keys);
}

RelativePositions::RelativePositions(const Positions& queries, const Positions& keys)
    : queries_(queries), keys_(keys), is_consecutive_(have_consecutive_positions(queries, keys)) {
  const int rows = queries.count(), columns = keys.count();
  count_ = is_consecutive_ ? rows + columns - 1 : rows * columns;
  row_stride_ = is_consecutive_ ? -1 : columns;
  first_index_ = is_consecutive_ ? rows - 1 : 0;
}

double RelativePositions::get_difference(int n) const {
  if (is_consecutive_) return keys_[0] - queries_[queries_.count() - 1] + n;
  return keys_[n % keys_.count()] - queries_[n / keys_.count()];
}

void RelativePositions::add(const std::vector<float>& values, const MatrixRef& tile, int first_row,
                            int first_column) const {
  for (int r = 0; r < tile.rows; ++r)
    kernels::add_row(tile.row(r), values.data() + index(first_row + r, first_column), tile.columns);
}

std::vector<double> RelativePositions::sum(const ConstMatrixRef& tile) const {
  std::vector<double> sums(static_cast<std::size_t>(count_));
  for (int r = 0; r < tile.rows; ++r) {
    double* to = sums.data() + index(r, 0);
    const float* row = tile.row(r);
    for (int c = 0; c < tile.columns; ++c) to[c] += static_cast<double>(row[c]);
  }
  return sums;
}

void add_to_rows(const std::vector<float>& values, const MatrixRef& tile) {
  for (int r = 0; r < tile.rows; ++r) kernels::add_row(tile.row(r), values.data(), tile.columns);
}

}  // namespace phasor
