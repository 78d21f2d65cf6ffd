#pragma once
// The geometric frequencies that sinusoids and rotations share.

#include <vector>

#include "math/power.h"

namespace phasor {

/// w_t = base^(-2t / width), t = 0 .. count-1, in radians per token (Vaswani et al. 2017,
/// section 3.5).
inline std::vector<double> inverse_frequencies(int count, double width, double base) {
  std::vector<double> frequencies(static_cast<std::size_t>(count));
  for (int t = 0; t < count; ++t)
    frequencies[static_cast<std::size_t>(t)] = power(base, -2.0 * t / width);
  return frequencies;
}

}  // namespace phasor
