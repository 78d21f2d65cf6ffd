#pragma once
// Pairs of channels rotated in their plane: (x, y) -> gain (x cos a - y sin a, x sin a + y cos a).

#include "oracle.h"

namespace phasor::test {

/// Which channels form pair t of `pairs`: neighbours, or one of each half of the rotated channels.
inline std::pair<std::size_t, std::size_t> pair_of(bool half_split, std::size_t t,
                                                   std::size_t pairs) {
  return half_split ? std::pair{t, t + pairs} : std::pair{2 * t, 2 * t + 1};
}

/// x with its pairs rotated by `angles`, one each; other channels are unchanged.
inline Vector rotate_pairs(Vector x, bool half_split, const Vector& angles, const Vector& gains) {
  for (std::size_t t = 0; t < angles.size(); ++t) {
    const auto [first, second] = pair_of(half_split, t, angles.size());
    const double a = x[first], b = x[second];
    x[first] = gains[t] * (a * std::cos(angles[t]) - b * std::sin(angles[t]));
    x[second] = gains[t] * (a * std::sin(angles[t]) + b * std::cos(angles[t]));
  }
  return x;
}

}  // namespace phasor::test
