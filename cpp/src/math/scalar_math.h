#pragma once
// pow, exp and log1p in double, accurate to one unit in the last place. The C library's versions
// would add a 2 kB table, which does not compress, to the WebAssembly module.

#include <algorithm>
#include <cmath>

namespace phasor {

/// e^(x + tail), where tail is the rounding error of x.
double exponential(double x, double tail = 0);

/// ln(1 + x) for x >= 0.
double logarithm_1p(double x);

/// base^exponent for a positive base. Integer powers of 2 are exact.
double power(double base, double exponent);

// Cosine and sine in double from one range reduction, bitwise equal on every platform. The C
// library's versions need 6 kB to reduce angles up to 2^1000, and half of it is digits of pi, which
// do not compress.

struct SinCos {
  double cosine, sine;
};

/// Returns the cosine and sine of `angle` in radians, accurate to 2e-16 for angles below 2^40. From
/// 2^53 on, neighbouring doubles are more than a radian apart, so the angle is meaningless. From
/// 2^900 on, the result is NaN.
SinCos sincos(double angle);

/// The rounding error of a * b (Dekker 1971). a and b must be below 2^996.
inline double two_product_error(double a, double b) {
  // The upper 26 of the 53 bits of x; 134217729 is 2^27 + 1.
  const auto upper_half = [](double x) { return 134217729 * x - (134217729 * x - x); };
  const double a_high = upper_half(a), b_high = upper_half(b), a_low = a - a_high,
               b_low = b - b_high;
  return a_low * b_low - (((a * b - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

/// softplus(x) = ln(1 + e^x), a smooth max(x, 0); the derivative is the logistic function.
inline double softplus(double x) {
  return std::max(x, 0.0) + logarithm_1p(exponential(-std::fabs(x)));
}
inline double softplus_derivative(double x) {
  const double exp_neg = exponential(-std::fabs(x));
  return (x < 0 ? exp_neg : 1.0) / (1 + exp_neg);
}

}  // namespace phasor
