#include "safetensors/half.h"

#include <gtest/gtest.h>

#include <cmath>

namespace phasor {
namespace {

TEST(Half, RoundTripsEveryValueExceptNaN) {
  for (unsigned bits = 0; bits < 65536; ++bits) {
    const auto half = static_cast<std::uint16_t>(bits);
    const float x = from_half(half);
    if (std::isnan(x)) continue;
    ASSERT_EQ(to_half(x), half) << bits;
  }
}

TEST(Half, ConvertsKnownValues) {
  EXPECT_EQ(from_half(0x3c00), 1.0f);
  EXPECT_EQ(from_half(0xc000), -2.0f);
  EXPECT_EQ(from_half(0x7bff), 65504.0f);
  EXPECT_EQ(from_half(0x0001), 0x1p-24f);
  EXPECT_EQ(from_half(0x0400), 0x1p-14f);
  EXPECT_TRUE(std::isinf(from_half(0x7c00)));
  EXPECT_TRUE(std::isnan(from_half(to_half(std::nanf("")))));
}

TEST(Half, RoundsToNearestEven) {
  for (unsigned bits = 0; bits < 0x7bff; bits += 7) {
    const auto low = static_cast<std::uint16_t>(bits), high = static_cast<std::uint16_t>(bits + 1);
    const float a = from_half(low), b = from_half(high), middle = a + (b - a) / 2;
    EXPECT_EQ(to_half(middle), bits % 2 == 0 ? low : high);
    EXPECT_EQ(to_half(std::nextafter(middle, a)), low);
    EXPECT_EQ(to_half(std::nextafter(middle, b)), high);
    EXPECT_EQ(to_half(-middle), (bits % 2 == 0 ? low : high) | 0x8000);
  }
  EXPECT_EQ(to_half(65519.9f), 0x7bff);
  EXPECT_EQ(to_half(65520.0f), 0x7c00);
}

}  // namespace
}  // namespace phasor
