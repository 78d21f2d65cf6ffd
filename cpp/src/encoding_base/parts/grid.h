#pragma once

#include <cmath>

#include "phasor/positions.h"

namespace phasor {

struct GridPoint {
  double row = 0;
  double column = 0;
};

/// The row and column of a token. If the position has a single coordinate, it is the row-major
/// index of a patch in a grid with `columns` columns.
inline GridPoint to_grid_point(Positions positions, int token, int columns) {
  if (positions.axes() > 1) return {positions.at(token, 0), positions.at(token, 1)};
  const double row = std::floor(positions[token] / columns);
  return {row, positions[token] - row * columns};
}

}  // namespace phasor
