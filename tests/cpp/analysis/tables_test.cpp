// Measurements of tables with known results.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "phasor/phasor.h"
#include "results.h"

namespace {

using phasor::Tensor;
using phasor::test::value_of;

Tensor make_sinusoidal_table(int length, int dim) {
  const std::vector<double> positions = value_of(phasor::consecutive_positions(0, length));
  return value_of(phasor::position_table({.id = "sinusoidal"}, positions, dim));
}

TEST(DistanceProfile, AveragesDiagonals) {
  ASSERT_OK_AND_ASSIGN(phasor::DistanceProfile profile,
                       phasor::distance_profile(Tensor({2, 2}, {1, 5, 2, 3})));
  EXPECT_EQ(profile.mean.data, (std::vector<float>{2, 2, 5}));
  EXPECT_EQ(profile.min.data, (std::vector<float>{2, 1, 5}));
  EXPECT_EQ(profile.max.data, (std::vector<float>{2, 3, 5}));
  EXPECT_EQ(profile.spread, 2);
  EXPECT_EQ(phasor::distance_profile(Tensor({2, 3})).status().message(),
            "matrix: has shape 2 x 3; expected length x length");
}

// pe[p] . pe[p'] = sum_t cos(w_t (p - p')), which depends on the distance alone.
TEST(DistanceProfile, HasNoSpreadForSinusoids) {
  ASSERT_OK_AND_ASSIGN(Tensor similarities, phasor::similarity(make_sinusoidal_table(64, 32),
                                                               phasor::SimilarityMetric::dot));
  ASSERT_OK_AND_ASSIGN(phasor::DistanceProfile profile, phasor::distance_profile(similarities));
  EXPECT_LT(profile.spread, 2e-5);
  double expected = 0;
  for (int t = 0; t < 16; ++t) expected += std::cos(std::pow(10000.0, -2.0 * t / 32) * 5);
  EXPECT_NEAR(profile.mean.data[63 + 5], expected, 1e-5);
}

TEST(TableStatistics, FindsTheClosestPairAndTheNorms) {
  ASSERT_OK_AND_ASSIGN(phasor::TableStatistics statistics,
                       phasor::table_statistics(Tensor({4, 2}, {0, 0, 3, 4, -6, 8, 3, 5})));
  EXPECT_EQ(statistics.closest_first, 1);
  EXPECT_EQ(statistics.closest_second, 3);
  EXPECT_DOUBLE_EQ(statistics.closest_distance, 1);
  EXPECT_DOUBLE_EQ(statistics.max_abs, 8);
  EXPECT_DOUBLE_EQ(statistics.min_norm, 0);
  EXPECT_DOUBLE_EQ(statistics.max_norm, 10);
  EXPECT_NEAR(statistics.mean_norm, (5 + 10 + std::sqrt(34.0)) / 4, 1e-12);
}

// |pe|^2 = d / 2 for every position.
TEST(TableStatistics, FindsEqualNormsInASinusoid) {
  ASSERT_OK_AND_ASSIGN(phasor::TableStatistics statistics,
                       phasor::table_statistics(make_sinusoidal_table(200, 64)));
  EXPECT_NEAR(statistics.min_norm, std::sqrt(32.0), 1e-5);
  EXPECT_NEAR(statistics.max_norm, std::sqrt(32.0), 1e-5);
  EXPECT_GT(statistics.closest_distance, 0.5);
}

TEST(Spectrum, FindsTheWavelengthOfASine) {
  Tensor table({32, 3});
  for (int p = 0; p < 32; ++p) {
    table.data[static_cast<std::size_t>(3 * p)] =
        static_cast<float>(std::sin(2 * std::numbers::pi * p / 8));
    table.data[static_cast<std::size_t>(3 * p + 1)] = 7;  // constant, so without power
    table.data[static_cast<std::size_t>(3 * p + 2)] = p % 2 == 0 ? 1.0f : -1.0f;
  }
  phasor::Spectrum spectrum;
  ASSERT_OK_AND_ASSIGN(spectrum, phasor::spectrum(table));
  EXPECT_EQ(spectrum.wavelength.data[3], 8);
  EXPECT_NEAR(spectrum.power.data[3], 1, 1e-6);
  for (int b = 0; b < 16; ++b) EXPECT_EQ(spectrum.power.data[static_cast<std::size_t>(16 + b)], 0);
  EXPECT_NEAR(spectrum.power.data[32 + 15], 1, 1e-6);
  EXPECT_EQ(phasor::spectrum(Tensor({1, 3})).status().message(),
            "table: has 1 rows; expected at least 2");
}

// The coordinates are distances along the line.
TEST(PrincipalComponents, ExplainALineByOneComponent) {
  ASSERT_OK_AND_ASSIGN(phasor::PrincipalComponents components,
                       phasor::principal_components(Tensor({3, 2}, {0, 1, 3, 5, 6, 9}), 2));
  EXPECT_NEAR(components.explained_variance_ratio.data[0], 1, 1e-6);
  EXPECT_NEAR(components.explained_variance_ratio.data[1], 0, 1e-6);
  EXPECT_NEAR(components.coordinates.data[0], -5, 1e-5);
  EXPECT_NEAR(components.coordinates.data[4], 5, 1e-5);
  EXPECT_EQ(phasor::principal_components(Tensor({3, 2}), 3).status().message(),
            "components: 3 is outside 1 to 2");
}

TEST(PrincipalComponents, PreserveDistances) {
  ASSERT_OK_AND_ASSIGN(Tensor noise, phasor::random_normal(3, {10, 5}));
  ASSERT_OK_AND_ASSIGN(phasor::PrincipalComponents components,
                       phasor::principal_components(noise, 5));
  const auto distance = [](const Tensor& t, int i, int j) {
    double total = 0;
    for (int c = 0; c < 5; ++c) total += std::pow(matrix(t).row(i)[c] - matrix(t).row(j)[c], 2);
    return std::sqrt(total);
  };
  for (int i = 1; i < 10; ++i)
    EXPECT_NEAR(distance(components.coordinates, 0, i), distance(noise, 0, i), 1e-5);
  float total = 0;
  for (const float ratio : components.explained_variance_ratio.data) total += ratio;
  EXPECT_NEAR(total, 1, 1e-5);
}

TEST(LinearProbe, PredictsPositionsFromAnIndexButNotFromNoise) {
  Tensor ramp({50, 1}), noise;
  for (int p = 0; p < 50; ++p)
    ramp.data[static_cast<std::size_t>(p)] = static_cast<float>(p) * 0.1f;
  ASSERT_OK_AND_ASSIGN(phasor::LinearProbe probe, phasor::linear_probe(ramp, 1e-6));
  EXPECT_GT(probe.r_squared, 0.9999);
  EXPECT_LT(probe.mean_absolute_error, 0.01);
  ASSERT_OK_AND_ASSIGN(noise, phasor::random_normal(1, {200, 4}));
  ASSERT_OK_AND_ASSIGN(probe, phasor::linear_probe(noise, 1));
  EXPECT_LT(probe.r_squared, 0.1);
  ASSERT_OK_AND_ASSIGN(probe, phasor::linear_probe(make_sinusoidal_table(100, 64), 1e-3));
  EXPECT_GT(probe.r_squared, 0.99);
  EXPECT_EQ(phasor::linear_probe(ramp, 0).status().message(), "ridge: 0 is not a positive number");
}

}  // namespace
