#pragma once
// The soft cap of one score, in double.

#include <cmath>

#include "math/power.h"

namespace phasor {

/// cap * tanh(score / cap); `score` may be infinite.
inline double softcapped(double score, double cap) {
  const double x = score / cap, size = std::fabs(x);
  // The two exponentials cancel near 0, where tanh is x - x^3 / 3.
  if (size < 1e-4) return score * (1 - x * x / 3);
  const double e = exponential(-2 * std::fmin(size, 40.0)), tanh = (1 - e) / (1 + e);
  return x < 0 ? -cap * tanh : cap * tanh;
}

}  // namespace phasor
