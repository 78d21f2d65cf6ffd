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

double at(const Tensor& t, int r, int c) { return static_cast<double>(matrix(t).row(r)[c]); }

// |sum_p (x_p - mean) e^(2 pi i b p / n)|^2 for b = 1 .. n / 2, divided by their sum.
TEST(Spectrum, EqualsTheFourierTransform) {
  const int dim = 3;
  for (const int length : {2, 3, 8, 9, 31}) {
    const Tensor t = dyadic(91, {length, dim});
    ASSERT_OK_AND_ASSIGN(const Spectrum got, spectrum(t));
    ASSERT_EQ(got.power.shape, (std::vector<int>{dim, length / 2}));
    ASSERT_EQ(got.wavelength.shape, std::vector<int>{length / 2});
    for (int c = 0; c < dim; ++c) {
      double mean = 0, total = 0;
      for (int p = 0; p < length; ++p) mean += at(t, p, c) / length;
      std::vector<double> power;
      for (int b = 1; b <= length / 2; ++b) {
        double real = 0, imaginary = 0;
        for (int p = 0; p < length; ++p) {
          real += (at(t, p, c) - mean) * std::cos(2 * std::numbers::pi * b * p / length);
          imaginary += (at(t, p, c) - mean) * std::sin(2 * std::numbers::pi * b * p / length);
        }
        power.push_back(real * real + imaginary * imaginary);
        total += power.back();
      }
      for (int b = 0; b < length / 2; ++b) {
        EXPECT_NEAR(at(got.power, c, b), power[static_cast<std::size_t>(b)] / total, 1e-6)
            << length << " channel " << c << " bin " << b;
        EXPECT_FLOAT_EQ(got.wavelength.data[static_cast<std::size_t>(b)],
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
  ASSERT_OK_AND_ASSIGN(const Spectrum got, spectrum(t));
  for (int b = 0; b < length / 2; ++b) {
    const double share = b == length / 2 - 1 ? 1 : 0;  // a sinusoid with a period of two tokens
    EXPECT_NEAR(at(got.power, 0, b), share, 1e-6);
    EXPECT_NEAR(at(got.power, 1, b), share, 1e-6);
    EXPECT_EQ(at(got.power, 2, b), 0);
    EXPECT_NEAR(at(got.power, 3, b), share, 1e-3);
  }
}

TEST(Spectrum, DoesNotDependOnTheScaleOfTheTable) {
  const int length = 64;
  Tensor t({length, 1});
  for (int p = 0; p < length; ++p)
    t.data[static_cast<std::size_t>(p)] =
        static_cast<float>(std::sin(2 * std::numbers::pi * 5 * p / length));
  ASSERT_OK_AND_ASSIGN(const Spectrum whole, spectrum(t));
  EXPECT_NEAR(at(whole.power, 0, 4), 1, 1e-6);
  for (const float factor : {1.2e-6f, 1e-30f, 1e30f}) {
    Tensor scaled = t;
    for (float& x : scaled.data) x *= factor;
    ASSERT_OK_AND_ASSIGN(const Spectrum got, spectrum(scaled));
    for (int b = 0; b < length / 2; ++b)
      EXPECT_NEAR(at(got.power, 0, b), at(whole.power, 0, b), 1e-6) << factor;
  }
}

TEST(PrincipalComponents, MakesTheLargestEntryOfADirectionPositive) {
  // Points along (-4, 3), whose direction is given as (0.8, -0.6), then points along two axes, of
  // which the second varies more.
  ASSERT_OK_AND_ASSIGN(PrincipalComponents got,
                       principal_components(Tensor({3, 2}, {4, -3, 0, 0, -4, 3}), 1));
  EXPECT_LT(largest_error(got.coordinates.data, std::vector<double>{5, 0, -5}), 1e-6);
  ASSERT_OK_AND_ASSIGN(
      got, principal_components(Tensor({4, 3}, {-1, 0, 7, 1, 0, 7, 0, -2, 7, 0, 2, 7}), 2));
  EXPECT_LT(largest_error(got.explained_variance_ratio.data, std::vector<double>{0.8, 0.2}), 1e-6);
  EXPECT_LT(largest_error(got.coordinates.data, std::vector<double>{0, -1, 0, 1, -2, 0, 2, 0}),
            1e-6);
  ASSERT_OK_AND_ASSIGN(got, principal_components(Tensor({2, 2}, {3, 3, 3, 3}), 2));
  EXPECT_EQ(got.explained_variance_ratio.data, (std::vector<float>{0, 0}));
  EXPECT_EQ(got.coordinates.data, (std::vector<float>{0, 0, 0, 0}));
}

// The ratios decrease and do not depend on the number of requested components.
TEST(PrincipalComponents, RatiosAreRelativeToTheTotalVariance) {
  const Tensor t = dyadic(92, {30, 6});
  ASSERT_OK_AND_ASSIGN(const PrincipalComponents all, principal_components(t, 6));
  ASSERT_OK_AND_ASSIGN(const PrincipalComponents some, principal_components(t, 3));
  double variance = 0;
  for (int c = 0; c < 6; ++c) {
    double mean = 0;
    for (int r = 0; r < 30; ++r) mean += at(t, r, c) / 30;
    for (int r = 0; r < 30; ++r) variance += (at(t, r, c) - mean) * (at(t, r, c) - mean);
  }
  for (int k = 0; k < 6; ++k) {
    double along = 0;
    for (int r = 0; r < 30; ++r) along += at(all.coordinates, r, k) * at(all.coordinates, r, k);
    EXPECT_NEAR(static_cast<double>(all.explained_variance_ratio.data[static_cast<std::size_t>(k)]),
                along / variance, 1e-6);
    if (k > 0) {
      EXPECT_LT(all.explained_variance_ratio.data[static_cast<std::size_t>(k)],
                all.explained_variance_ratio.data[static_cast<std::size_t>(k - 1)]);
    }
    if (k >= 3) continue;
    EXPECT_EQ(some.explained_variance_ratio.data[static_cast<std::size_t>(k)],
              all.explained_variance_ratio.data[static_cast<std::size_t>(k)]);
    for (int r = 0; r < 30; ++r) EXPECT_EQ(at(some.coordinates, r, k), at(all.coordinates, r, k));
  }
}

TEST(TableStatistics, EqualsItsDefinition) {
  for (const int rows : {1, 2, 17}) {
    const Tensor t = dyadic(93, {rows, 5});
    ASSERT_OK_AND_ASSIGN(const TableStatistics got, table_statistics(t));
    double largest = 0, mean = 0, lowest = HUGE_VAL, highest = 0, closest = HUGE_VAL;
    int first = 0, second = 0;
    for (int i = 0; i < rows; ++i) {
      double square = 0;
      for (int c = 0; c < 5; ++c) {
        square += at(t, i, c) * at(t, i, c);
        largest = std::max(largest, std::fabs(at(t, i, c)));
      }
      mean += std::sqrt(square) / rows;
      lowest = std::min(lowest, std::sqrt(square));
      highest = std::max(highest, std::sqrt(square));
      for (int j = 0; j < i; ++j) {
        double apart = 0;
        for (int c = 0; c < 5; ++c)
          apart += (at(t, i, c) - at(t, j, c)) * (at(t, i, c) - at(t, j, c));
        if (std::sqrt(apart) >= closest) continue;
        closest = std::sqrt(apart);
        first = j;
        second = i;
      }
    }
    EXPECT_EQ(got.max_abs, largest);
    EXPECT_NEAR(got.mean_norm, mean, 1e-12);
    EXPECT_NEAR(got.min_norm, lowest, 1e-12);
    EXPECT_NEAR(got.max_norm, highest, 1e-12);
    EXPECT_EQ(got.closest_first, first);
    EXPECT_EQ(got.closest_second, second);
    EXPECT_NEAR(got.closest_distance, rows == 1 ? 0 : closest, 1e-12);
  }
  // Ties return the first pair.
  ASSERT_OK_AND_ASSIGN(const TableStatistics equal, table_statistics(Tensor({4, 1}, {0, 3, 4, 5})));
  EXPECT_EQ(equal.closest_first, 1);
  EXPECT_EQ(equal.closest_second, 2);
}

TEST(DistanceProfile, EqualsItsDefinition) {
  for (const int length : {1, 2, 7}) {
    Tensor square = dyadic(94, {length, length});
    for (const float shift : {0.0f, 10.0f, -10.0f}) {
      Tensor moved = square;
      for (float& x : moved.data) x += shift;
      ASSERT_OK_AND_ASSIGN(const DistanceProfile got, distance_profile(moved));
      ASSERT_EQ(got.mean.shape, std::vector<int>{2 * length - 1});
      double spread = 0;
      for (int distance = 1 - length; distance < length; ++distance) {
        double total = 0, count = 0, lowest = HUGE_VAL, highest = -HUGE_VAL;
        for (int i = 0; i < length; ++i) {
          const int j = i + distance;
          if (j < 0 || j >= length) continue;
          total += at(moved, i, j);
          ++count;
          lowest = std::min(lowest, at(moved, i, j));
          highest = std::max(highest, at(moved, i, j));
        }
        const std::size_t entry = static_cast<std::size_t>(distance + length - 1);
        EXPECT_NEAR(static_cast<double>(got.mean.data[entry]), total / count, 1e-6);
        EXPECT_EQ(static_cast<double>(got.min.data[entry]), lowest);
        EXPECT_EQ(static_cast<double>(got.max.data[entry]), highest);
        spread = std::max(spread, highest - lowest);
      }
      EXPECT_EQ(got.spread, spread);
    }
  }
}

TEST(Measurements, RejectInvalidArguments) {
  const Tensor flat({4}), empty({0, 2}), broken({2, 1}, {0, std::nanf("")});
  const auto each = [](const Tensor& t) {
    return std::vector<std::string>{table_statistics(t).status().message(),
                                    spectrum(t).status().message(),
                                    principal_components(t, 1).status().message(),
                                    similarity(t, SimilarityMetric::dot).status().message()};
  };
  for (const std::string& message : each(flat))
    EXPECT_EQ(message, "table: has shape 4; expected rows x dim");
  for (const std::string& message : each(empty))
    EXPECT_EQ(message, "table: has shape 0 x 2; expected rows x dim");
  for (const std::string& message : each(broken))
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
  EXPECT_EQ(permutation_error(broken, Tensor({2, 1}), std::vector<int>{0, 1}).status().message(),
            "before[1]: NaN is not a finite number");
  EXPECT_EQ(permutation_error(empty, empty, {}).status().message(),
            "before: has shape 0 x 2; expected length x dim");
  EXPECT_EQ(permutation_test(Tensor({2, 1}), std::vector<int>{0, 0}, {}).status().message(),
            "order[1]: 0 occurs twice");
}

}  // namespace
}  // namespace phasor::test
