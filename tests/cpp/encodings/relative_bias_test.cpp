#include <gtest/gtest.h>

#include "gradients.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

EncodingConfig make_relative_bias_config(int n, Params params = {}) {
  Tensor b({2 * n - 1});
  for (int x = 0; x < 2 * n - 1; ++x) b.data[static_cast<std::size_t>(x)] = static_cast<float>(x);
  params["b"] = b;
  params["max_length"] = static_cast<double>(n);
  return {.id = "relative_bias", .params = params};
}

TEST(RelativeBias, IndexIsQueryMinusKey) {
  ASSERT_OK_AND_ASSIGN(Tensor actual, attention_bias(make_relative_bias_config(4), 2, 4, 4, 0));
  for (int h = 0; h < 2; ++h) {
    for (int i = 0; i < 4; ++i) {
      for (int j = 0; j < 4; ++j)
        EXPECT_EQ(matrix(actual, h).row(i)[j], static_cast<float>(i - j + 3));
    }
  }
}

TEST(RelativeBias, RejectsOrClipsDistancesBeyondTheTable) {
  EXPECT_EQ(attention_bias(make_relative_bias_config(4), 1, 1, 5, 4).status().message(),
            "max_length: 4 is too small for tokens at distance 4; expected a larger value, or "
            "beyond: \"clip\"");
  EXPECT_EQ(attention_bias(make_relative_bias_config(4), 1, 1, 5, 0).status().message(),
            "max_length: 4 is too small for tokens at distance 4; expected a larger value, or "
            "beyond: \"clip\"");
  ASSERT_OK_AND_ASSIGN(
      Tensor actual,
      attention_bias(make_relative_bias_config(4, {{"beyond", std::string("clip")}}), 1, 1, 9, 4));
  EXPECT_EQ(actual.data, (std::vector<float>{6, 6, 5, 4, 3, 2, 1, 0, 0}));

  const Tensor x = dyadic(41, {1, 6, 4});
  AttentionConfig config;
  config.encoding = make_relative_bias_config(4);
  EXPECT_EQ(attention(x, x, x, config).status().message().rfind("max_length: 4 is too small", 0),
            0u);
}

// Inside the fraction the bias is divided with q.k, which equals a bias of b / sqrt(d) outside.
TEST(RelativeBias, InsidePlacementDividesTheBias) {
  const Tensor q = dyadic(42, {1, 4, 16}), k = dyadic(43, {1, 4, 16}), v = dyadic(44, {1, 4, 16});
  AttentionConfig config;
  config.outputs.scores = true;
  AttentionResult inside_result;
  ASSERT_OK_AND_ASSIGN(AttentionResult outside_result, attention(q, k, v, config));
  config.encoding = make_relative_bias_config(4, {{"placement", std::string("inside")}});
  ASSERT_OK_AND_ASSIGN(inside_result, attention(q, k, v, config));
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j)
      EXPECT_NEAR(inside_result.scores.data[static_cast<std::size_t>(4 * i + j)] -
                      outside_result.scores.data[static_cast<std::size_t>(4 * i + j)],
                  (i - j + 3) / 4.0, 1e-6);
  }
  ASSERT_OK_AND_ASSIGN(Tensor bias, attention_bias(config.encoding, 1, 4, 4, 0, 16));
  EXPECT_EQ(matrix(bias).row(0)[0], 0.75f);
}

TEST(RelativeBias, InsidePlacementAppliesTheScale) {
  const Tensor zero_query({1, 4, 16}), v = dyadic(44, {1, 4, 16});
  AttentionConfig config;
  config.outputs.scores = true;
  config.scale = 0.5;
  config.encoding = make_relative_bias_config(4, {{"placement", std::string("inside")}});
  const AttentionResult actual = value_of(attention(zero_query, zero_query, v, config));
  for (int i = 0; i < 4; ++i) {
    for (int j = 0; j < 4; ++j)
      EXPECT_EQ(matrix(actual.scores).row(i)[j], 0.5F * static_cast<float>(i - j + 3));
  }

  SelfAttentionConfig layers{.encoding = config.encoding, .scale = 0.5, .outputs = {.bias = true}};
  EXPECT_EQ(value_of(self_attention(dyadic(45, {4, 16}), layers)).bias.data, actual.scores.data);

  config.mask = Mask::causal;
  const auto cache = value_of(KeyValueCache::create(
      {.head_dim = 16, .max_length = 4, .encoding = config.encoding, .scale = 0.5}));
  EXPECT_LT(largest_error(value_of(cache->decode(zero_query, zero_query, v)).data,
                          value_of(attention(zero_query, zero_query, v, config)).output.data),
            1e-6);
}

TEST(RelativeBias, GradientsMatchFiniteDifferences) {
  for (const bool per_head : {false, true}) {
    expect_gradients({.config = {.id = "relative_bias",
                                 .params = {{"max_length", 7.0},
                                            {"per_head", per_head},
                                            {"placement", std::string("inside")}}}});
    expect_gradients({.config = {.id = "relative_bias",
                                 .params = {{"max_length", 3.0},
                                            {"per_head", per_head},
                                            {"beyond", std::string("clip")}}}});
  }
}

TEST(RelativeBias, RejectsATableOfAnotherLength) {
  EncodingConfig config = make_relative_bias_config(4);
  config.params["max_length"] = 5.0;
  EXPECT_EQ(attention_bias(config, 1, 2, 2, 0).status().message(),
            "b: has shape 7; expected 9 (2 max_length - 1)");
}

}  // namespace
}  // namespace phasor::test
