// Sinks: an additional score in the softmax of every row, without a key or value.

#include <gtest/gtest.h>

#include <cmath>

#include "attention_inputs.h"
#include "cache_steps.h"
#include "loss_slopes.h"
#include "phasor/explain.h"
#include "phasor/phasor.h"
#include "reference.h"
#include "results.h"
#include "sinks_config.h"
#include "variants.h"

namespace phasor::test::sinks_test {
namespace {

AttentionConfig remove_weights(AttentionConfig config) {
  config.outputs.weights = false;
  return config;
}

TEST(Sinks, MatchTheFormula) {
  const Inputs in = inputs(kSizes);
  for (const char* encoding : {"none", "rope", "alibi", "cope", "shaw"}) {
    AttentionConfig config = config_of({0.5f, -2, kNone, 9}, encoding);
    const bool has_shared_keys = heads_of_keys(config.encoding, 4, 2) == 2;
    if (!has_shared_keys) continue;
    config.window = 40;
    config.key_mask = std::vector<std::uint8_t>(300, 1);
    std::fill_n(config.key_mask.begin(), 60, std::uint8_t{0});
    ASSERT_OK_AND_ASSIGN(const Reference expected, formula(in.q, in.k, in.v, config));
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
    ASSERT_OK_AND_ASSIGN(const AttentionResult output_result,
                         attention(in.q, in.k, in.v, remove_weights(config)));
    EXPECT_LT(largest_error(actual.weights.data, expected.weights), allowed(expected)) << encoding;
    EXPECT_LT(largest_error(actual.sink_weights.data, expected.sink_weights), allowed(expected));
    EXPECT_LT(largest_error(actual.output.data, expected.output), allowed(expected)) << encoding;
    EXPECT_LT(largest_error(output_result.output.data, expected.output), allowed(expected))
        << encoding;
    EXPECT_LT(largest_error(output_result.sink_weights.data, expected.sink_weights),
              allowed(expected));
  }
}

TEST(Sinks, SinkAndKeyWeightsSumToOne) {
  const Inputs in = inputs(kSizes);
  AttentionConfig config = config_of({0, 1, -1, 300});
  config.key_mask = std::vector<std::uint8_t>(300, 1);
  std::fill_n(config.key_mask.begin(), 3, std::uint8_t{0});
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
  ASSERT_EQ(actual.sink_weights.shape, (std::vector<int>{4, 300}));
  for (int h = 0; h < 4; ++h) {
    for (int i = 0; i < 300; ++i) {
      double sum = 0;
      for (int j = 0; j < 300; ++j) sum += static_cast<double>(matrix(actual.weights, h).row(i)[j]);
      const float sink = matrix(actual.sink_weights).row(h)[i];
      EXPECT_NEAR(sum, 1 - static_cast<double>(sink), 1e-6);
      if (i < 3) {
        EXPECT_EQ(sink, 1.0f);
      }
      if (i < 3) {
        EXPECT_EQ(matrix(actual.output, h).row(i)[0], 0.0f);
      }
    }
  }
  // A sink far above all scores gives outputs of exactly zero.
  EXPECT_TRUE(std::all_of(actual.output.data.begin() + 3 * 300 * 5, actual.output.data.end(),
                          [](float x) { return x == 0; }));
}

TEST(Sinks, MinusInfinityGivesTheOrdinarySoftmaxBitForBit) {
  const Inputs in = inputs(kSizes);
  AttentionConfig config = config_of({kNone, kNone, kNone, kNone});
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
  config.options = {};
  config.outputs.sink_weights = false;
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(in.q, in.k, in.v, config));
  EXPECT_EQ(actual.output.data, expected.output.data);
  EXPECT_EQ(actual.weights.data, expected.weights.data);
  EXPECT_EQ(actual.row_max, expected.row_max);
  EXPECT_EQ(actual.row_sum, expected.row_sum);
  EXPECT_TRUE(all_zero(actual.sink_weights));
}

TEST(Sinks, AreInvariantToAConstantInScoresAndSinks) {
  // An additional channel, 6 in queries and 1 in keys, adds 6 * 0.5 to all scores.
  const Inputs in = inputs({2, 2, 20, 20, 4, 4});
  const auto append_channel = [](const Tensor& x, float value) {
    Tensor out({x.shape[0], x.shape[1], x.shape[2] + 1});
    for (int h = 0; h < x.shape[0]; ++h) {
      for (int t = 0; t < x.shape[1]; ++t) {
        std::copy_n(matrix(x, h).row(t), x.shape[2], matrix(out, h).row(t));
        matrix(out, h).row(t)[x.shape[2]] = value;
      }
    }
    return out;
  };
  AttentionConfig config = config_of({0.25f, -1}, "none");
  config.scale = 0.5;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
  config.options.sinks = Tensor({2}, {3.25f, 2});
  ASSERT_OK_AND_ASSIGN(const AttentionResult shifted_result,
                       attention(append_channel(in.q, 6), append_channel(in.k, 1), in.v, config));
  EXPECT_LT(largest_error(shifted_result.output.data, actual.output.data), 2e-6);
  EXPECT_LT(largest_error(shifted_result.sink_weights.data, actual.sink_weights.data), 2e-6);
}

TEST(Sinks, CacheStepsMatchFullAttention) {
  const Inputs in = inputs(kText);
  AttentionConfig config = config_of({0.5f, -2, kNone, 3}, "rope");
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(in.q, in.k, in.v, config));
  CacheConfig cache_config = test::make_cache_config(config.encoding, kText);
  cache_config.options = config.options;
  const std::unique_ptr<KeyValueCache> cache = create_cache(cache_config);
  for (int first = 0; first < 70; first += 10) {
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual,
                         decode(*cache, in, first, 10, {.outputs = {.sink_weights = true}}));
    EXPECT_LT(largest_error(actual.output.data, slice_tokens(expected.output, first, 10).data),
              2e-6);
    for (int h = 0; h < 4; ++h) {
      for (int t = 0; t < 10; ++t)
        EXPECT_NEAR(matrix(actual.sink_weights).row(h)[t],
                    matrix(expected.sink_weights).row(h)[first + t], 1e-6);
    }
  }
}

TEST(Sinks, LayersMatchAttentionOfTheirHeads) {
  const Tensor x = dyadic(94, {12, 8}), d_output = dyadic(95, {12, 8});
  SelfAttentionConfig config{
      .heads = 2, .encoding = {.id = "rope"}, .outputs = {.sink_weights = true}};
  config.options.sinks = Tensor({2}, {0.5f, -1});
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, self_attention(x, config));
  Tensor heads({2, 12, 4});
  for (int h = 0; h < 2; ++h) {
    for (int t = 0; t < 12; ++t) std::copy_n(matrix(x).row(t) + 4 * h, 4, matrix(heads, h).row(t));
  }
  AttentionConfig attention_config{.encoding = config.encoding, .outputs = config.outputs};
  attention_config.options = config.options;
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                       attention(heads, heads, heads, attention_config));
  EXPECT_EQ(actual.sink_weights.data, expected.sink_weights.data);
  ASSERT_OK_AND_ASSIGN(const SelfAttentionGradients gradients,
                       self_attention_backward(x, d_output, config));
  EXPECT_EQ(gradients.options.sinks.shape, std::vector<int>{2});
  EXPECT_FALSE(all_zero(gradients.options.sinks));
}

TEST(Sinks, HaveCorrectWeightsBesideOverflowingScores) {
  // Beside a score of 1e60 the sink has the weight 0, and beside -1e60 the weight 1.
  const Tensor q({1, 2, 1}, {1e30f, -1e30f}), k({1, 1, 1}, {1e30f}), v({1, 1, 1}, {5});
  AttentionConfig config = config_of({100}, "none");
  config.mask = Mask::none;
  ASSERT_OK_AND_ASSIGN(const AttentionResult result, attention(q, k, v, config));
  EXPECT_EQ(result.output.data, (std::vector<float>{5, 0}));
  EXPECT_EQ(result.sink_weights.data, (std::vector<float>{0, 1}));
  // Products that cancel give two scores of 0 beside a sink of 0.
  const Tensor q2({1, 1, 2}, {1e30f, 1e30f}), k2({1, 2, 2}, {1e30f, -1e30f, 0, 0}),
      v2({1, 2, 1}, {3, 6});
  config.options.sinks.data[0] = 0;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(q2, k2, v2, config));
  EXPECT_NEAR(actual.output.data[0], 3, 1e-6);
  EXPECT_NEAR(actual.sink_weights.data[0], 1.0 / 3, 1e-6);
  ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients,
                       attention_backward(q2, k2, v2, Tensor({1, 1, 1}, {1}), config));
  EXPECT_NEAR(gradients.options.sinks.data[0], -1, 1e-6);  // - 1/3 * 3
}

TEST(Sinks, AreIncludedInExplanations) {
  const Inputs in = inputs({2, 2, 6, 6, 4, 4});
  AttentionConfig config = config_of({0.5f, -1});
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(in.q, in.k, in.v, config));
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation explanation,
                       explain_softmax(in.q, in.k, config, 1, 3));
  EXPECT_LT(explanation.max_abs_diff, 1e-6);
  EXPECT_NEAR(explanation.sink_weight, matrix(expected.sink_weights).row(1)[3], 1e-6);
}

TEST(Sinks, RejectInvalidShapesAndValues) {
  const Inputs in = inputs({2, 1, 3, 3, 4, 4});
  const auto get_error_message = [&](const AttentionConfig& config) {
    const Status status = attention(in.q, in.k, in.v, config).status();
    EXPECT_EQ(status.code(), StatusCode::invalid_argument);
    return status.message();
  };
  EXPECT_EQ(get_error_message(config_of({0, NAN})),
            "sinks[1]: NaN is neither finite nor -Infinity");
  EXPECT_EQ(get_error_message(config_of({HUGE_VALF, 0})),
            "sinks[0]: Infinity is neither finite nor -Infinity");
  EXPECT_EQ(get_error_message(config_of({0})),
            "sinks: has shape 1 with 1 values; expected 2, one per head");
  AttentionConfig config = config_of({0, 0});
  config.options.sinks.shape = {1, 2};
  EXPECT_EQ(get_error_message(config),
            "sinks: has shape 1 x 2 with 2 values; expected 2, one per head");
  config.options.sinks = {};
  EXPECT_EQ(get_error_message(config), "outputs: sink_weights requires sinks");
  CacheConfig cache_config = test::make_cache_config({}, {2, 1, 3, 3, 4, 4});
  cache_config.options.sinks = Tensor({3});
  EXPECT_EQ(KeyValueCache::create(cache_config).status().message(),
            "sinks: has shape 3 with 3 values; expected 2, one per head");
}

// A bias that overflows to -infinity is an error, with or without a sink.
TEST(Sinks, DoNotHideABiasBeyondFloat32) {
  const Tensor x({1, 2, 1}, {1, 1});
  AttentionConfig config{.encoding = {.id = "alibi", .params = {{"slopes", Tensor({1}, {3e38f})}}},
                         .mask = Mask::causal};
  config.position_offset = 10;
  const Status expected_status = attention(x, x, x, config).status();
  config.options.sinks = Tensor({1}, {0});
  EXPECT_EQ(attention(x, x, x, config).status().message(), expected_status.message());
}

}  // namespace
}  // namespace phasor::test::sinks_test
