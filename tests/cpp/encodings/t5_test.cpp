#include <gtest/gtest.h>

#include "gradients.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

int compute_bucket(int r, int num_buckets, int max_distance, bool bidirectional) {
  const auto out =
      value_of(t5_bucket(std::vector<int>{r}, num_buckets, max_distance, bidirectional));
  return out.empty() ? -1 : out[0];
}

__extension__ typedef unsigned __int128 Uint128;  // 128^8 8^7 needs 77 bits

Uint128 power(int base, int exponent) {
  Uint128 out = 1;
  for (int e = 0; e < exponent; ++e) out *= static_cast<Uint128>(base);
  return out;
}

// floor(ln(m / exact) / ln(max / exact) steps) >= k is equivalent to m^steps exact^k >= max^k
// exact^steps, which is computed in integers.
TEST(T5, BucketsMatchIntegerArithmetic) {
  for (const auto& [side_buckets, max_distance] : {std::pair(16, 128),
                                                   {16, 64},
                                                   {8, 32},
                                                   {8, 24},
                                                   {8, 100},
                                                   {5, 17},
                                                   {6, 81},
                                                   {4, 1000},
                                                   {3, 9},
                                                   {2, 5}}) {
    const int exact_buckets = side_buckets / 2, log_buckets = side_buckets - exact_buckets;
    for (int m = 1; m <= 130; ++m) {
      int expected = m;
      if (m >= exact_buckets) {
        int k = 0;
        while (k + 1 < log_buckets &&
               power(m, log_buckets) * power(exact_buckets, k + 1) >=
                   power(max_distance, k + 1) * power(exact_buckets, log_buckets)) {
          ++k;
        }
        expected = exact_buckets + k;
      }
      EXPECT_EQ(compute_bucket(-m, side_buckets, max_distance, false), expected)
          << m << " of " << side_buckets << " to " << max_distance;
      EXPECT_EQ(compute_bucket(-m, 2 * side_buckets, max_distance, true), expected);
      EXPECT_EQ(compute_bucket(m, 2 * side_buckets, max_distance, true), side_buckets + expected);
    }
  }
}

// 32 buckets for both sides up to distance 128 have edges at 8 sqrt(2)^k; every second edge is an
// integer.
TEST(T5, IntegerEdgesBelongToTheNextBucket) {
  for (const auto& [m, expected] : {std::pair(7, 7),
                                    {8, 8},
                                    {11, 8},
                                    {12, 9},
                                    {15, 9},
                                    {16, 10},
                                    {31, 11},
                                    {32, 12},
                                    {63, 13},
                                    {64, 14},
                                    {90, 14},
                                    {91, 15},
                                    {127, 15},
                                    {128, 15},
                                    {1000000, 15}}) {
    EXPECT_EQ(compute_bucket(-m, 32, 128, true), expected) << m;
    EXPECT_EQ(compute_bucket(m, 32, 128, true), 16 + expected) << m;
  }
  EXPECT_EQ(compute_bucket(0, 32, 128, true), 0);
  for (const int relative_position : {1, 5, 1000})
    EXPECT_EQ(compute_bucket(relative_position, 32, 128, false), 0);
}

// Every edge is an integer if max_distance / exact is a power of an integer ratio.
TEST(T5, IntegerEdgesOfOtherSizesBelongToTheNextBucket) {
  for (int ratio = 2; ratio <= 7; ++ratio) {
    for (int log_buckets = 2; log_buckets <= 9; ++log_buckets) {
      const int exact_buckets = log_buckets, side_buckets = 2 * log_buckets;
      double max_distance = exact_buckets;
      for (int k = 0; k < log_buckets; ++k) max_distance *= ratio;
      if (max_distance > 1e9) continue;
      int m = exact_buckets;
      for (int k = 0; k < log_buckets; ++k, m *= ratio) {
        EXPECT_EQ(compute_bucket(-m, side_buckets, static_cast<int>(max_distance), false),
                  exact_buckets + k)
            << m;
        EXPECT_EQ(compute_bucket(-(m - 1), side_buckets, static_cast<int>(max_distance), false),
                  k == 0 ? exact_buckets - 1 : exact_buckets + k - 1)
            << m;
      }
    }
  }
}

TEST(T5, DoesNotScaleProductsByDefault) {
  const Tensor q = dyadic(31, {2, 3, 4}), k = dyadic(32, {2, 5, 4}), v = dyadic(33, {2, 5, 4});
  AttentionConfig config;
  config.encoding.id = "t5";
  config.outputs = {.weights = false, .scores = true, .bias = true};
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(q, k, v, config));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 5; ++j) {
      double product = 0;
      for (int c = 0; c < 4; ++c)
        product += static_cast<double>(matrix(q, 1).row(i)[c]) *
                   static_cast<double>(matrix(k, 1).row(j)[c]);
      EXPECT_NEAR(static_cast<double>(matrix(actual.scores, 1).row(i)[j]),
                  product + static_cast<double>(matrix(actual.bias, 1).row(i)[j]), 1e-5);
    }
  }
}

TEST(T5, MultiplierScalesTheBias) {
  ASSERT_OK_AND_ASSIGN(Tensor bias, attention_bias({.id = "t5", .params = {}}, 2, 4, 9, 5));
  ASSERT_OK_AND_ASSIGN(Tensor doubled_bias,
                       attention_bias({.id = "t5", .params = {{"multiplier", 2.0}}}, 2, 4, 9, 5));
  for (std::size_t i = 0; i < bias.data.size(); ++i)
    EXPECT_EQ(doubled_bias.data[i], 2 * bias.data[i]);
}

TEST(T5, GradientsMatchFiniteDifferences) {
  for (const bool bidirectional : {true, false}) {
    const EncodingConfig config{.id = "t5",
                                .params = {{"num_buckets", 8.0},
                                           {"max_distance", 5.0},
                                           {"bidirectional", bidirectional},
                                           {"multiplier", 1.5}}};
    GradientCase c{.config = config};
    // Buckets that do not occur have the gradient 0.
    expect_gradients(c);
    c.queries = {4, 1, 9};  // not consecutive
    expect_gradients(c);
  }
}

TEST(T5, RejectsInconsistentParameters) {
  const auto message = [](const Params& params) {
    return attention_bias({.id = "t5", .params = params}, 2, 3, 3, 0).status().message();
  };
  EXPECT_EQ(message({{"num_buckets", 32.0}, {"max_distance", 8.0}}),
            "max_distance: 8 does not exceed the number of distances with separate buckets, 8");
  EXPECT_EQ(message({{"num_buckets", 3.0}}),
            "num_buckets: 3 is too small; expected at least 4 for a bidirectional bias");
  EXPECT_EQ(message({{"num_buckets", 2.0}, {"bidirectional", false}, {"max_distance", 4.0}}), "");
  EXPECT_EQ(message({{"table", Tensor({2, 32})}}),
            "table: has shape 2 x 32; expected 32 x 2 (num_buckets x heads)");
}

}  // namespace
}  // namespace phasor::test
