// Sines and cosines by the addition theorem, against long double.

#include <gtest/gtest.h>

#include "kernel_row.h"
#include "kernels/angle_addition.h"
#include "numbers.h"
#include "phasor/positions.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::test {
namespace {

using Points = std::vector<double>;  // (2, count)

Points make_points(const std::vector<double>& angles) {
  Points out;
  for (const double a : angles) out.push_back(std::cos(a));
  for (const double a : angles) out.push_back(std::sin(a));
  return out;
}

// Multiples of 0.25, so that their sums are exact.
std::vector<double> make_angles(double first, int count) {
  std::vector<double> out;
  for (int t = 0; t < count; ++t) out.push_back(first + 0.75 * t);
  return out;
}

using Add = void (*)(const double*, const double*, int, double*);

TEST(AddAngles, AgreesWithDirectSinesAtEveryCount) {
  for (int count = 0; count <= kLongestRow; ++count) {
    const std::vector<double> a = make_angles(0.25, count), b = make_angles(-2, count);
    std::vector<double> sums;
    for (std::size_t t = 0; t < a.size(); ++t) sums.push_back(a[t] + b[t]);
    const Points a_points = make_points(a), b_points = make_points(b), expected = make_points(sums);
    for (const Add add : {Add(kernels::scalar::add_angles), Add(kernels::simd::add_angles)}) {
      Points sum(a_points.size() + 1, kGuard);
      add(a_points.data(), b_points.data(), count, sum.data());
      EXPECT_EQ(sum.back(), kGuard) << count;
      sum.pop_back();
      EXPECT_LT(largest_error(sum, expected), 5e-16) << count;
    }
  }
}

using Rounded = void (*)(const double*, const double*, int, double, float*, float*);
using Interleaved = void (*)(const double*, const double*, int, double, float*);

TEST(AddAngles, RoundedVariantsAgreeWithDoubleAtEveryCount) {
  const Rounded rounded[] = {kernels::scalar::add_angles, kernels::simd::add_angles};
  const Interleaved interleaved[] = {kernels::scalar::add_angles_interleaved,
                                     kernels::simd::add_angles_interleaved};
  for (int count = 0; count <= kLongestRow; ++count) {
    const std::size_t n = static_cast<std::size_t>(count);
    const Points a_points = make_points(make_angles(0.25, count)),
                 b_points = make_points(make_angles(-2, count));
    Points sum(2 * n);
    kernels::scalar::add_angles(a_points.data(), b_points.data(), count, sum.data());
    std::vector<double> cosines, sines, pairs;
    for (std::size_t t = 0; t < n; ++t) {
      cosines.push_back(1.5 * sum[t]);
      sines.push_back(1.5 * sum[n + t]);
      pairs.insert(pairs.end(), {sines.back(), cosines.back()});
    }
    for (int variant = 0; variant < 2; ++variant) {
      for (int shift = 0; shift < kernels::kLanes; ++shift) {
        GuardedRow cosine(std::vector<float>(n), shift), sine(std::vector<float>(n), shift),
            row(std::vector<float>(2 * n), shift);
        rounded[variant](a_points.data(), b_points.data(), count, 1.5, cosine.data(), sine.data());
        interleaved[variant](a_points.data(), b_points.data(), count, 1.5, row.data());
        cosine.expect_guards("cosine");
        sine.expect_guards("sine");
        row.expect_guards("row");
        ASSERT_LT(largest_error(cosine.values(), cosines), 6e-8) << count;
        ASSERT_LT(largest_error(sine.values(), sines), 6e-8) << count;
        ASSERT_LT(largest_error(row.values(), pairs), 6e-8) << count;
      }
    }
  }
}

// Exactly representable, so that the test measures the sines and not the rounding of position *
// frequency.
const std::vector<double> kFrequencies = {1, 0.75, 0.125, 1.0 / 1024, 0, 3.5, -1};

double largest_distance(SinusoidRows& rows, double position) {
  Points point(2 * kFrequencies.size());
  rows.write(position, point.data());
  double max_distance = 0;
  for (std::size_t t = 0; t < kFrequencies.size(); ++t) {
    const long double angle =
        static_cast<long double>(position) * static_cast<long double>(kFrequencies[t]);
    max_distance = std::max(
        max_distance,
        static_cast<double>(std::fabs(static_cast<long double>(point[t]) - std::cos(angle))));
    max_distance = std::max(
        max_distance,
        static_cast<double>(
            std::fabs(static_cast<long double>(point[t + kFrequencies.size()]) - std::sin(angle))));
  }
  return max_distance;
}

TEST(SinusoidRows, AgreesWithLongDoubleUpToTheLargestPosition) {
  SinusoidRows rows(kFrequencies);
  for (const double first : {0.0, -300.0, 65000.0, 1e6, -1e6, 16777200.0, kMaxPosition - 600}) {
    for (int n = 0; n <= 600; ++n) ASSERT_LT(largest_distance(rows, first + n), 1e-14) << first + n;
  }
  for (const double position : {0.5, -0.25, 1e6 + 0.5, -kMaxPosition})
    EXPECT_LT(largest_distance(rows, position), 1e-14) << position;
}

TEST(SinusoidRows, DoesNotDependOnTheOrderOfPositions) {
  SinusoidRows forward(kFrequencies), scattered(kFrequencies);
  std::vector<Points> all(1000, Points(2 * kFrequencies.size()));
  for (std::size_t n = 0; n < all.size(); ++n)
    forward.write(static_cast<double>(n) - 500, all[n].data());
  for (std::size_t step = 0; step < all.size(); ++step) {
    const std::size_t n = step * 617 % all.size();
    Points repeated(2 * kFrequencies.size()), single_steps = repeated, between = repeated;
    if (step % 3 == 0) scattered.write(static_cast<double>(n) + 0.5, between.data());
    scattered.write(static_cast<double>(n) - 500, repeated.data());
    SinusoidRows(kFrequencies).write(static_cast<double>(n) - 500, single_steps.data());
    ASSERT_EQ(repeated, all[n]) << n;
    ASSERT_EQ(single_steps, all[n]) << n;
  }
}

TEST(SinusoidRows, WritesTheSameValuesInEveryLayout) {
  SinusoidRows rows(kFrequencies);
  const std::size_t n = kFrequencies.size();
  for (const double position : {0.0, 17.0, 999.0, 2.5}) {
    Points point(2 * n);
    std::vector<float> cosine(n), sine(n), wide(2 * n + 3, 7), cut(2 * n - 1), blocks(2 * n);
    rows.write(position, point.data());
    rows.write(position, 2, cosine.data(), sine.data());
    rows.write(position, 2, SinusoidLayout::interleaved, 0, rows.count(), wide);
    rows.write(position, 2, SinusoidLayout::interleaved, 0, rows.count(), cut);
    rows.write(position, 2, SinusoidLayout::concatenated, 0, rows.count(), blocks);
    for (std::size_t t = 0; t < n; ++t) {
      EXPECT_EQ(cosine[t], static_cast<float>(2 * point[t]));
      EXPECT_EQ(sine[t], static_cast<float>(2 * point[n + t]));
      EXPECT_EQ(wide[2 * t], sine[t]);
      EXPECT_EQ(wide[2 * t + 1], cosine[t]);
      EXPECT_EQ(blocks[t], sine[t]);
      EXPECT_EQ(blocks[n + t], cosine[t]);
    }
    EXPECT_EQ(cut, std::vector<float>(wide.begin(),
                                      wide.begin() + static_cast<std::ptrdiff_t>(cut.size())));
    EXPECT_EQ(std::vector<float>(wide.end() - 3, wide.end()), std::vector<float>(3, 7.0f))
        << "not its channels";
  }
}

// Tables that are wider than a strip of frequencies, cut at any column or wider than the sinusoids.
TEST(WriteSines, AgreesWithSinusoidRowsAcrossStrips) {
  std::vector<double> frequencies;
  for (int t = 0; t < 1100; ++t) frequencies.push_back(1.0 / (1 + t));
  SinusoidRows all_rows(frequencies);
  std::vector<float> cosine(frequencies.size()), sine(frequencies.size());
  const std::vector<double> positions = {300, 3, 0.5};
  for (const int columns : {2203, 2200, 2199, 1500, 700}) {
    for (const SinusoidLayout layout :
         {SinusoidLayout::interleaved, SinusoidLayout::concatenated}) {
      Tensor table({3, columns});
      for (float& x : table.data) x = 7;
      write_sines(
          frequencies, layout, [&](int p) { return positions[static_cast<std::size_t>(p)]; },
          [](int p) { return p == 1 ? 2.0 : 1.0; }, matrix(table));
      for (int p = 0; p < 3; ++p) {
        all_rows.write(positions[static_cast<std::size_t>(p)], p == 1 ? 2 : 1, cosine.data(),
                       sine.data());
        for (int c = 0; c < columns; ++c) {
          const bool interleaved = layout == SinusoidLayout::interleaved,
                     is_sine = interleaved ? c % 2 == 0 : c < 1100;
          const std::size_t wave = static_cast<std::size_t>(interleaved ? c / 2 : c % 1100);
          const float expected = c >= 2200 ? 0.0f : is_sine ? sine[wave] : cosine[wave];
          ASSERT_EQ(matrix(table).row(p)[c], expected) << columns << " " << p << " " << c;
        }
      }
    }
  }
}

TEST(SineGrid, AddsTheAnglesOfBothAxes) {
  const std::vector<double> row_angles = {1, 0, 0.5}, column_angles = {0, 0.25, -2};
  SineGrid grid(row_angles, column_angles);
  for (const auto& [row, column] :
       std::vector<std::pair<double, double>>{{0, 0}, {3, 40}, {-1, 700}, {0.5, 2}}) {
    std::vector<float> cosine(3), sine(3);
    grid.write(row, column, cosine.data(), sine.data());
    for (std::size_t t = 0; t < 3; ++t) {
      const double angle = row * row_angles[t] + column * column_angles[t];
      EXPECT_NEAR(static_cast<double>(cosine[t]), std::cos(angle), 6e-8);
      EXPECT_NEAR(static_cast<double>(sine[t]), std::sin(angle), 6e-8);
    }
  }
}

}  // namespace
}  // namespace phasor::test
