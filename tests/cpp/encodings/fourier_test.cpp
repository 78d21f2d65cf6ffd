#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::fourier_test {
namespace {

Tensor create_map(const std::vector<double>& v, int axes, int dim, Params params = {}) {
  if (!params.contains("extent")) params["extent"] = 1.0;
  return value_of(position_table({.id = "fourier", .params = std::move(params)}, {v, axes}, dim));
}

std::string error_of(Params params, int dim = 8, int axes = 1) {
  return position_table({.id = "fourier", .params = std::move(params)},
                        {std::vector<double>(6, 0.0), axes}, dim)
      .status()
      .message();
}

double compute_product(const Tensor& t, int a, int b) {
  double sum = 0;
  for (int c = 0; c < t.shape[1]; ++c)
    sum += static_cast<double>(matrix(t).row(a)[c]) * static_cast<double>(matrix(t).row(b)[c]);
  return sum;
}

// A quarter of a turn in the first coordinate, half a turn in the second.
TEST(Fourier, IdentityMatrixCountsPeriods) {
  const Tensor t = create_map({0.25, 0.5}, 2, 1, {{"matrix", std::string("identity")}});
  const float expected[] = {0, -1, 1, 0};  // cos, cos, sin, sin
  ASSERT_EQ(t.shape, (std::vector<int>{1, 4}));
  for (std::size_t i = 0; i < 4; ++i) EXPECT_NEAR(t.data[i], expected[i], 1e-7f);
}

TEST(Fourier, SinCosOrderSwapsTheHalves) {
  const std::vector<double> v = {0.1, 0.7, 0.3, 0.4};
  const Tensor paper = create_map(v, 2, 6),
               code = create_map(v, 2, 6, {{"order", std::string("sin_cos")}});
  for (int t = 0; t < 2; ++t) {
    for (int c = 0; c < 6; ++c)
      EXPECT_EQ(matrix(paper).row(t)[c], matrix(code).row(t)[(c + 3) % 6]);
  }
}

// Without two_pi the matrix is in radians, so a sigma of 2 pi gives the same map.
TEST(Fourier, RadiansEqualPeriodsTimesTwoPi) {
  const Tensor b = dyadic(5, {3, 1});
  const Tensor rotations = create_map({0.5, 0.75, -1.25}, 1, 1, {{"frequency_matrix", b}});
  const Tensor radians =
      create_map({0.5, 0.75, -1.25}, 1, 1,
                 {{"frequency_matrix", b}, {"two_pi", false}, {"sigma", 6.283185307179586}});
  EXPECT_LT(largest_error(rotations.data, radians.data), 1e-6);
}

TEST(Fourier, FeaturesFillTheDimByDefault) {
  EXPECT_EQ(create_map({0, 1}, 1, 16).shape, (std::vector<int>{2, 16}));
  EXPECT_EQ(create_map({0, 1}, 1, 7).shape, (std::vector<int>{2, 6}));
  EXPECT_EQ(create_map({0, 1}, 1, 7, {{"features", 20.0}}).shape, (std::vector<int>{2, 40}));
  EXPECT_EQ(create_map({0, 1}, 2, 7, {{"frequency_matrix", dyadic(1, {5, 2})}}).shape,
            (std::vector<int>{1, 10}));
}

// g(v).g(v') -> exp(-2 pi^2 sigma^2 |v - v'|^2) as the number of features grows, the kernel of
// Rahimi and Recht.
TEST(Fourier, NormalisedProductsApproximateTheGaussianKernel) {
  const double sigma = 0.5;
  const std::vector<double> v = {0, 0, 0.1, 0.2, 0.3, -0.1, 0.5, 0.5};
  const Tensor t =
      create_map(v, 2, 2, {{"features", 40000.0}, {"sigma", sigma}, {"normalise", true}});
  for (int a = 0; a < 4; ++a) {
    for (int b = 0; b < 4; ++b) {
      const auto coordinate = [&v](int token, int axis) {
        return v[static_cast<std::size_t>(2 * token + axis)];
      };
      const double squared_distance = std::pow(coordinate(a, 0) - coordinate(b, 0), 2) +
                                      std::pow(coordinate(a, 1) - coordinate(b, 1), 2);
      EXPECT_NEAR(compute_product(t, a, b),
                  std::exp(-2 * 9.869604401089358 * sigma * sigma * squared_distance),
                  4 / std::sqrt(40000.0));
    }
  }
}

TEST(Fourier, AmplitudesScaleFeaturesAndAreNormalisedByTheirNorm) {
  const Tensor b = dyadic(6, {2, 1}), a({2}, {3, 4});
  const Tensor plain_map = create_map({0.3}, 1, 1, {{"frequency_matrix", b}});
  const Tensor weighted_map = create_map({0.3}, 1, 1, {{"frequency_matrix", b}, {"amplitudes", a}});
  const Tensor unit_map =
      create_map({0.3}, 1, 1, {{"frequency_matrix", b}, {"amplitudes", a}, {"normalise", true}});
  for (std::size_t c = 0; c < 4; ++c) {
    EXPECT_NEAR(weighted_map.data[c], a.data[c % 2] * plain_map.data[c], 1e-6f);
    EXPECT_NEAR(unit_map.data[c], weighted_map.data[c] / 5, 1e-6f);
  }
  EXPECT_NEAR(compute_product(unit_map, 0, 0), 1, 1e-6);
}

TEST(Fourier, DividesPositionsByTheExtent) {
  EXPECT_EQ(create_map({0, 8, 24}, 1, 8, {{"extent", 32.0}}).data,
            create_map({0, 0.25, 0.75}, 1, 8).data);
}

TEST(Fourier, FarPositionsKeepPrecision) {
  const Tensor b({1, 1}, {0.40625f});  // 13 / 32: the map repeats every 32 positions
  const Tensor t = create_map({3, 3 + 32.0 * 60000000}, 1, 1, {{"frequency_matrix", b}});
  EXPECT_EQ(matrix(t).row(0)[0], matrix(t).row(1)[0]);
  EXPECT_EQ(matrix(t).row(0)[1], matrix(t).row(1)[1]);
}

// Frequencies after scaling by sigma and extent are not float32 values.
TEST(Fourier, ExactAtPositionOneMillion) {
  const Tensor b({3, 1}, {0.3f, -1.7f, 2.9f});
  for (const bool uses_two_pi : {true, false}) {
    for (const double position : {1e6, 1e6 + 0.5, -999983.0}) {
      const Tensor t = create_map(
          {position}, 1, 1,
          {{"frequency_matrix", b}, {"sigma", 0.7}, {"extent", 30.0}, {"two_pi", uses_two_pi}});
      for (std::size_t f = 0; f < 3; ++f) {
        const long double rotations = static_cast<long double>(b.data[f]) *
                                      static_cast<long double>(position) / 30 *
                                      static_cast<long double>(0.7);
        const long double a = uses_two_pi ? 2 * 3.14159265358979323846L * rotations : rotations;
        EXPECT_NEAR(static_cast<double>(t.data[f]), static_cast<double>(std::cos(a)), 1e-6) << f;
        EXPECT_NEAR(static_cast<double>(t.data[3 + f]), static_cast<double>(std::sin(a)), 1e-6)
            << f;
      }
    }
  }
}

TEST(Fourier, RejectsContradictoryParameters) {
  const Tensor b = dyadic(1, {3, 2});
  EXPECT_EQ(error_of({{"frequency_matrix", b}}),
            "frequency_matrix: has shape 3 x 2; expected features x 1, one column per position "
            "coordinate");
  EXPECT_EQ(error_of({{"frequency_matrix", b}, {"features", 4.0}}, 8, 2),
            "features: 4 differs from the 3 rows of the matrix");
  EXPECT_EQ(error_of({{"matrix", std::string("identity")}, {"features", 4.0}}, 8, 2),
            "features: 4 differs from the 2 rows of the matrix");
  EXPECT_EQ(error_of({{"matrix", std::string("identity")}, {"frequency_matrix", b}}, 8, 2),
            "matrix: identity cannot be combined with frequency_matrix");
  EXPECT_EQ(error_of({{"amplitudes", Tensor({3}, {1, 1, 1})}}),
            "amplitudes: has shape 3; expected 4, one value per feature");
  EXPECT_EQ(error_of({{"amplitudes", Tensor({4}, {0, 0, 0, 0})}, {"normalise", true}}),
            "amplitudes: all are 0 and cannot be normalised");
  EXPECT_EQ(error_of({}, 1),
            "dim: 1 is too small for a cosine and a sine; expected a larger dim, or a value for "
            "features");
}

}  // namespace
}  // namespace phasor::test::fourier_test
