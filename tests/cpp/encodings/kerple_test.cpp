#include <gtest/gtest.h>

#include "gradients.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

EncodingConfig make_kerple_config(const std::string& form, std::vector<float> r1,
                                  std::vector<float> r2) {
  const int heads = static_cast<int>(r1.size());
  return {.id = "kerple",
          .params = {{"form", form},
                     {"r1", Tensor({heads}, std::move(r1))},
                     {"r2", Tensor({heads}, std::move(r2))}}};
}

TEST(Kerple, PowerOfOneEqualsAlibi) {
  Tensor alibi, power;
  ASSERT_OK_AND_ASSIGN(alibi, attention_bias({.id = "alibi", .params = {}}, 4, 5, 8, 3));
  ASSERT_OK_AND_ASSIGN(
      power,
      attention_bias(make_kerple_config("power", {0.25f, 0.0625f, 0.015625f, 0.01f}, {1, 1, 1, 1}),
                     4, 5, 8, 3));
  for (int h = 0; h < 3; ++h) {
    for (int i = 0; i < 5; ++i) {
      for (int j = 0; j < 8; ++j)
        EXPECT_FLOAT_EQ(matrix(alibi, h).row(i)[j], matrix(power, h).row(i)[j]);
    }
  }
}

TEST(Kerple, ParametersAreClampedAsInTheAuthorsCode) {
  ASSERT_OK_AND_ASSIGN(Tensor actual,
                       attention_bias(make_kerple_config("power", {-1, 3}, {5, -5}), 2, 1, 1, 4));
  EXPECT_NEAR(static_cast<double>(actual.data[0]), -0.01 * 16, 1e-7);
  EXPECT_NEAR(static_cast<double>(actual.data[1]), -3 * std::pow(4, 0.01), 1e-6);
  ASSERT_OK_AND_ASSIGN(actual,
                       attention_bias(make_kerple_config("log", {2, 0}, {5, 0}), 2, 1, 1, 4));
  // the factor of the distance has no upper clamp
  EXPECT_NEAR(static_cast<double>(actual.data[0]), -2 * std::log(21), 1e-6);
  EXPECT_NEAR(static_cast<double>(actual.data[1]), -0.01 * std::log(1.04), 1e-8);
}

TEST(Kerple, RightSideUsesTheDistanceOrZero) {
  EncodingConfig config = make_kerple_config("log", {1}, {1});
  ASSERT_OK_AND_ASSIGN(Tensor actual, attention_bias(config, 1, 1, 4, 1));
  EXPECT_NEAR(static_cast<double>(actual.data[3]), -std::log(3), 1e-6);
  config.params["right"] = std::string("zero");
  ASSERT_OK_AND_ASSIGN(actual, attention_bias(config, 1, 1, 4, 1));
  EXPECT_EQ(actual.data[3], 0.0f);
  EXPECT_NEAR(static_cast<double>(actual.data[0]), -std::log(2), 1e-6);
}

// The weighted form also shrinks the scores of far keys, which a bias alone cannot do.
TEST(Kerple, WeightedScoresShrinkWithDistance) {
  const Tensor q({1, 1, 1}, {2}), k({1, 3, 1}, {1, 1, 1}), v = k;
  AttentionConfig config;
  config.encoding = make_kerple_config("weighted_power", {0.01f}, {1});
  config.encoding.params["wei_a"] = Tensor({1}, {0.5f});
  config.encoding.params["wei_p"] = Tensor({1}, {1});
  config.outputs = {.weights = false, .scores = true, .bias = true};
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(q, k, v, config));
  for (int j = 0; j < 3; ++j) {
    const double distance = 2 - j, expected = 2 * std::exp(-0.5 * distance) - 0.01 * distance;
    EXPECT_NEAR(static_cast<double>(actual.scores.data[static_cast<std::size_t>(j)]), expected,
                1e-6);
    EXPECT_NEAR(static_cast<double>(actual.bias.data[static_cast<std::size_t>(j)]), expected - 2,
                1e-6);
  }
}

TEST(Kerple, GradientsMatchFiniteDifferences) {
  for (const std::string form : {"log", "power", "weighted_power"}) {
    for (const std::string right : {"distance", "zero"}) {
      EncodingConfig config = make_kerple_config(form, {0.75f, 1.5f}, {0.5f, 1.25f});
      config.params["right"] = right;
      if (form == "weighted_power") {
        config.params["wei_a"] = Tensor({2}, {0.25f, 0.5f});
        config.params["wei_p"] = Tensor({2}, {0.75f, 1.125f});
      }
      expect_gradients({.config = config});
    }
  }
}

// Beyond a clamp the gradient is that at the clamped value, because the authors' code clamps before
// every step.
TEST(Kerple, GradientsBeyondAClampEqualThoseAtTheClamp) {
  const std::vector<double> queries = {2, 3, 4}, keys = {0, 1, 2, 3, 4};
  const Tensor q = dyadic(81, {3, 2}), k = dyadic(82, {5, 2}), d = dyadic(83, {3, 5}),
               scores = dyadic(84, {3, 5});
  const auto compute_gradients = [&](const std::string& form,
                                     const std::vector<float>& parameters) {
    EncodingConfig config = make_kerple_config(form, {parameters[0]}, {parameters[1]});
    if (parameters.size() == 4) {
      config.params["wei_a"] = Tensor({1}, {parameters[2]});
      config.params["wei_p"] = Tensor({1}, {parameters[3]});
    }
    const std::unique_ptr<Encoding> encoding =
        value_of(create_encoding(config, {.length = 5, .dim = 2}));
    Tensor d_q(q.shape), d_k(k.shape);
    encoding->as_score_bias()->bias_backward(0, queries, keys, matrix(d));
    if (ContentBias* content_bias = encoding->as_content_bias()) {
      content_bias->content_backward(
          {.head = 0, .queries = queries, .keys = keys, .q = matrix(q), .k = matrix(k)},
          matrix(scores), matrix(d), matrix(d_q), matrix(d_k));
    }
    std::vector<float> all_gradients = d_q.data;
    all_gradients.insert(all_gradients.end(), d_k.data.begin(), d_k.data.end());
    for (const auto& [name, gradient] : learned_gradients(*encoding))
      all_gradients.insert(all_gradients.end(), gradient.data.begin(), gradient.data.end());
    return all_gradients;
  };
  EXPECT_EQ(compute_gradients("power", {0.5f, 5}), compute_gradients("power", {0.5f, 2}));
  EXPECT_EQ(compute_gradients("power", {-1, 0}), compute_gradients("power", {0.01f, 0.01f}));
  EXPECT_EQ(compute_gradients("weighted_power", {0.5f, 1, 0.25f, 5}),
            compute_gradients("weighted_power", {0.5f, 1, 0.25f, 2}));
  EXPECT_EQ(compute_gradients("weighted_power", {0.5f, 1, -3, 0}),
            compute_gradients("weighted_power", {0.5f, 1, 0.01f, 0.01f}));
  EXPECT_EQ(compute_gradients("log", {0.5f, -5}), compute_gradients("log", {0.5f, 0.01f}));
  EXPECT_NE(compute_gradients("log", {0.5f, 5}), compute_gradients("log", {0.5f, 2}));
  EXPECT_NE(compute_gradients("log", {5, 0.5f}), compute_gradients("log", {2, 0.5f}));
  EXPECT_NE(compute_gradients("power", {5, 0.5f}), compute_gradients("power", {2, 0.5f}));
}

TEST(Kerple, RejectsWeightsWithoutTheWeightedForm) {
  EncodingConfig config = make_kerple_config("log", {1}, {1});
  config.params["wei_a"] = Tensor({1}, {1});
  EXPECT_EQ(attention_bias(config, 1, 1, 1, 0).status().message(),
            "wei_a: has no effect; only form \"weighted_power\" multiplies the scores");
}

}  // namespace
}  // namespace phasor::test
