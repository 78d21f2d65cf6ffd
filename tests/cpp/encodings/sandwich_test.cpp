#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"

namespace phasor::test {
namespace {

EncodingConfig sandwich(const std::string& index, double db) { return {.id = "sandwich", .params = {{"index", index}, {"db", db}}}; }

// The inner product of two rows of the sinusoidal table, less that of a row with itself.
TEST(Sandwich, IsTheInnerProductOfSinusoids) {
  const int heads = 3, n = 7, width = 16;
  Tensor got, table_of_positions;
  ASSERT_TRUE(bias(sandwich("from_zero", width), heads, n, n, 0, got).ok());
  ASSERT_TRUE(table({.id = "sinusoidal", .params = {}}, positions_from(0, n), width, table_of_positions).ok());
  for (int h = 0; h < heads; ++h) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double product = -width / 2.0;
        for (int c = 0; c < width; ++c) {
          product += static_cast<double>(matrix(table_of_positions).row(i)[c]) * static_cast<double>(matrix(table_of_positions).row(j)[c]);
        }
        EXPECT_NEAR(static_cast<double>(matrix(got, h).row(i)[j]), product * heads / (8.0 * (h + 1)), 2e-6);
      }
    }
  }
}

// NeMo leaves out the fastest wave and has one more slow one.
TEST(Sandwich, FromOneHasTheNextFrequencies) {
  Tensor zero, one;
  ASSERT_TRUE(bias(sandwich("from_zero", 4), 1, 1, 1, 3, zero).ok());
  ASSERT_TRUE(bias(sandwich("from_one", 4), 1, 1, 1, 3, one).ok());
  EXPECT_NEAR(static_cast<double>(zero.data[0]), (std::cos(3.0) + std::cos(3.0 / 100) - 2) / 8, 1e-7);
  EXPECT_NEAR(static_cast<double>(one.data[0]), (std::cos(3.0 / 100) + std::cos(3.0 / 10000) - 2) / 8, 1e-7);
}

TEST(Sandwich, AnOddWidthIsRefused) {
  Tensor out;
  EXPECT_EQ(bias(sandwich("from_zero", 7), 1, 1, 1, 0, out).message, "db: 7 is odd; each wave takes two channels");
}

}  // namespace
}  // namespace phasor::test
