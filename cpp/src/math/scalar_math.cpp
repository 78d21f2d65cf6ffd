#include "math/scalar_math.h"

#include <cmath>
#include <cstdint>
#include <cstring>
#include <limits>
#include <numbers>

namespace phasor {

namespace {

// ln 2 = kLn2Hi + kLn2Lo; the product of kLn2Hi and an integer below 2^20 is exact.
constexpr double kLn2Hi = 0x1.62e42feep-1, kLn2Lo = 0x1.a39ef35793c76p-33;

// 2^exponent from its bits, for exponents from -1022 to 1023.
double power_of_two_from_bits(int exponent) {
  const std::uint64_t bits = static_cast<std::uint64_t>(exponent + 1023) << 52;
  double out;
  std::memcpy(&out, &bits, sizeof out);
  return out;
}

}  // namespace

// e^x = 2^k e^r with x = k ln 2 + r and |r| < 0.35. A polynomial in r^2 approximates r (e^r + 1) /
// (e^r - 1) (Remez, coefficients of FreeBSD's e_exp.c).
double exponential(double x, double tail) {
  if (!(x < 709.78)) return x * std::numeric_limits<double>::infinity();  // NaN stays
  if (x < -745.2) return 0;
  const double k = std::nearbyint(x * std::numbers::log2e);
  const double high = x - k * kLn2Hi, low = k * kLn2Lo - tail, r = high - low, s = r * r;
  const double c =
      r - s * (1.66666666666666019037e-01 +
               s * (-2.77777777770155933842e-03 +
                    s * (6.61375632143793436117e-05 +
                         s * (-1.65339022054652515390e-06 + s * 4.13813679705723846039e-08))));
  // Multiplies by 2^k in two steps, because 2^-1074 and 2^1024 are not normal numbers.
  const int binary_exponent = static_cast<int>(k), half_exponent = binary_exponent / 2;
  return (1 - ((low - r * c / (2 - c)) - high)) * power_of_two_from_bits(half_exponent) *
         power_of_two_from_bits(binary_exponent - half_exponent);
}

// Kahan's method: subtracts error / sum from ln(sum), where error is the rounding error of sum = 1
// + x.
double logarithm_1p(double x) {
  const double sum = 1 + x;
  return std::isinf(sum) ? sum : std::log(sum) - ((sum - 1) - x) / sum;
}

// Computes e^(exponent ln base). ln base is the sum of two doubles, because its rounding error is
// multiplied by the exponent.
double power(double base, double exponent) {
  int binary_exponent = 0;
  double significand = std::frexp(base, &binary_exponent);
  if (significand < 0.5 * std::numbers::sqrt2) {
    significand *= 2;
    --binary_exponent;
  }
  const double exponent_log = binary_exponent * kLn2Hi, significand_log = std::log(significand),
               logarithm = exponent_log + significand_log;
  const double tail = exponent_log - logarithm + significand_log + binary_exponent * kLn2Lo,
               x = exponent * logarithm;
  return exponential(x, exponent * tail + two_product_error(exponent, logarithm));
}

namespace {

// pi / 2 = kHalfPi + kHalfPiTail.
constexpr double kHalfPi = 0x1.921fb54442d18p+0, kHalfPiTail = 0x1.1a62633145c07p-54;

// Cosine and sine of x + tail in [-pi/4, pi/4], as polynomials (Remez, coefficients of FreeBSD's
// k_cos.c and k_sin.c).
double reduced_cosine(double x, double tail) {
  const double z = x * x;
  const double series =
      z * (4.16666666666666019037e-02 +
           z * (-1.38888888888741095749e-03 +
                z * (2.48015872894767294178e-05 +
                     z * (-2.75573143513906633035e-07 +
                          z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const double half_z = 0.5 * z, leading_terms = 1 - half_z;
  return leading_terms + (((1 - leading_terms) - half_z) + (z * series - x * tail));
}

double reduced_sine(double x, double tail) {
  const double z = x * x, cube = z * x;
  const double series =
      8.33333333332248946124e-03 +
      z * (-1.98412698298579493134e-04 +
           z * (2.75573137070700676789e-06 +
                z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  return x - ((z * (0.5 * tail - cube * series) - tail) + cube * 1.66666666666666324348e-01);
}

}  // namespace

SinCos sincos(double angle) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (!(std::fabs(angle) < 0x1p900)) return {kNaN, kNaN};  // two_product_error would overflow
  // Subtracts quarter turns until |x| <= 1. For angles below 2^52 one iteration suffices, because
  // the number of quarter turns is exact.
  double x = angle, tail = 0, quadrant = 0;
  do {
    const double quarter_turns = std::nearbyint(x / kHalfPi);
    const double high = x - quarter_turns * kHalfPi,
                 low = two_product_error(quarter_turns, kHalfPi) + quarter_turns * kHalfPiTail;
    x = high - low;
    tail = (high - x) - low;
    quadrant += quarter_turns - 4 * std::floor(quarter_turns / 4);
  } while (std::fabs(x) > 1);
  const double cosine = reduced_cosine(x, tail), sine = reduced_sine(x, tail);
  switch (static_cast<int>(quadrant) % 4) {
    case 0: return {cosine, sine};
    case 1: return {-sine, cosine};
    case 2: return {-cosine, -sine};
    default: return {sine, -cosine};
  }
}

}  // namespace phasor
