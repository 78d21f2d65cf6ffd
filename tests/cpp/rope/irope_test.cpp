// Models in which only some layers rotate queries and keys.

#include <gtest/gtest.h>

#include <cmath>

#include "phasor/rope.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(Irope, SkipsRopeInEveryFourthLayer) {
  EXPECT_TRUE(uses_rope(0) && uses_rope(2) && uses_rope(4));
  EXPECT_FALSE(uses_rope(3) || uses_rope(7));
  EXPECT_TRUE(uses_rope(3, 0));
  EXPECT_FALSE(uses_rope(0, 1));
}

TEST(Irope, QueryTemperatureGrowsLogarithmically) {
  EXPECT_EQ(value_of(query_temperature(0)), 1.0);
  EXPECT_EQ(value_of(query_temperature(8190)), 1.0);
  EXPECT_NEAR(value_of(query_temperature(8191)), 1.0693147180559945, 1e-15);  // 1 + ln(2) / 10
  EXPECT_NEAR(value_of(query_temperature(99, 10, 1)), 1 + std::log(11.0), 1e-15);
}

TEST(Irope, QueryTemperatureRejectsInvalidArguments) {
  const auto refusal = [](double position, double floor_scale, double attn_scale) {
    return query_temperature(position, floor_scale, attn_scale).status().message();
  };
  EXPECT_EQ(refusal(NAN, 10, 1), "position: NaN is outside 0 to 2147483647");
  EXPECT_EQ(refusal(-2, 10, 1), "position: -2 is outside 0 to 2147483647");
  EXPECT_EQ(refusal(1, 0, 1), "floor_scale: 0 is not a positive number");
  EXPECT_EQ(refusal(1, NAN, 1), "floor_scale: NaN is not a positive number");
  EXPECT_EQ(refusal(1, 10, INFINITY), "attn_scale: Infinity is not a finite number");
}

}  // namespace
}  // namespace phasor::test
