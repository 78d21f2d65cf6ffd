#include <gtest/gtest.h>

#include "gradients.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

int bucket(int r, int num_buckets, int max_distance, bool bidirectional) {
  const auto out =
      value_of(t5_bucket(std::vector<int>{r}, num_buckets, max_distance, bidirectional));
  return out.empty() ? -1 : out[0];
}

__extension__ typedef unsigned __int128 Whole;  // 128^8 8^7 needs 77 bits

Whole power(int base, int exponent) {
  Whole out = 1;
  for (int e = 0; e < exponent; ++e) out *= static_cast<Whole>(base);
  return out;
}

// floor(ln(m / exact) / ln(max / exact) steps) >= k is equivalent to m^steps exact^k >= max^k
// exact^steps, which is computed in integers.
TEST(T5, BucketsMatchIntegerArithmetic) {
  for (const auto& [side, max_distance] : {std::pair(16, 128),
                                           {16, 64},
                                           {8, 32},
                                           {8, 24},
                                           {8, 100},
                                           {5, 17},
                                           {6, 81},
                                           {4, 1000},
                                           {3, 9},
                                           {2, 5}}) {
    const int exact = side / 2, steps = side - exact;
    for (int m = 1; m <= 130; ++m) {
      int expected = m;
      if (m >= exact) {
        int k = 0;
        while (k + 1 < steps && power(m, steps) * power(exact, k + 1) >=
                                    power(max_distance, k + 1) * power(exact, steps)) {
          ++k;
        }
        expected = exact + k;
      }
      EXPECT_EQ(bucket(-m, side, max_distance, false), expected)
          << m << " of " << side << " to " << max_distance;
      EXPECT_EQ(bucket(-m, 2 * side, max_distance, true), expected);
      EXPECT_EQ(bucket(m, 2 * side, max_distance, true), side + expected);
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
    EXPECT_EQ(bucket(-m, 32, 128, true), expected) << m;
    EXPECT_EQ(bucket(m, 32, 128, true), 16 + expected) << m;
  }
  EXPECT_EQ(bucket(0, 32, 128, true), 0);
  for (const int future : {1, 5, 1000}) EXPECT_EQ(bucket(future, 32, 128, false), 0);
}

// Every edge is an integer if max_distance / exact is a power of an integer ratio.
TEST(T5, IntegerEdgesOfOtherSizesBelongToTheNextBucket) {
  for (int ratio = 2; ratio <= 7; ++ratio) {
    for (int steps = 2; steps <= 9; ++steps) {
      const int exact = steps, side = 2 * steps;
      double largest = exact;
      for (int k = 0; k < steps; ++k) largest *= ratio;
      if (largest > 1e9) continue;
      int m = exact;
      for (int k = 0; k < steps; ++k, m *= ratio) {
        EXPECT_EQ(bucket(-m, side, static_cast<int>(largest), false), exact + k) << m;
        EXPECT_EQ(bucket(-(m - 1), side, static_cast<int>(largest), false),
                  k == 0 ? exact - 1 : exact + k - 1)
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
  ASSERT_OK_AND_ASSIGN(AttentionResult got, attention(q, k, v, config));
  for (int i = 0; i < 3; ++i) {
    for (int j = 0; j < 5; ++j) {
      double product = 0;
      for (int c = 0; c < 4; ++c)
        product += static_cast<double>(matrix(q, 1).row(i)[c]) *
                   static_cast<double>(matrix(k, 1).row(j)[c]);
      EXPECT_NEAR(static_cast<double>(matrix(got.scores, 1).row(i)[j]),
                  product + static_cast<double>(matrix(got.bias, 1).row(i)[j]), 1e-5);
    }
  }
}

TEST(T5, MultiplierScalesTheBias) {
  ASSERT_OK_AND_ASSIGN(Tensor once, attention_bias({.id = "t5", .params = {}}, 2, 4, 9, 5));
  ASSERT_OK_AND_ASSIGN(Tensor twice,
                       attention_bias({.id = "t5", .params = {{"multiplier", 2.0}}}, 2, 4, 9, 5));
  for (std::size_t i = 0; i < once.data.size(); ++i) EXPECT_EQ(twice.data[i], 2 * once.data[i]);
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
