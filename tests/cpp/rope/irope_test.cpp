// Models whose layers do not all turn queries and keys.

#include "phasor/irope.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phasor::test {
namespace {

TEST(Irope, EveryFourthLayerHasNoPosition) {
  EXPECT_TRUE(uses_rope(0) && uses_rope(2) && uses_rope(4));
  EXPECT_FALSE(uses_rope(3) || uses_rope(7));
  EXPECT_TRUE(uses_rope(3, 0));
  EXPECT_FALSE(uses_rope(0, 1));
}

TEST(Irope, QueriesWithoutPositionGrowSlowly) {
  EXPECT_EQ(query_temperature(0), 1.0);
  EXPECT_EQ(query_temperature(8190), 1.0);
  EXPECT_NEAR(query_temperature(8191), 1.0693147180559945, 1e-15);  // 1 + ln(2) / 10
  EXPECT_NEAR(query_temperature(99, 10, 1), 1 + std::log(11.0), 1e-15);
}

}  // namespace
}  // namespace phasor::test
