#pragma once
// softplus(x) = ln(1 + e^x), a smooth max(x, 0), and its slope, the logistic function.

#include <algorithm>
#include <cmath>

#include "math/power.h"

namespace phasor {

inline double softplus(double x) {
  return std::max(x, 0.0) + logarithm_1p(exponential(-std::fabs(x)));
}
inline double softplus_slope(double x) {
  const double small = exponential(-std::fabs(x));
  return (x < 0 ? small : 1.0) / (1 + small);
}

}  // namespace phasor
