#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "math/scalar_math.h"

namespace phasor::test {
namespace {

constexpr double kUnit = std::numeric_limits<double>::epsilon();

// long double has 11 bits (x86) or 60 bits (WebAssembly) more than double.
TEST(Power, AgreesWithLongDoubleToTheLastPlace) {
  for (const double base :
       {1e-300, 1e-3, 0.7, 0.99999, 1.0, 1.0001, 1.5, 7.3, 10000.0, 500000.0, 1e9, 1e300}) {
    for (double exponent = -1; exponent <= 2; exponent += 0.0123) {
      const long double expected =
          std::pow(static_cast<long double>(base), static_cast<long double>(exponent));
      if (expected < 1e-307L || expected > 1e308L) continue;
      EXPECT_LE(std::fabs(static_cast<double>(
                    (static_cast<long double>(power(base, exponent)) - expected) / expected)),
                kUnit)
          << base << " ^ " << exponent;
    }
  }
}

TEST(Power, IsExactForPowersOfTwo) {
  for (int k = -1022; k <= 1023; ++k) EXPECT_EQ(power(2, k), std::ldexp(1.0, k)) << k;
  EXPECT_EQ(power(4, 0.5), 2);
  EXPECT_EQ(power(10000, 0), 1);
}

TEST(Exponential, AgreesWithLongDoubleToTheLastPlace) {
  for (double x = -708; x < 709.7; x += 0.37) {
    const long double expected = std::exp(static_cast<long double>(x));
    EXPECT_LE(std::fabs(static_cast<double>((static_cast<long double>(exponential(x)) - expected) /
                                            expected)),
              kUnit)
        << x;
  }
  EXPECT_EQ(exponential(0), 1);
}

TEST(Exponential, UnderflowsToZeroAndOverflowsToInfinity) {
  const double infinity = std::numeric_limits<double>::infinity();
  EXPECT_EQ(exponential(-infinity), 0);
  EXPECT_EQ(exponential(-746), 0);
  EXPECT_EQ(exponential(710), infinity);
  EXPECT_EQ(exponential(infinity), infinity);
  EXPECT_TRUE(std::isnan(exponential(std::numeric_limits<double>::quiet_NaN())));
  EXPECT_NEAR(exponential(-740) / std::exp(-740.0), 1, 1e-3);  // a subnormal number
}

TEST(Logarithm1p, AgreesWithLongDouble) {
  for (double x = 1e-300; x < 1e300; x *= 1.7) {
    const long double expected = std::log1p(static_cast<long double>(x));
    EXPECT_LE(std::fabs(static_cast<double>((static_cast<long double>(logarithm_1p(x)) - expected) /
                                            expected)),
              2 * kUnit)
        << x;
  }
  EXPECT_EQ(logarithm_1p(0), 0);
  EXPECT_EQ(logarithm_1p(HUGE_VAL), HUGE_VAL);
}

}  // namespace
}  // namespace phasor::test
