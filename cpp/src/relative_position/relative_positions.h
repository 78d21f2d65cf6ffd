#pragma once
// Functions of the difference of two positions are computed once per difference, not once per pair:
// a tile of 16 queries and n keys, all consecutive, has 16 n pairs but only n + 15 differences.

#include <vector>

#include "phasor/positions.h"
#include "phasor/tensor.h"

namespace phasor {

/// Whether the positions of queries and keys are consecutive.
bool both_consecutive(const Positions& queries, const Positions& keys);

/// The differences j - i between the key and the query of every pair of a tile.
class RelativePositions {
 public:
  RelativePositions(const Positions& queries, const Positions& keys);

  /// Number of values: one per difference for consecutive positions, otherwise one per pair.
  int count() const { return count_; }
  /// The n-th difference.
  double value(int n) const;
  /// The index of the difference of row r and column c. The columns of a row have consecutive
  /// indices.
  int index(int r, int c) const { return r * step_ + start_ + c; }

  /// Whether the positions of queries and keys are consecutive.
  bool consecutive() const { return consecutive_; }

  /// tile (some queries, some keys) += values[index(first_row + r, first_column + c)]
  void add(const std::vector<float>& values, const MatrixRef& tile, int first_row = 0,
           int first_column = 0) const;
  /// For each difference, the sum of tile (queries, keys) over the pairs with that difference.
  std::vector<double> sum(const ConstMatrixRef& tile) const;

 private:
  Positions queries_, keys_;
  int count_ = 0, step_ = 0, start_ = 0;
  bool consecutive_ = false;
};

/// tile (rows, columns) += values (columns)
void add_to_rows(const std::vector<float>& values, const MatrixRef& tile);

/// Adds f(j - i) to every element of a tile.
template <class F>
void add_by_distance(const Positions& queries, const Positions& keys, const MatrixRef& tile,
                     F&& f) {
  const RelativePositions distances(queries, keys);
  std::vector<float> values(static_cast<std::size_t>(distances.count()));
  for (int n = 0; n < distances.count(); ++n)
    values[static_cast<std::size_t>(n)] = static_cast<float>(f(distances.value(n)));
  distances.add(values, tile);
}

/// Calls f(j - i, sum of d_tile over the pairs of that difference): the backward pass of
/// add_by_distance.
template <class F>
void each_distance(const Positions& queries, const Positions& keys, const ConstMatrixRef& d_tile,
                   F&& f) {
  const RelativePositions distances(queries, keys);
  const std::vector<double> sums = distances.sum(d_tile);
  for (int n = 0; n < distances.count(); ++n)
    f(distances.value(n), sums[static_cast<std::size_t>(n)]);
}

}  // namespace phasor
