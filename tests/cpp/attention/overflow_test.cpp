// The overflow rule of docs/reliability.md: finite arguments give the correct finite result, or an
// error that names the argument. Intermediate values may overflow.

#include "overflow.h"

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::overflow_test {
namespace {

constexpr float kLargest = std::numeric_limits<float>::max();

std::string get_error_message(const Tensor& q, const Tensor& k, const Tensor& v,
                              const AttentionConfig& config) {
  const Status status = attention(q, k, v, config).status();
  EXPECT_EQ(status.code(), StatusCode::invalid_argument);
  return status.message();
}

TEST(Overflow, AttendsToTheOnlyKeyIfItsScoreOverflows) {
  const Tensor q = head(1, 1, {1e30f}), k = head(1, 1, {-1e30f}), v = head(1, 1, {5});
  for (const std::optional<double> scale :
       {std::optional<double>(), std::optional<double>(-1e300), std::optional<double>(1e300)}) {
    AttentionConfig config{.scale = scale, .outputs = {.weights = true, .pooled_weights = true}};
    for (const Mask mask : {Mask::none, Mask::causal}) {
      config.mask = mask;
      const AttentionResult result = attended(q, k, v, config);
      EXPECT_EQ(result.output.data, std::vector<float>{5});
      EXPECT_EQ(result.weights.data, std::vector<float>{1});
      EXPECT_EQ(result.pooled_mean.data, std::vector<float>{1});
      EXPECT_EQ(result.pooled_max.data, std::vector<float>{1});
    }
  }
}

TEST(Overflow, ProductsThatCancelGiveAFiniteScore) {
  // q.k is 1e60 - 1e60 = 0 for the first key and 0 for the second.
  const Tensor q = head(1, 2, {1e30f, 1e30f}), k = head(2, 2, {1e30f, -1e30f, 0, 0}),
               v = head(2, 1, {1, 3});
  const AttentionResult result =
      attended(q, k, v, {.outputs = {.weights = true, .scores = true, .bias = true}});
  EXPECT_EQ(result.output.data, std::vector<float>{2});
  EXPECT_EQ(result.scores.data, (std::vector<float>{0, 0}));
  EXPECT_EQ(result.weights.data, (std::vector<float>{0.5f, 0.5f}));
  EXPECT_EQ(result.bias.data, (std::vector<float>{0, 0}));
}

// No product is above 1e38, but the sum of 16 of them is.
TEST(Overflow, SumsOfProductsMayExceedFloat32) {
  const Tensor query = head(1, 16, std::vector<float>(16, 9e18f));
  Tensor keys = head(2, 16, std::vector<float>(32, 9e18f));
  std::fill_n(keys.data.begin(), 16, -9e18f);
  EXPECT_EQ(attended(query, keys, head(2, 1, {1, 2}), {.scale = 1}).output.data,
            std::vector<float>{2});
}

TEST(Overflow, LargestOverflowingScoreHasTheWholeWeight) {
  const Tensor q = head(2, 1, {1e30f, -1e30f}), k = head(3, 1, {1e30f, 2e30f, -1e30f}),
               v = head(3, 1, {10, 20, 30});
  EXPECT_EQ(attended(q, k, v).output.data, (std::vector<float>{20, 30}));
  EXPECT_EQ(attended(q, k, v, {.scale = 1e300}).output.data, (std::vector<float>{20, 30}));
  EXPECT_EQ(attended(q, k, v, {.scale = -1e300}).output.data, (std::vector<float>{30, 20}));
  // Rows 0 and 1 are at positions 1 and 2, so row 0 does not see the last key.
  EXPECT_EQ(attended(q, k, v, {.mask = Mask::causal, .scale = -1.0}).output.data,
            (std::vector<float>{10, 20}));
  EXPECT_EQ(attended(q, k, v, {.key_mask = {1, 0, 1}}).output.data, (std::vector<float>{10, 30}));
  EXPECT_EQ(attended(q, k, v, {.key_mask = {0, 0, 0}}).output.data, (std::vector<float>{0, 0}));
}

TEST(Overflow, ScaleAppliesToProductsBeyondFloat32) {
  // Products of 1e60 times a scale of 1e-60 give the scores 1, 2 and -1.
  const Tensor q = head(1, 1, {1e30f}), k = head(3, 1, {1e30f, 2e30f, -1e30f}),
               v = head(3, 1, {1, 2, 3});
  const AttentionResult result =
      attended(q, k, v, {.scale = 1e-60, .outputs = {.weights = true, .scores = true}});
  const double exp_sum = std::exp(1.0) + std::exp(2.0) + std::exp(-1.0);
  EXPECT_LT(largest_error(result.scores.data, std::vector<double>{1, 2, -1}), 1e-6);
  EXPECT_LT(largest_error(result.weights.data,
                          std::vector<double>{std::exp(1.0) / exp_sum, std::exp(2.0) / exp_sum,
                                              std::exp(-1.0) / exp_sum}),
            1e-6);
}

TEST(Overflow, BiasIsAddedToOverflowingScores) {
  // Both keys have the score 1e60, so only the bias differs. The ALiBi slope of one head is 1/256.
  const Tensor q = head(1, 1, {1e30f}), k = head(2, 1, {1e30f, 1e30f}), v = head(2, 1, {0, 1});
  const AttentionResult result = attended(q, k, v, encoded("alibi"));
  EXPECT_NEAR(static_cast<double>(result.output.data[0]), 1 / (1 + std::exp(-1.0 / 256)), 1e-6);
  AttentionConfig scaled_config = encoded("alibi");
  scaled_config.scale = 1e-60;
  scaled_config.outputs.scores = true;
  const std::vector<double> expected = {1 - 1.0 / 256, 1};
  EXPECT_LT(largest_error(attended(q, k, v, scaled_config).scores.data, expected), 1e-6);
}

TEST(Overflow, RejectsReturningScoresBeyondFloat32) {
  const Tensor q = head(1, 1, {1e30f}), k = head(1, 1, {-1e30f}), v = head(1, 1, {5});
  EXPECT_EQ(get_error_message(q, k, v, {.outputs = {.scores = true}}),
            "outputs: a score exceeds the float32 maximum, 3.40282e+38");
  // Hidden scores are -infinity even if they overflow.
  const Tensor two_keys = head(2, 1, {0, -1e30f}), values = head(2, 1, {5, 6});
  const AttentionResult result =
      attended(q, two_keys, values, {.key_mask = {1, 0}, .outputs = {.scores = true}});
  EXPECT_EQ(result.scores.data, (std::vector<float>{0, -std::numeric_limits<float>::infinity()}));
}

TEST(Overflow, RejectsScoresThatOverflowAsInputsOfAnEncoding) {
  const Tensor q = head(1, 2, {1e30f, 1e30f}), k = head(1, 2, {-1e30f, 1e20f}),
               v = head(1, 2, {5, 5});
  for (const char* id : {"transformer_xl", "deberta", "cope", "shaw"}) {
    EXPECT_EQ(get_error_message(q, k, v, encoded(id)),
              std::string("q: scale * q k^T, an input of ") + id +
                  ", exceeds the float32 maximum, 3.40282e+38");
  }
  EXPECT_EQ(get_error_message(q, k, v, encoded("kerple", {{"form", std::string("weighted_power")}}))
                .rfind("q: scale * q k^T, an input of kerple", 0),
            0u);
  // Other forms of kerple do not read the scores.
  EXPECT_EQ(attended(q, k, v, encoded("kerple")).output.data, (std::vector<float>{5, 5}));
}

TEST(Overflow, RejectsABiasBeyondFloat32IfARowHasNoOtherKey) {
  const Tensor q = head(1, 1, {0}), k = head(2, 1, {0, 0}), v = head(2, 1, {1, 3});
  AttentionConfig config = encoded("alibi", {{"slopes", Tensor({1}, {3e38f})}});
  config.position_offset = 100;
  EXPECT_EQ(get_error_message(q, k, v, config),
            "encoding: the contribution of alibi to the scores exceeds the float32 maximum, "
            "3.40282e+38");
  config.key_mask = {0, 1};  // the bias of the remaining key overflows too
  EXPECT_EQ(get_error_message(q, k, v, config),
            "encoding: the contribution of alibi to the scores exceeds the float32 maximum, "
            "3.40282e+38");
  config.key_mask = {0, 0};
  EXPECT_EQ(attended(q, k, v, config).output.data, std::vector<float>{0});
  config.key_mask = {};
  // The nearest key has the bias 0, and the other one the weight 0.
  config.position_offset = 1;
  EXPECT_EQ(attended(q, k, v, config).output.data, std::vector<float>{3});
  config.outputs.bias = true;
  config.position_offset = 2;
  EXPECT_EQ(get_error_message(q, k, v, config),
            "encoding: the contribution of alibi to the scores exceeds the float32 maximum, "
            "3.40282e+38");
}

TEST(Overflow, MeansOfHugeValuesAreExact) {
  for (const float value : {3e38f, kLargest}) {
    const Tensor q = head(2, 1, {0, 0}), k = head(2, 1, {0, 0}), v = head(2, 1, {value, value});
    EXPECT_EQ(attended(q, k, v).output.data, (std::vector<float>{value, value}));
  }
  // A row that sees only a small value is not scaled by the large one.
  const Tensor q = head(2, 1, {0, 0}), v = head(2, 1, {1e-30f, 3e38f});
  const AttentionResult result = attended(q, q, v, {.mask = Mask::causal});
  EXPECT_EQ(result.output.data[0], 1e-30f);
  EXPECT_EQ(result.output.data[1], 1.5e38f);
}

TEST(Overflow, LargestScoreIsFoundAcrossBlocksAndGroupedHeads) {
  const int keys = 1100, queries = 40;
  Tensor q({2, queries, 3}), k({1, keys, 3}), v({1, keys, 2});
  for (std::size_t i = 0; i < q.data.size(); ++i) q.data[i] = i % 3 == 0 ? 1e30f : 0.0f;
  for (int j = 0; j < keys; ++j)
    k.data[static_cast<std::size_t>(3 * j)] = static_cast<float>((j * 7919) % keys) * 1e30f;
  for (std::size_t i = 0; i < v.data.size(); ++i) v.data[i] = static_cast<float>(i);
  int largest = 0;
  for (int j = 0; j < keys; ++j) {
    if (k.data[static_cast<std::size_t>(3 * j)] > k.data[static_cast<std::size_t>(3 * largest)])
      largest = j;
  }
  const AttentionResult result = attended(q, k, v);
  for (std::size_t i = 0; i < result.output.data.size(); ++i)
    EXPECT_EQ(result.output.data[i], v.data[static_cast<std::size_t>(2 * largest) + i % 2]);
}

TEST(Overflow, RejectsRotatedQueriesBeyondFloat32) {
  // The pair (3e38, 3e38) exceeds float32 when it is rotated.
  const Tensor q = head(1, 2, {3e38f, 3e38f}), k = head(1, 2, {0, 0}), v = head(1, 1, {1});
  AttentionConfig config = encoded("rope");
  config.position_offset = 1;
  EXPECT_EQ(get_error_message(q, k, v, config),
            "q: the result of rope exceeds the float32 maximum, 3.40282e+38");
}

}  // namespace
}  // namespace phasor::test::overflow_test
