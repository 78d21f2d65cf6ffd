#pragma once
// What rounding loses.

namespace phasor {

/// What a * b lacks of the exact product (Dekker 1971); a and b below 2^996.
inline double two_product_error(double a, double b) {
  // 26 bits of 53; 2^27 + 1
  const auto upper = [](double x) { return 134217729 * x - (134217729 * x - x); };
  const double a_high = upper(a), b_high = upper(b), a_low = a - a_high, b_low = b - b_high;
  return a_low * b_low - (((a * b - a_high * b_high) - a_low * b_high) - a_high * b_low);
}

}  // namespace phasor
