#pragma once
// Logarithmic buckets.

#include <cmath>

namespace phasor::test {

/// steps ln(m / low) / ln(high / low), rounded to an integer if it is within rounding of one:
/// bucket edges are at integer distances (16, 32, 64 ... in T5), where a floor or ceiling must not
/// depend on the last digit.
inline double log_steps(double m, double low, double high, double steps) {
  const double x = steps * std::log(m / low) / std::log(high / low), integer = std::round(x);
  return std::fabs(x - integer) < 1e-10 ? integer : x;
}

}  // namespace phasor::test
