#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

Tensor create_multi_frequency_table(const std::vector<double>& positions, int dim,
                                    double start = 0) {
  return value_of(
      position_table({.id = "multi_frequency", .params = {{"start", start}}}, positions, dim));
}

TEST(MultiFrequency, WaveKIsTheFirstWaveStretchedKTimes) {
  const int dim = 12;
  for (int k = 1; k <= dim / 2; ++k) {
    for (int p = -5; p < 20; ++p) {
      const Tensor far_table = create_multi_frequency_table({static_cast<double>(k * p)}, dim),
                   near = create_multi_frequency_table({static_cast<double>(p)}, dim);
      EXPECT_NEAR(far_table.data[static_cast<std::size_t>(2 * k - 2)], near.data[0], 1e-6f);
      EXPECT_NEAR(far_table.data[static_cast<std::size_t>(2 * k - 1)], near.data[1], 1e-6f);
    }
  }
}

TEST(MultiFrequency, ExactAtPositionOneMillion) {
  const int dim = 24;
  for (const double position : {1e6, 1e6 + 0.5, -999983.0}) {
    const Tensor t = create_multi_frequency_table({position}, dim, 1);
    for (int k = 1; k <= dim / 2; ++k) {
      const long double a = (static_cast<long double>(position) + 1) / k;
      EXPECT_NEAR(static_cast<double>(t.data[static_cast<std::size_t>(2 * k - 2)]),
                  static_cast<double>(std::sin(a)), 1e-6)
          << k;
      EXPECT_NEAR(static_cast<double>(t.data[static_cast<std::size_t>(2 * k - 1)]),
                  static_cast<double>(std::cos(a)), 1e-6)
          << k;
    }
  }
}

TEST(MultiFrequency, NarrowTableIsAPrefixOfAWideTable) {
  const Tensor narrow_table = create_multi_frequency_table(positions_from(0, 9), 6, 1),
               wide = create_multi_frequency_table(positions_from(0, 9), 10, 1);
  for (int p = 0; p < 9; ++p) {
    for (int c = 0; c < 6; ++c) EXPECT_EQ(matrix(narrow_table).row(p)[c], matrix(wide).row(p)[c]);
  }
}

TEST(MultiFrequency, RejectsAnOddDim) {
  EXPECT_EQ(position_table({.id = "multi_frequency", .params = {}}, positions_from(0, 2), 7)
                .status()
                .message(),
            "dim: 7 is odd; expected a sine and a cosine per frequency");
}

}  // namespace
}  // namespace phasor::test
