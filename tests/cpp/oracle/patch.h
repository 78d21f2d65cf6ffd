#pragma once
// Where a token is in a picture.

#include <cmath>
#include <span>

namespace phasor::test {

struct Patch {
  double row, column;
};

/// Two coordinates are row and column; one counts patches row by row.
inline Patch patch_of(std::span<const double> place, double columns) {
  if (place.size() == 2) return {place[0], place[1]};
  const double row = std::floor(place[0] / columns);
  return {row, place[0] - row * columns};
}

}  // namespace phasor::test
