#pragma once
// Computes functions of relative position once per difference instead of once per pair. With
// consecutive positions, 16 queries and n keys have 16 n pairs, but only n + 15 differences.

#include <vector>

#include "phasor/positions.h"
#include "phasor/tensor.h"

namespace phasor {

bool have_consecutive_positions(const Positions& queries, const Positions& keys);

/// The relative positions j - i for the queries i and keys j of a tile.
class RelativePositions {
 public:
  RelativePositions(const Positions& queries, const Positions& keys);

  /// The number of values to compute: one per difference if positions are consecutive, and
  /// otherwise one per query-key pair.
  int count() const { return count_; }
  double get_difference(int n) const;
  /// The index of the value for row r and column c. Indices are consecutive within a row.
  int index(int r, int c) const { return r * row_stride_ + first_index_ + c; }

  bool has_consecutive_positions() const { return is_consecutive_; }

  /// Adds values[index(first_row + r, first_column + c)] to tile(r, c).
  void add(const std::vector<float>& values, const MatrixRef& tile, int first_row = 0,
           int first_column = 0) const;
  /// Returns, for each index, the sum of `tile` (queries, keys) over the pairs that have this
  /// index.
  std::vector<double> sum(const ConstMatrixRef& tile) const;

 private:
  Positions queries_, keys_;
  int count_ = 0, row_stride_ = 0, first_index_ = 0;
  bool is_consecutive_ = false;
};

/// Adds values (columns) to each row of tile (rows, columns).
void add_to_rows(const std::vector<float>& values, const MatrixRef& tile);

/// Adds f(j - i) to the element of `tile` for query i and key j.
template <class F>
void add_by_distance(const Positions& queries, const Positions& keys, const MatrixRef& tile,
                     F&& f) {
  const RelativePositions distances(queries, keys);
  std::vector<float> values(static_cast<std::size_t>(distances.count()));
  for (int n = 0; n < distances.count(); ++n)
    values[static_cast<std::size_t>(n)] = static_cast<float>(f(distances.get_difference(n)));
  distances.add(values, tile);
}

/// The backward pass of add_by_distance(). For each difference j - i, calls f with the difference
/// and the sum of d_tile over its pairs.
template <class F>
void for_each_distance(const Positions& queries, const Positions& keys,
                       const ConstMatrixRef& d_tile, F&& f) {
  const RelativePositions distances(queries, keys);
  const std::vector<double> sums = distances.sum(d_tile);
  for (int n = 0; n < distances.count(); ++n)
    f(distances.get_difference(n), sums[static_cast<std::size_t>(n)]);
}

}  // namespace phasor
