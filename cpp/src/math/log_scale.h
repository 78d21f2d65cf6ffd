#pragma once
// Integers on a logarithmic scale, with exact comparisons. Bucket edges are often integers (16, 32,
// 64, 128 for T5), so a rounded logarithm could put a distance into the wrong bucket.

#include <cstdint>

namespace phasor {

/// A logarithmic scale x(m) = steps ln(m / low) / ln(high / low), with 0 < low < high. It maps
/// `low` to 0 and `high` to `steps`.
struct LogScale {
  int low = 1, high = 2, steps = 1;

  /// x(m) with floating-point rounding errors.
  double value(std::int64_t m) const;
  /// The sign of x(m) - k: -1, 0 or 1.
  int compare(std::int64_t m, std::int64_t k) const;
  /// The largest integer k <= x(m); x(m) must be below 2^53.
  std::int64_t floor(std::int64_t m) const;
  std::int64_t ceil(std::int64_t m) const {
    return compare(m, floor(m)) == 0 ? floor(m) : floor(m) + 1;
  }
  /// The smallest integer m >= 1 with x(m) >= k (or x(m) > k if `is_strict`), limited to 2^31 - 1.
  int smallest_integer(int k, bool is_strict) const;
};

}  // namespace phasor
