#include <gtest/gtest.h>

#include "gradients.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

// One unit that returns its input: the bias is the normalized distance itself.
EncodingConfig identity_config(double init_l, double c) {
  return {.id = "fire",
          .params = {{"mlp_width", 1.0},
                     {"init_l", init_l},
                     {"w1", Tensor({1, 1}, {1})},
                     {"b1", Tensor({1}, {0})},
                     {"w2", Tensor({1, 1}, {1})},
                     {"b2", Tensor({1}, {0})},
                     {"c", Tensor({1}, {static_cast<float>(c)})}}};
}

TEST(Fire, NetworkInputIsAtMostOneAtAnyLength) {
  for (const double position : {0.0, 3.0, 100.0, 5000.0, 1000000.0}) {
    const std::vector<double> keys = {0, position / 3, position / 2, position};
    ASSERT_OK_AND_ASSIGN(Tensor actual, attention_bias(identity_config(8, 0.5), 1,
                                                       std::vector<double>{position}, keys));
    for (std::size_t j = 0; j < keys.size(); ++j) {
      const double normaliser = std::log(0.5 * std::max(position, 8.0) + 1) + 1e-6;
      EXPECT_NEAR(static_cast<double>(actual.data[j]),
                  std::log(0.5 * (position - keys[j]) + 1) / normaliser, 1e-6);
      EXPECT_LE(actual.data[j], 1.0f);
    }
    EXPECT_EQ(actual.data[3], 0.0f);
  }
}

TEST(Fire, DependsOnlyOnTheDistanceUpToL) {
  const EncodingConfig config{.id = "fire", .params = {{"init_l", 50.0}}};
  ASSERT_OK_AND_ASSIGN(Tensor bias,
                       attention_bias(config, 2, positions_from(5, 4), positions_from(3, 6)));
  ASSERT_OK_AND_ASSIGN(Tensor far_bias,
                       attention_bias(config, 2, positions_from(45, 4), positions_from(43, 6)));
  EXPECT_LT(largest_error(bias.data, far_bias.data), 1e-7);
  ASSERT_OK_AND_ASSIGN(far_bias,
                       attention_bias(config, 2, positions_from(1005, 4), positions_from(1003, 6)));
  EXPECT_GT(largest_error(bias.data, far_bias.data), 1e-3);
}

TEST(Fire, LIsInitLTimesTheMagnitudeOfTheMultiplier) {
  EncodingConfig config = identity_config(8, 0.5);
  config.params["l_multiplier"] = Tensor({1}, {-2});
  ASSERT_OK_AND_ASSIGN(Tensor actual, attention_bias(config, 1, 9, 9, 0));
  ASSERT_OK_AND_ASSIGN(Tensor expected, attention_bias(identity_config(16, 0.5), 1, 9, 9, 0));
  EXPECT_EQ(actual.data, expected.data);
}

TEST(Fire, GradientsMatchFiniteDifferences) {
  for (const double c : {0.25, -0.25}) {
    for (const double init_l : {3.5, 64.0}) {  // some rows beyond L, or none
      expect_gradients({.config = {.id = "fire",
                                   .params = {{"mlp_width", 3.0},
                                              {"init_l", init_l},
                                              {"seed", 4.0},
                                              {"c", Tensor({1}, {static_cast<float>(c)})}}}});
    }
  }
}

// A large float sum would lose most of each further pair. The reference adds the pairs one by one
// in double.
TEST(Fire, GradientsOfLongTextsKeepPrecision) {
  constexpr int kKeys = 100000;
  const EncodingConfig config{
      .id = "fire", .params = {{"mlp_width", 3.0}, {"init_l", 2.0 * kKeys}, {"seed", 4.0}}};
  const auto encoding = value_of(create_encoding(config, {.length = kKeys}));
  const std::vector<double> query = {kKeys}, keys = positions_from(0, kKeys);
  const Tensor slopes({1, kKeys}, std::vector<float>(kKeys, 0.1F));

  ScoreEncoding& score_bias = *encoding->as_score_bias();
  score_bias.bias_backward(0, query, keys, matrix(slopes));
  const Gradients joint_gradients = learned_gradients(*encoding);
  OrderedMap<std::vector<double>> sums;
  for (int j = 0; j < kKeys; ++j) {
    for (Parameter* parameter : encoding->parameters()) parameter->zero_grad();
    score_bias.bias_backward(0, query, Positions(keys).part(j, 1),
                             {slopes.data.data() + j, 1, 1, 1});
    for (const Parameter* parameter : encoding->parameters()) {
      const Tensor& gradient = parameter->grad;
      std::vector<double>& sum = sums[parameter->name];
      sum.resize(gradient.data.size());
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(gradient.data[i]);
    }
  }
  ASSERT_EQ(joint_gradients.size(), 6u);
  for (const auto& [name, gradient] : joint_gradients)
    EXPECT_LT(largest_error(gradient.data, sums.at(name)), 1e-6) << name;
}

}  // namespace
}  // namespace phasor::test
