// Compares measurements of tables with their definitions in double, and tests the errors of their
// arguments.

#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "numbers.h"
#include "phasor/analysis.h"
#include "results.h"

namespace phasor::test {
namespace {

double get_value(const Tensor& t, int r, int c) { return static_cast<double>(matrix(t).row(r)[c]); }

// |sum_p (x_p - mean) e^(2 pi i b p / n)|^2 for b = 1 .. n / 2, divided by their sum.
TEST(Spectrum, EqualsTheFourierTransform) {
  const int dim = 3;
  for (const int length : {2, 3, 8, 9, 31}) {
    const Tensor t = dyadic(91, {length, dim});
    ASSERT_OK_AND_ASSIGN(const Spectrum actual, spectrum(t));
    ASSERT_EQ(actual.power.shape, (std::vector<int>{dim, length / 2}));
    ASSERT_EQ(actual.wavelength.shape, std::vector<int>{length / 2});
    for (int c = 0; c < dim; ++c) {
      double mean = 0, total = 0;
      for (int p = 0; p < length; ++p) mean += get_value(t, p, c) / length;
      std::vector<double> power;
      for (int b = 1; b <= length / 2; ++b) {
        double real = 0, imaginary = 0;
        for (int p = 0; p < length; ++p) {
          real += (get_value(t, p, c) - mean) * std::cos(2 * std::numbers::pi * b * p / length);
          imaginary +=
              (get_value(t, p, c) - mean) * std::sin(2 * std::numbers::pi * b * p / length);
        }
        power.push_back(real * real + imaginary * imaginary);
        total += power.back();
      }
      for (int b = 0; b < length / 2; ++b) {
        EXPECT_NEAR(get_value(actual.power, c, b), power[static_cast<std::size_t>(b)] / total, 1e-6)
            << length << " channel " << c << " bin " << b;
        EXPECT_FLOAT_EQ(actual.wavelength.data[static_cast<std::size_t>(b)],
                        static_cast<float>(length) / static_cast<float>(b + 1));
      }
    }
  }
}

// A channel is constant if it varies only within the rounding of float32 at its magnitude.
TEST(Spectrum, TreatsRoundingDifferencesAsConstant) {
  const int length = 16;
  Tensor t({length, 4});
  for (int p = 0; p < length; ++p) {
    const float sign = p % 2 == 0 ? 1.0f : -1.0f;
    matrix(t).row(p)[0] = sign * 5e-7f;
    matrix(t).row(p)[1] = sign * 2e-40f;
    matrix(t).row(p)[2] = std::nextafter(1000.0f, sign * HUGE_VALF);
    matrix(t).row(p)[3] = 1000 + sign * 2e-3f;
  }
  ASSERT_OK_AND_ASSIGN(const Spectrum actual, spectrum(t));
  for (int b = 0; b < length / 2; ++b) {
    const double expected = b == length / 2 - 1 ? 1 : 0;  // a sinusoid with a period of two tokens
    EXPECT_NEAR(get_value(actual.power, 0, b), expected, 1e-6);
    EXPECT_NEAR(get_value(actual.power, 1, b), expected, 1e-6);
    EXPECT_EQ(get_value(actual.power, 2, b), 0);
    EXPECT_NEAR(get_value(actual.power, 3, b), expected, 1e-3);
  }
}

TEST(Spectrum, DoesNotDependOnTheScaleOfTheTable) {
  const int length = 64;
  Tensor t({length, 1});
  for (int p = 0; p < length; ++p)
    t.data[static_cast<std::size_t>(p)] =
        static_cast<float>(std::sin(2 * std::numbers::pi * 5 * p / length));
  ASSERT_OK_AND_ASSIGN(const Spectrum unscaled_spectrum, spectrum(t));
  EXPECT_NEAR(get_value(unscaled_spectrum.power, 0, 4), 1, 1e-6);
  for (const float factor : {1.2e-6f, 1e-30f, 1e30f}) {
    Tensor scaled_table = t;
    for (float& x : scaled_table.data) x *= factor;
    ASSERT_OK_AND_ASSIGN(const Spectrum actual, spectrum(scaled_table));
    for (int b = 0; b < length / 2; ++b)
      EXPECT_NEAR(get_value(actual.power, 0, b), get_value(unscaled_spectrum.power, 0, b), 1e-6)
          << factor;
  }
}

TEST(PrincipalComponents, MakesTheLargestEntryOfADirectionPositive) {
  // Points along (-4, 3), whose direction is given as (0.8, -0.6), then points along two axes, of
  // which the second varies more.
  ASSERT_OK_AND_ASSIGN(PrincipalComponents actual,
                       principal_components(Tensor({3, 2}, {4, -3, 0, 0, -4, 3}), 1));
  EXPECT_LT(largest_error(actual.coordinates.data, std::vector<double>{5, 0, -5}), 1e-6);
  ASSERT_OK_AND_ASSIGN(
      actual, principal_components(Tensor({4, 3}, {-1, 0, 7, 1, 0, 7, 0, -2, 7, 0, 2, 7}), 2));
  EXPECT_LT(largest_error(actual.explained_variance_ratio.data, std::vector<double>{0.8, 0.2}),
            1e-6);
  EXPECT_LT(largest_error(actual.coordinates.data, std::vector<double>{0, -1, 0, 1, -2, 0, 2, 0}),
            1e-6);
  ASSERT_OK_AND_ASSIGN(actual, principal_components(Tensor({2, 2}, {3, 3, 3, 3}), 2));
  EXPECT_EQ(actual.explained_variance_ratio.data, (std::vector<float>{0, 0}));
  EXPECT_EQ(actual.coordinates.data, (std::vector<float>{0, 0, 0, 0}));
}

// The ratios decrease and do not depend on the number of requested components.
TEST(PrincipalComponents, RatiosAreRelativeToTheTotalVariance) {
  const Tensor t = dyadic(92, {30, 6});
  ASSERT_OK_AND_ASSIGN(const PrincipalComponents full_components, principal_components(t, 6));
  ASSERT_OK_AND_ASSIGN(const PrincipalComponents first_components, principal_components(t, 3));
  double variance = 0;
  for (int c = 0; c < 6; ++c) {
    double mean = 0;
    for (int r = 0; r < 30; ++r) mean += get_value(t, r, c) / 30;
    for (int r = 0; r < 30; ++r)
      variance += (get_value(t, r, c) - mean) * (get_value(t, r, c) - mean);
  }
  for (int k = 0; k < 6; ++k) {
    double component_variance = 0;
    for (int r = 0; r < 30; ++r)
      component_variance += get_value(full_components.coordinates, r, k) *
                            get_value(full_components.coordinates, r, k);
    EXPECT_NEAR(static_cast<double>(
                    full_components.explained_variance_ratio.data[static_cast<std::size_t>(k)]),
                component_variance / variance, 1e-6);
    if (k > 0) {
      EXPECT_LT(full_components.explained_variance_ratio.data[static_cast<std::size_t>(k)],
                full_components.explained_variance_ratio.data[static_cast<std::size_t>(k - 1)]);
    }
    if (k >= 3) continue;
    EXPECT_EQ(first_components.explained_variance_ratio.data[static_cast<std::size_t>(k)],
              full_components.explained_variance_ratio.data[static_cast<std::size_t>(k)]);
    for (int r = 0; r < 30; ++r)
      EXPECT_EQ(get_value(first_components.coordinates, r, k),
                get_value(full_components.coordinates, r, k));
  }
}

TEST(TableStatistics, EqualsItsDefinition) {
  for (const int rows : {1, 2, 17}) {
    const Tensor t = dyadic(93, {rows, 5});
    ASSERT_OK_AND_ASSIGN(const TableStatistics actual, table_statistics(t));
    double largest = 0, mean = 0, lowest = HUGE_VAL, highest = 0, closest = HUGE_VAL;
    int first = 0, second = 0;
    for (int i = 0; i < rows; ++i) {
      double squared_norm = 0;
      for (int c = 0; c < 5; ++c) {
        squared_norm += get_value(t, i, c) * get_value(t, i, c);
        largest = std::max(largest, std::fabs(get_value(t, i, c)));
      }
      mean += std::sqrt(squared_norm) / rows;
      lowest = std::min(lowest, std::sqrt(squared_norm));
      highest = std::max(highest, std::sqrt(squared_norm));
      for (int j = 0; j < i; ++j) {
        double squared_distance = 0;
        for (int c = 0; c < 5; ++c)
          squared_distance +=
              (get_value(t, i, c) - get_value(t, j, c)) * (get_value(t, i, c) - get_value(t, j, c));
        if (std::sqrt(squared_distance) >= closest) continue;
        closest = std::sqrt(squared_distance);
        first = j;
        second = i;
      }
    }
    EXPECT_EQ(actual.max_abs, largest);
    EXPECT_NEAR(actual.mean_norm, mean, 1e-12);
    EXPECT_NEAR(actual.min_norm, lowest, 1e-12);
    EXPECT_NEAR(actual.max_norm, highest, 1e-12);
    EXPECT_EQ(actual.closest_first, first);
    EXPECT_EQ(actual.closest_second, second);
    EXPECT_NEAR(actual.closest_distance, rows == 1 ? 0 : closest, 1e-12);
  }
  // Ties return the first pair.
  ASSERT_OK_AND_ASSIGN(const TableStatistics tied_statistics,
                       table_statistics(Tensor({4, 1}, {0, 3, 4, 5})));
  EXPECT_EQ(tied_statistics.closest_first, 1);
  EXPECT_EQ(tied_statistics.closest_second, 2);
}

TEST(DistanceProfile, EqualsItsDefinition) {
  for (const int length : {1, 2, 7}) {
    Tensor table = dyadic(94, {length, length});
    for (const float shift : {0.0f, 10.0f, -10.0f}) {
      Tensor shifted_table = table;
      for (float& x : shifted_table.data) x += shift;
      ASSERT_OK_AND_ASSIGN(const DistanceProfile actual, distance_profile(shifted_table));
      ASSERT_EQ(actual.mean.shape, std::vector<int>{2 * length - 1});
      double spread = 0;
      for (int distance = 1 - length; distance < length; ++distance) {
        double total = 0, count = 0, lowest = HUGE_VAL, highest = -HUGE_VAL;
        for (int i = 0; i < length; ++i) {
          const int j = i + distance;
          if (j < 0 || j >= length) continue;
          total += get_value(shifted_table, i, j);
          ++count;
          lowest = std::min(lowest, get_value(shifted_table, i, j));
          highest = std::max(highest, get_value(shifted_table, i, j));
        }
        const std::size_t index = static_cast<std::size_t>(distance + length - 1);
        EXPECT_NEAR(static_cast<double>(actual.mean.data[index]), total / count, 1e-6);
        EXPECT_EQ(static_cast<double>(actual.min.data[index]), lowest);
        EXPECT_EQ(static_cast<double>(actual.max.data[index]), highest);
        spread = std::max(spread, highest - lowest);
      }
      EXPECT_EQ(actual.spread, spread);
    }
  }
}

TEST(Measurements, RejectInvalidArguments) {
  const Tensor vector_tensor({4}), empty_table({0, 2}), nan_table({2, 1}, {0, std::nanf("")});
  const auto get_error_messages = [](const Tensor& t) {
    return std::vector<std::string>{table_statistics(t).status().message(),
                                    spectrum(t).status().message(),
                                    principal_components(t, 1).status().message(),
                                    similarity(t, SimilarityMetric::dot).status().message()};
  };
  for (const std::string& message : get_error_messages(vector_tensor))
    EXPECT_EQ(message, "table: has shape 4; expected rows x dim");
  for (const std::string& message : get_error_messages(empty_table))
    EXPECT_EQ(message, "table: has shape 0 x 2; expected rows x dim");
  for (const std::string& message : get_error_messages(nan_table))
    EXPECT_EQ(message, "table[1]: NaN is not a finite number");
  EXPECT_EQ(table_statistics(Tensor({16385, 1})).status().message(),
            "rows: 16385 is outside 1 to 16384");
  EXPECT_EQ(spectrum(Tensor({4097, 1})).status().message(), "length: 4097 is outside 2 to 4096");
  EXPECT_EQ(spectrum(Tensor({4096, 1})).status().message(), "");
  EXPECT_EQ(principal_components(Tensor({2, 1025}), 1).status().message(),
            "dim: 1025 is outside 1 to 1024");
  EXPECT_EQ(principal_components(Tensor({2, 3}), 0).status().message(),
            "components: 0 is outside 1 to 3");
  EXPECT_EQ(principal_components(Tensor({2, 3}), 4).status().message(),
            "components: 4 is outside 1 to 3");
  EXPECT_EQ(distance_profile(Tensor({4})).status().message(),
            "matrix: has shape 4; expected length x length");
  EXPECT_EQ(distance_profile(Tensor({0, 0})).status().message(),
            "matrix: has shape 0 x 0; expected length x length");
  EXPECT_EQ(distance_profile(Tensor({1, 1}, {HUGE_VALF})).status().message(),
            "matrix[0]: Infinity is not a finite number");
  EXPECT_EQ(permutation_error(nan_table, Tensor({2, 1}), std::vector<int>{0, 1}).status().message(),
            "before[1]: NaN is not a finite number");
  EXPECT_EQ(permutation_error(empty_table, empty_table, {}).status().message(),
            "before: has shape 0 x 2; expected length x dim");
  EXPECT_EQ(permutation_test(Tensor({2, 1}), std::vector<int>{0, 0}, {}).status().message(),
            "order[1]: 0 occurs twice");
}

}  // namespace
}  // namespace phasor::test
