#include <gtest/gtest.h>

#include <cmath>

#include "gradients.h"
#include "math/matrix_exponential.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::liere_test {
namespace {

EncodingConfig liere(Params params = {}) { return {.id = "liere", .params = std::move(params)}; }

const std::vector<double> kPositions = {0, 0, 2, 1, -1, 3, 0.5, 0.25};

TEST(Liere, BlocksOfTwoEqualRopeMixed) {
  const Tensor x = dyadic(31, {2, 4, 6});
  Tensor generators({2, 2, 3, 2, 2}), frequencies({2, 2, 3});
  // rope_mixed has the frequencies of columns first, LieRE the generators of rows.
  const Tensor upper_entries = dyadic(32, {12});
  for (int axis = 0; axis < 2; ++axis) {
    for (int n = 0; n < 6; ++n) {
      const float u = upper_entries.data[static_cast<std::size_t>(6 * axis + n)];
      generators.data[static_cast<std::size_t>((6 * axis + n) * 4 + 1)] = u;
      frequencies.data[static_cast<std::size_t>(6 * (1 - axis) + n)] = -u;
    }
  }
  const Positions positions(kPositions, 2);
  ASSERT_OK_AND_ASSIGN(
      const Tensor actual,
      apply_rotary(liere({{"block", 2.0}, {"generators", generators}}), Role::query, positions, x));
  ASSERT_OK_AND_ASSIGN(const Tensor expected,
                       apply_rotary({.id = "rope_mixed", .params = {{"frequencies", frequencies}}},
                                    Role::query, positions, x));
  EXPECT_LT(largest_error(actual.data, expected.data), 1e-6);
}

TEST(Liere, PreservesNormsAndSkipsIncompleteBlocks) {
  const Tensor x = dyadic(33, {2, 4, 11});
  ASSERT_OK_AND_ASSIGN(const Tensor actual, apply_rotary(liere({{"block", 5.0}}), Role::key,
                                                         Positions(kPositions, 2), x));
  for (int h = 0; h < 2; ++h) {
    for (int t = 0; t < 4; ++t) {
      const float *a = matrix(x, h).row(t), *b = matrix(actual, h).row(t);
      EXPECT_EQ(a[10], b[10]);
      double norm = 0, rotated_norm = 0;
      for (int c = 0; c < 5; ++c) {
        norm += static_cast<double>(a[c]) * static_cast<double>(a[c]);
        rotated_norm += static_cast<double>(b[c]) * static_cast<double>(b[c]);
      }
      EXPECT_NEAR(norm, rotated_norm, 1e-5 * norm);
    }
  }
}

// Generators of one axis commute.
TEST(Liere, IsRelativeOnlyIfGeneratorsCommute) {
  const Tensor q = dyadic(34, {1, 1, 8}), k = dyadic(35, {1, 1, 8});
  const auto compute_product = [&](double axes, std::vector<double> i, std::vector<double> j) {
    const EncodingConfig config = liere({{"axes", axes}});
    const int count = static_cast<int>(axes);
    return dot_product(value_of(apply_rotary(config, Role::query, Positions(i, count), q)),
                       value_of(apply_rotary(config, Role::key, Positions(j, count), k)));
  };
  EXPECT_NEAR(compute_product(1, {5}, {2}), compute_product(1, {105}, {102}), 1e-5);
  EXPECT_GT(std::fabs(compute_product(2, {5, 1}, {2, 2}) - compute_product(2, {7, 4}, {4, 5})),
            0.01);
}

TEST(Liere, RejectsMismatchedArguments) {
  const auto error_of = [](Params params, EncodingDims geometry) {
    return create_encoding(liere(std::move(params)), geometry).status().message();
  };
  EXPECT_EQ(error_of({}, {.dim = 8, .axes = 3}),
            "positions: have 3 coordinates each; expected 2, or a row-major index if axes is 2");
  EXPECT_EQ(error_of({{"axes", 3.0}}, {.dim = 8}),
            "positions: have 1 coordinates each; expected 3, or a row-major index if axes is 2");
  EXPECT_EQ(error_of({{"block", 9.0}}, {.dim = 8}), "block: 9 exceeds dim 8");
  EXPECT_EQ(
      error_of({}, {.dim = 8, .heads = 4, .kv_heads = 1}),
      "encoding: liere has generators for each head, so 4 query heads cannot share 1 kv heads");
  EXPECT_EQ(error_of({{"generators", Tensor({2, 1, 2, 4, 3})}}, {.dim = 8}),
            "generators: has shape 2 x 1 x 2 x 4 x 3; expected 2 x 1 x 2 x 4 x 4 (axes x heads x "
            "blocks x block x block)");
}

TEST(Liere, GradientsMatchFiniteDifferences) {
  const std::vector<double> queries = {0, 1, 2, 3, 1, 1}, keys = {0, 0, 1, 2, 3, 1, 2, 2};
  for (const double block : {2.0, 3.0, 6.0}) {
    expect_gradients(
        {.config = liere({{"block", block}}), .axes = 2, .queries = queries, .keys = keys});
  }
  expect_gradients({.config = liere({{"axes", 1.0}}), .queries = {2, 3}, .keys = {0, 1, 2}});
  expect_gradients({.config = liere(), .queries = {9, 17}, .keys = {0, 8, 11}});
}

TEST(MatrixExponential, MatchesClosedForms) {
  MatrixExponential exponential(2);
  for (const double angle : {0.25, 3.0, 1000.0}) {
    const double a[] = {0, -angle, angle, 0}, g[] = {0, -1, 1, 0};
    const double* e = exponential.exponential(a);
    EXPECT_NEAR(e[0], std::cos(angle), 1e-12);
    EXPECT_NEAR(e[2], std::sin(angle), 1e-12);
    const double* slope = exponential.derivative(a, g);
    EXPECT_NEAR(slope[0], -std::sin(angle), 1e-11);
    EXPECT_NEAR(slope[2], std::cos(angle), 1e-11);
  }
  const double generator[] = {1, 1, 0, 1};
  const double* e = exponential.exponential(generator);
  EXPECT_NEAR(e[0], std::exp(1.0), 1e-14);
  EXPECT_NEAR(e[1], std::exp(1.0), 1e-14);
}

}  // namespace
}  // namespace phasor::test::liere_test
