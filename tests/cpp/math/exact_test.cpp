// Code that depends on the rounding of each single product. Fused multiply-add would skip that
// rounding, and compensated sums would be wrong.

#include <gtest/gtest.h>

#include <cmath>
#include <cstdint>

#include "math/scalar_math.h"
#include "phasor/random.h"

// Defined in fused.cpp.
namespace phasor_fused {
struct SinCos {
  double cosine, sine;
};
double rest_of_product(double a, double b);
double exponential(double x, double rest);
double power(double base, double exponent);
SinCos sincos(double angle);
}  // namespace phasor_fused

namespace phasor::test {
namespace {

constexpr int kTrials = 20000;

// Has either sign and a scale from 2^-20 to 2^39.
double any(SplitMix64& random) {
  return std::ldexp(random.uniform() - 0.5, static_cast<int>(random.next() % 60) - 20);
}

TEST(TwoProductError, EqualsTheRoundingError) {
  SplitMix64 random(81);
  for (int n = 0; n < kTrials; ++n) {
    const double a = any(random), b = any(random);
    EXPECT_EQ(two_product_error(a, b), std::fma(a, b, -(a * b))) << a << " * " << b;
  }
}

#ifdef PHASOR_FUSES
TEST(Rounding, DoesNotDependOnFusedMultiplyAdd) {
  SplitMix64 random(82);
  int different = 0;
  for (int n = 0; n < kTrials; ++n) {
    const double a = any(random), b = any(random), x = 700 * (2 * random.uniform() - 1),
                 base = std::fabs(a) + 1e-9, exponent = random.uniform();
    const SinCos inlined = sincos(a);
    const phasor_fused::SinCos compiled = phasor_fused::sincos(a);
    const bool is_equal = two_product_error(a, b) == phasor_fused::rest_of_product(a, b) &&
                          inlined.cosine == compiled.cosine && inlined.sine == compiled.sine &&
                          exponential(x) == phasor_fused::exponential(x, 0) &&
                          power(base, exponent) == phasor_fused::power(base, exponent);
    different += is_equal ? 0 : 1;
  }
  EXPECT_EQ(different, 0) << "of " << kTrials;
}
#endif

}  // namespace
}  // namespace phasor::test
