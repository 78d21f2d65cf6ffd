// Cosine and sine against long double, which has 11 more bits on x86 and 60 in WebAssembly.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>
#include <numbers>

#include "math/scalar_math.h"

namespace phasor::test {
namespace {

void expect_point(double angle, double tolerance) {
  const SinCos point = sincos(angle);
  const long double exact = angle;
  EXPECT_NEAR(point.cosine, static_cast<double>(std::cos(exact)), tolerance) << angle;
  EXPECT_NEAR(point.sine, static_cast<double>(std::sin(exact)), tolerance) << angle;
}

TEST(ScalarSincos, AgreesWithLongDouble) {
  for (double angle = -40; angle < 40; angle += 0.00713) expect_point(angle, 2e-16);
  for (double angle = 1e-9; angle < 0x1p40; angle *= 1.0373) {
    expect_point(angle, 2e-16);
    expect_point(-angle, 2e-16);
  }
  // Near multiples of a quarter turn, the reduced angle loses most digits to cancellation.
  for (double quarters = 1; quarters < 0x1p40; quarters *= 3) {
    const double angle = quarters * (std::numbers::pi / 2);
    expect_point(angle, 2e-16);
    expect_point(std::nextafter(angle, 0.0), 2e-16);
  }
}

TEST(ScalarSincos, HasALowRelativeErrorForSmallAngles) {
  for (double angle = 1e-300; angle < 0.1; angle *= 7.3) {
    EXPECT_NEAR(sincos(angle).sine / std::sin(angle), 1, 3e-16) << angle;
  }
  EXPECT_EQ(sincos(0).sine, 0);
  EXPECT_EQ(sincos(0).cosine, 1);
}

TEST(ScalarSincos, IsAccurateForManyTurns) {
  // 355 / 113 is close to pi, so the first of these angles are close to full turns.
  for (double rotations = 1; rotations < 0x1p31; rotations *= 2)
    expect_point(2 * 355.0 / 113 * rotations, 2e-16);
}

TEST(ScalarSincos, StaysOnTheUnitCircleForHugeAngles) {
  for (double angle = 0x1p50; angle < 0x1p900; angle *= 1234.5) {
    const SinCos point = sincos(angle);
    EXPECT_NEAR(point.cosine * point.cosine + point.sine * point.sine, 1, 1e-15) << angle;
  }
  EXPECT_TRUE(std::isnan(sincos(std::numeric_limits<double>::quiet_NaN()).sine));
  EXPECT_TRUE(std::isnan(sincos(std::numeric_limits<double>::infinity()).cosine));
  EXPECT_TRUE(std::isnan(sincos(-0x1p900).sine));
}

}  // namespace
}  // namespace phasor::test
