// Soft caps of scores, c tanh(s / c), before or after the terms of the encoding are added.

#include <gtest/gtest.h>

#include <cmath>

#include "attention_inputs.h"
#include "cache_steps.h"
#include "loss_slopes.h"
#include "phasor/explain.h"
#include "phasor/phasor.h"
#include "reference.h"
#include "results.h"

namespace phasor::test::attention_softcap_test {
namespace {

constexpr Sizes kSizes{4, 4, 300, 300, 8, 5};  // more keys than a tile has

AttentionConfig make_config(double cap, bool includes_bias, const char* encoding) {
  AttentionConfig config{.encoding = {.id = encoding}, .mask = Mask::causal};
  config.options.softcap = cap;
  config.options.cap_includes_bias = includes_bias;
  return config;
}

TEST(AttentionSoftcap, MatchesTheFormula) {
  const Inputs in = inputs(kSizes);
  for (const char* encoding : {"none", "rope", "alibi", "kerple", "cope", "transformer_xl"}) {
    for (const bool includes_bias : {false, true}) {
      AttentionConfig config = make_config(0.75, includes_bias, encoding);
      config.window = 200;
      config.options.sinks = Tensor({4}, {0.5f, -2, 0, 9});
      ASSERT_OK_AND_ASSIGN(const Reference expected, formula(in.q, in.k, in.v, config));
      ASSERT_OK_AND_ASSIGN(const AttentionResult output_result,
                           attention(in.q, in.k, in.v, config));
      config.outputs = {.weights = true, .scores = true};
      ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
      EXPECT_LT(largest_error(actual.weights.data, expected.weights), allowed(expected))
          << encoding;
      EXPECT_LT(largest_error(actual.output.data, expected.output), allowed(expected)) << encoding;
      EXPECT_LT(largest_error(output_result.output.data, expected.output), allowed(expected))
          << encoding;
      for (std::size_t i = 0; i < expected.scores.size(); ++i) {
        if (std::isinf(expected.scores[i])) {
          ASSERT_EQ(actual.scores.data[i], -HUGE_VALF);
        } else {
          ASSERT_LT(error(static_cast<double>(actual.scores.data[i]), expected.scores[i]), 2e-6);
        }
      }
    }
  }
}

TEST(AttentionSoftcap, HugeCapsHaveNoEffectAndTinyCapsGiveEqualWeights) {
  const Inputs in = inputs({2, 2, 20, 20, 8, 5});
  AttentionConfig config = make_config(1e7, false, "rope");
  ASSERT_OK_AND_ASSIGN(const AttentionResult huge_cap, attention(in.q, in.k, in.v, config));
  config.options = {};
  ASSERT_OK_AND_ASSIGN(const AttentionResult no_cap, attention(in.q, in.k, in.v, config));
  EXPECT_LT(largest_error(huge_cap.output.data, no_cap.output.data), 2e-6);
  config.options.softcap = 1e-6;
  config.outputs.weights = true;
  ASSERT_OK_AND_ASSIGN(const AttentionResult tiny_cap, attention(in.q, in.k, in.v, config));
  for (int j = 0; j < 10; ++j)
    EXPECT_NEAR(matrix(tiny_cap.weights, 1).row(9)[j], 0.1, 1e-5);  // all scores are +-1e-6
}

// Tolerances for a loss that is curved near the cap.
constexpr SlopeRule kCurved = {kExactSteps, 1e-3, 1e-2};

TEST(AttentionSoftcap, GradientsMatchFiniteDifferences) {
  for (const char* encoding : {"none", "rope", "kerple", "cope", "transformer_xl"}) {
    for (const bool includes_bias : {false, true}) {
      Inputs in = inputs({4, 4, 9, 12, 8, 5});
      const Tensor d_output = dyadic(96, {4, 9, 5});
      AttentionConfig config = make_config(0.75, includes_bias, encoding);
      config.encoding = value_of(
          given_learned(config.encoding, {.length = 12, .dim = 8, .heads = 4, .v_head_dim = 5}));
      config.options.sinks = Tensor({4}, {0.5f, -2, 0, 1});
      ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                           attention_backward(in.q, in.k, in.v, d_output, config));
      const auto loss = [&] {
        return inner(reference_attention(in.q, in.k, in.v, config).output, d_output);
      };
      expect_gradient("q", in.q, actual.d_q, kCurved, 8, loss);
      expect_gradient("k", in.k, actual.d_k, kCurved, 8, loss);
      expect_gradient("v", in.v, actual.d_v, kCurved, 8, loss);
      expect_gradient("sinks", config.options.sinks, actual.options.sinks, kCurved, 8, loss);
      expect_parameter_gradients(config.encoding, actual.parameters, kCurved, 8, loss);
    }
  }
}

TEST(AttentionSoftcap, CacheStepsAndLayersMatchAttention) {
  const Inputs in = inputs(kText);
  AttentionConfig config = make_config(0.75, true, "alibi");
  config.outputs.scores = true;
  ASSERT_OK_AND_ASSIGN(const AttentionResult full, attention(in.q, in.k, in.v, config));
  CacheConfig cache_config = test::make_cache_config(config.encoding, kText);
  cache_config.options = config.options;
  const std::unique_ptr<KeyValueCache> cache = create_cache(cache_config);
  for (int first = 0; first < 70; first += 10) {
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual,
                         decode(*cache, in, first, 10, {.outputs = {.scores = true}}));
    EXPECT_LT(largest_error(actual.output.data, slice_tokens(full.output, first, 10).data), 2e-6);
    // The scores of earlier keys have the same bits.
    EXPECT_TRUE(std::equal(matrix(actual.scores, 1).row(0), matrix(actual.scores, 1).row(0) + first,
                           matrix(full.scores, 1).row(first)));
  }
  const Tensor x = dyadic(98, {12, 4});
  SelfAttentionConfig layer_config{.heads = 1, .encoding = {.id = "alibi"}};
  layer_config.options = config.options;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, self_attention(x, layer_config));
  Tensor head = x;
  head.shape = {1, 12, 4};
  config.mask = Mask::none;
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(head, head, head, config));
  EXPECT_EQ(actual.output.data, expected.output.data);
}

TEST(AttentionSoftcap, BoundsScoresBeyondFloat32) {
  const Tensor q({1, 1, 1}, {1e30f}), k({1, 2, 1}, {1e30f, -1e30f}), v({1, 2, 1}, {5, 1});
  for (const bool includes_bias : {false, true}) {
    AttentionConfig config = make_config(2, includes_bias, "none");
    config.mask = Mask::none;
    config.outputs = {.scores = true};
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(q, k, v, config));
    const double weight_ratio = std::exp(-4);
    EXPECT_NEAR(actual.output.data[0], (5 + weight_ratio) / (1 + weight_ratio), 1e-6);
    EXPECT_EQ(actual.scores.data, (std::vector<float>{2, -2}));
    ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients,
                         attention_backward(q, k, v, Tensor({1, 1, 1}, {1}), config));
    EXPECT_TRUE(all_zero(gradients.d_q));  // the slope of tanh is 0
  }
}

TEST(AttentionSoftcap, IsIncludedInExplanations) {
  const Inputs in = inputs({2, 2, 6, 6, 4, 4});
  for (const bool includes_bias : {false, true}) {
    ASSERT_OK_AND_ASSIGN(
        const SoftmaxExplanation explanation,
        explain_softmax(in.q, in.k, make_config(0.5, includes_bias, "alibi"), 1, 3));
    EXPECT_LT(explanation.max_abs_diff, 1e-6);
  }
}

TEST(AttentionSoftcap, RejectsValuesOutsideItsRange) {
  const Inputs in = inputs({2, 1, 3, 3, 4, 4});
  for (const double cap : {0.0, -50.0, 1e31, HUGE_VAL, double{NAN}}) {
    const Status status = attention(in.q, in.k, in.v, make_config(cap, false, "none")).status();
    EXPECT_NE(status.message().find("is outside 1e-30 to 1e+30"), std::string::npos)
        << status.message();
    EXPECT_EQ(status.argument(), "softcap");
  }
  AttentionConfig config;
  config.options.cap_includes_bias = true;
  EXPECT_EQ(attention(in.q, in.k, in.v, config).status().message(),
            "cap_includes_bias: requires softcap");
}

}  // namespace
}  // namespace phasor::test::attention_softcap_test
