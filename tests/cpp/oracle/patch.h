#pragma once
// The position of a token in an image.

#include <cmath>
#include <span>

namespace phasor::test {

struct Patch {
  double row, column;
};

/// Two coordinates are row and column; a single one counts patches row by row.
inline Patch patch_of(std::span<const double> position, double columns) {
  if (position.size() == 2) return {position[0], position[1]};
  const double row = std::floor(position[0] / columns);
  return {row, position[0] - row * columns};
}

}  // namespace phasor::test
