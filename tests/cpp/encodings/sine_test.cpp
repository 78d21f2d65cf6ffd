#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

Tensor create_sine_table(const std::vector<double>& positions, int dim, double start = 0) {
  return value_of(position_table({.id = "sine", .params = {{"start", start}}}, positions, dim));
}

// sin p by its power series, which converges for every p.
long double sine_series(long double p) {
  long double term = p, sum = p;
  for (int i = 1; i < 80; ++i)
    sum += term *= -p * p / static_cast<long double>(2 * i * (2 * i + 1));
  return sum;
}

TEST(Sine, EveryChannelIsTheSineOfThePosition) {
  const Tensor t = create_sine_table(positions_from(-3, 12), 3, 1);
  for (int p = 0; p < 12; ++p) {
    for (int c = 0; c < 3; ++c) {
      EXPECT_NEAR(static_cast<double>(matrix(t).row(p)[c]),
                  static_cast<double>(sine_series(static_cast<long double>(p - 2))), 1e-7);
    }
  }
}

// 710 tokens are 113 periods to within 0.00006, so position 710 cannot be distinguished from 0.
TEST(Sine, NearlyRepeatsAfter710Tokens) {
  const std::vector<float> x = create_sine_table({6, 44, 710}, 1).data;
  EXPECT_LT(std::fabs(x[0]), 0.28f);
  EXPECT_LT(std::fabs(x[1]), 0.018f);
  EXPECT_LT(std::fabs(x[2]), 0.0001f);
}

}  // namespace
}  // namespace phasor::test
