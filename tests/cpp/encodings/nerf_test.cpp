#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::nerf_test {
namespace {

Tensor create_map(const std::vector<double>& x, int axes, Params params) {
  if (!params.contains("extent")) params["extent"] = 1.0;
  return value_of(position_table({.id = "nerf", .params = std::move(params)}, {x, axes}, 1));
}

// The recurrence from each level to the next: sin 2a = 2 sin a cos a, cos 2a = 1 - 2 sin^2 a.
TEST(Nerf, EachLevelDoublesTheFrequency) {
  const int level_count = 8;
  for (const bool pi : {false, true}) {
    for (const double x : {0.125, 0.3, -0.77, 1.0}) {
      const Tensor t =
          create_map({x}, 1, {{"levels", static_cast<double>(level_count)}, {"factor_pi", pi}});
      ASSERT_EQ(t.shape, (std::vector<int>{1, 2 * level_count}));
      EXPECT_NEAR(static_cast<double>(t.data[0]), std::sin(pi ? 3.141592653589793 * x : x), 1e-7);
      for (std::size_t k = 0; k + 2 < t.data.size(); k += 2) {
        const double s = static_cast<double>(t.data[k]), c = static_cast<double>(t.data[k + 1]);
        EXPECT_NEAR(static_cast<double>(t.data[k + 2]), 2 * s * c, 1e-6);
        EXPECT_NEAR(static_cast<double>(t.data[k + 3]), 1 - 2 * s * s, 1e-6);
      }
    }
  }
}

// The blocks: [x | sin f0 x | cos f0 x | sin f1 x | cos f1 x].
TEST(Nerf, EveryBlockHasOneChannelPerCoordinate) {
  const Params params = {{"levels", 2.0}, {"include_input", true}};
  const Tensor two_axis_map = create_map({0.25, 0.75}, 2, params),
               first = create_map({0.25}, 1, params), second = create_map({0.75}, 1, params);
  ASSERT_EQ(two_axis_map.shape, (std::vector<int>{1, 10}));
  for (std::size_t block = 0; block < 5; ++block) {
    EXPECT_EQ(two_axis_map.data[2 * block], first.data[block]);
    EXPECT_EQ(two_axis_map.data[2 * block + 1], second.data[block]);
  }
  EXPECT_EQ(two_axis_map.data[0], 0.25f);
}

// From 1 to 2^(L-1): with L = 3 these are 1, 2.5 and 4.
TEST(Nerf, LinearSamplingSpacesFrequenciesEvenly) {
  const Tensor t = create_map(
      {0.5}, 1, {{"levels", 3.0}, {"sampling", std::string("linear")}, {"factor_pi", false}});
  const double expected[] = {0.5, 1.25, 2.0};
  for (std::size_t k = 0; k < 3; ++k) {
    EXPECT_NEAR(
        std::atan2(static_cast<double>(t.data[2 * k]), static_cast<double>(t.data[2 * k + 1])),
        expected[k], 1e-6);
  }
  EXPECT_EQ(create_map({0.5}, 1, {{"levels", 1.0}, {"sampling", std::string("linear")}}).data,
            create_map({0.5}, 1, {{"levels", 1.0}}).data);
}

// With pi, whole numbers are whole half periods; they must be exact at any distance and level.
TEST(Nerf, WholePositionsAreExact) {
  const Tensor t = create_map({7, 1e6, 2147483647}, 1, {{"levels", 32.0}});
  for (int p = 0; p < 3; ++p) {
    for (int c = 0; c < 64; c += 2) EXPECT_NEAR(matrix(t).row(p)[c], 0.0f, 2e-7f);
    EXPECT_EQ(matrix(t).row(p)[63], 1.0f);
  }
}

// Frequencies and units that are not powers of 2.
TEST(Nerf, ExactAtPositionOneMillion) {
  const int level_count = 10;
  for (const bool pi : {false, true}) {
    const Params params = {{"levels", 10.0},
                           {"sampling", std::string("linear")},
                           {"factor_pi", pi},
                           {"extent", 300.0}};
    for (const double position : {1e6, 1e6 + 0.5, -999983.0}) {
      const Tensor t = create_map({position}, 1, params);
      for (int k = 0; k < level_count; ++k) {
        const long double a = (1 + 511.0L * k / 9) * static_cast<long double>(position) / 300 *
                              (pi ? 3.14159265358979323846L : 1);
        EXPECT_NEAR(static_cast<double>(t.data[static_cast<std::size_t>(2 * k)]),
                    static_cast<double>(std::sin(a)), 1e-6)
            << k;
        EXPECT_NEAR(static_cast<double>(t.data[static_cast<std::size_t>(2 * k + 1)]),
                    static_cast<double>(std::cos(a)), 1e-6)
            << k;
      }
    }
  }
}

// The default extent is 1024 positions.
TEST(Nerf, TokenPositionsAreDistinctByDefault) {
  ASSERT_OK_AND_ASSIGN(Tensor t,
                       position_table({.id = "nerf", .params = {}}, positions_from(0, 1024), 64));
  ASSERT_OK_AND_ASSIGN(TableStatistics statistics, table_statistics(t));
  EXPECT_GT(statistics.closest_distance, 1.0);
}

TEST(Nerf, DividesPositionsByTheExtent) {
  EXPECT_EQ(create_map({0, 3, 8}, 1, {{"extent", 16.0}}).data,
            create_map({0, 0.1875, 0.5}, 1, {}).data);
}

}  // namespace
}  // namespace phasor::test::nerf_test
