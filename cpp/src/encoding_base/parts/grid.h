#pragma once
// Coordinates of a token in an image.

#include <cmath>

#include "phasor/positions.h"

namespace phasor {

struct GridPoint {
  double row = 0;
  double column = 0;
};

/// The coordinates of a token. A single coordinate is the row-major index of a patch in a grid of
/// `columns` columns.
inline GridPoint to_grid_point(Positions positions, int token, int columns) {
  if (positions.axes() > 1) return {positions.at(token, 0), positions.at(token, 1)};
  const double row = std::floor(positions[token] / columns);
  return {row, positions[token] - row * columns};
}

}  // namespace phasor
