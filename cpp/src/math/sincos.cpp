#include "math/sincos.h"

#include <cmath>
#include <limits>
#include <numbers>

#include "math/exact.h"

namespace phasor {

namespace {

// A quarter of a turn, as far as a double goes and what it lacks.
constexpr double kQuarter = 0x1.921fb54442d18p+0, kQuarterRest = 0x1.1a62633145c07p-54;

// Polynomials on [-pi/4, pi/4] (Remez; FreeBSD's k_cos.c and k_sin.c, whose coefficients these
// are); the angle is x + rest.
double near_cosine(double x, double rest) {
  const double z = x * x;
  const double series =
      z * (4.16666666666666019037e-02 +
           z * (-1.38888888888741095749e-03 +
                z * (2.48015872894767294178e-05 +
                     z * (-2.75573143513906633035e-07 +
                          z * (2.08757232129817482790e-09 + z * -1.13596475577881948265e-11)))));
  const double half = 0.5 * z, one = 1 - half;
  return one + (((1 - one) - half) + (z * series - x * rest));
}

double near_sine(double x, double rest) {
  const double z = x * x, cube = z * x;
  const double series =
      8.33333333332248946124e-03 +
      z * (-1.98412698298579493134e-04 +
           z * (2.75573137070700676789e-06 +
                z * (-2.50507602534068634195e-08 + z * 1.58969099521155010221e-10)));
  return x - ((z * (0.5 * rest - cube * series) - rest) + cube * 1.66666666666666324348e-01);
}

}  // namespace

SinCos sincos(double angle) {
  constexpr double kNaN = std::numeric_limits<double>::quiet_NaN();
  if (!(std::fabs(angle) < 0x1p900)) return {kNaN, kNaN};  // two_product_error would overflow
  // Quarters are taken off until less than one is left: at once below 2^52, where their number is
  // exact.
  double x = angle, rest = 0, quadrant = 0;
  do {
    const double quarters = std::nearbyint(x / kQuarter);
    const double high = x - quarters * kQuarter,
                 low = two_product_error(quarters, kQuarter) + quarters * kQuarterRest;
    x = high - low;
    rest = (high - x) - low;
    quadrant += quarters - 4 * std::floor(quarters / 4);
  } while (std::fabs(x) > 1);
  const double cosine = near_cosine(x, rest), sine = near_sine(x, rest);
  switch (static_cast<int>(quadrant) % 4) {
    case 0: return {cosine, sine};
    case 1: return {-sine, cosine};
    case 2: return {-cosine, -sine};
    default: return {sine, -cosine};
  }
}

}  // namespace phasor
