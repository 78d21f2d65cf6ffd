#include "math/log_scale.h"

#include <algorithm>
#include <cmath>
#include <cstdint>

#include "math/scalar_math.h"

namespace phasor {

namespace {

std::uint64_t power_modulo(std::int64_t base, std::int64_t exponent, std::uint64_t modulus) {
  std::uint64_t result = 1, square = static_cast<std::uint64_t>(base) % modulus;
  for (std::int64_t e = exponent; e > 0; e >>= 1) {
    if (e & 1) result = result * square % modulus;
    square = square * square % modulus;
  }
  return result;
}

// Computes ln(m / low). For m >= low it uses log1p, because the rounding error of m / low would
// dominate near 1.
double log_ratio(std::int64_t m, int low) {
  return m < low ? std::log(static_cast<double>(m) / low)
                 : logarithm_1p(static_cast<double>(m - low) / low);
}

}  // namespace

double LogScale::value(std::int64_t m) const {
  return steps * log_ratio(m, low) / log_ratio(high, low);
}

int LogScale::compare(std::int64_t m, std::int64_t k) const {
  const double x = steps * log_ratio(m, low) - static_cast<double>(k) * log_ratio(high, low);
  // If x(m) is close to k, tests whether they are equal: m^steps low^k = high^k low^steps, modulo
  // two primes below 2^32.
  if (std::fabs(x) < 1e-8 * (1 + std::fabs(static_cast<double>(k))) && k >= 0) {
    bool is_equal = true;
    for (const std::uint64_t prime : {4294967291ull, 4294967279ull}) {
      is_equal =
          is_equal && power_modulo(m, steps, prime) * power_modulo(low, k, prime) % prime ==
                          power_modulo(high, k, prime) * power_modulo(low, steps, prime) % prime;
    }
    if (is_equal) return 0;
  }
  return x < 0 ? -1 : 1;
}

std::int64_t LogScale::floor(std::int64_t m) const {
  std::int64_t k = static_cast<std::int64_t>(std::floor(value(m)));
  while (compare(m, k) < 0) --k;
  while (compare(m, k + 1) >= 0) ++k;
  return k;
}

int LogScale::smallest_integer(int k, bool is_strict) const {
  constexpr double kMaxInteger = 2147483646.0;
  const double edge = low * power(static_cast<double>(high) / low, static_cast<double>(k) / steps);
  if (edge >= kMaxInteger) return static_cast<int>(kMaxInteger);
  const int threshold = is_strict ? 1 : 0;
  int m = std::max(1, static_cast<int>(edge));
  while (m > 1 && compare(m, k) >= threshold) --m;
  while (compare(m, k) < threshold) ++m;
  return m;
}

}  // namespace phasor
