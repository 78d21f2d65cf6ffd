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

AttentionConfig streamed(AttentionConfig config) {
  config.outputs.weights = false;
  return config;
}

TEST(Sinks, MatchTheFormula) {
  const Inputs in = inputs(kSizes);
  for (const char* encoding : {"none", "rope", "alibi", "cope", "shaw"}) {
    AttentionConfig config = config_of({0.5f, -2, kNone, 9}, encoding);
    const bool shared = heads_of_keys(config.encoding, 4, 2) == 2;
    if (!shared) continue;
    config.window = 40;
    config.key_mask = std::vector<std::uint8_t>(300, 1);
    std::fill_n(config.key_mask.begin(), 60, std::uint8_t{0});
    ASSERT_OK_AND_ASSIGN(const Reference expected, formula(in.q, in.k, in.v, config));
    ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(in.q, in.k, in.v, config));
    ASSERT_OK_AND_ASSIGN(const AttentionResult tiled,
                         attention(in.q, in.k, in.v, streamed(config)));
    EXPECT_LT(largest_error(got.weights.data, expected.weights), allowed(expected)) << encoding;
    EXPECT_LT(largest_error(got.sink_weights.data, expected.sink_weights), allowed(expected));
    EXPECT_LT(largest_error(got.output.data, expected.output), allowed(expected)) << encoding;
    EXPECT_LT(largest_error(tiled.output.data, expected.output), allowed(expected)) << encoding;
    EXPECT_LT(largest_error(tiled.sink_weights.data, expected.sink_weights), allowed(expected));
  }
}

TEST(Sinks, SinkAndKeyWeightsSumToOne) {
  const Inputs in = inputs(kSizes);
  AttentionConfig config = config_of({0, 1, -1, 300});
  config.key_mask = std::vector<std::uint8_t>(300, 1);
  std::fill_n(config.key_mask.begin(), 3, std::uint8_t{0});
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(in.q, in.k, in.v, config));
  ASSERT_EQ(got.sink_weights.shape, (std::vector<int>{4, 300}));
  for (int h = 0; h < 4; ++h) {
    for (int i = 0; i < 300; ++i) {
      double sum = 0;
      for (int j = 0; j < 300; ++j) sum += static_cast<double>(matrix(got.weights, h).row(i)[j]);
      const float sink = matrix(got.sink_weights).row(h)[i];
      EXPECT_NEAR(sum, 1 - static_cast<double>(sink), 1e-6);
      if (i < 3) {
        EXPECT_EQ(sink, 1.0f);
      }
      if (i < 3) {
        EXPECT_EQ(matrix(got.output, h).row(i)[0], 0.0f);
      }
    }
  }
  // A sink far above all scores gives outputs of exactly zero.
  EXPECT_TRUE(std::all_of(got.output.data.begin() + 3 * 300 * 5, got.output.data.end(),
                          [](float x) { return x == 0; }));
}

TEST(Sinks, MinusInfinityGivesTheOrdinarySoftmaxBitForBit) {
  const Inputs in = inputs(kSizes);
  AttentionConfig config = config_of({kNone, kNone, kNone, kNone});
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(in.q, in.k, in.v, config));
  config.options = {};
  config.outputs.sink_weights = false;
  ASSERT_OK_AND_ASSIGN(const AttentionResult plain, attention(in.q, in.k, in.v, config));
  EXPECT_EQ(got.output.data, plain.output.data);
  EXPECT_EQ(got.weights.data, plain.weights.data);
  EXPECT_EQ(got.row_max, plain.row_max);
  EXPECT_EQ(got.row_sum, plain.row_sum);
  EXPECT_TRUE(all_zero(got.sink_weights));
}

TEST(Sinks, AreInvariantToAConstantInScoresAndSinks) {
  // An additional channel, 6 in queries and 1 in keys, adds 6 * 0.5 to all scores.
  const Inputs in = inputs({2, 2, 20, 20, 4, 4});
  const auto widened = [](const Tensor& x, float last) {
    Tensor out({x.shape[0], x.shape[1], x.shape[2] + 1});
    for (int h = 0; h < x.shape[0]; ++h) {
      for (int t = 0; t < x.shape[1]; ++t) {
        std::copy_n(matrix(x, h).row(t), x.shape[2], matrix(out, h).row(t));
        matrix(out, h).row(t)[x.shape[2]] = last;
      }
    }
    return out;
  };
  AttentionConfig config = config_of({0.25f, -1}, "none");
  config.scale = 0.5;
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(in.q, in.k, in.v, config));
  config.options.sinks = Tensor({2}, {3.25f, 2});
  ASSERT_OK_AND_ASSIGN(const AttentionResult moved,
                       attention(widened(in.q, 6), widened(in.k, 1), in.v, config));
  EXPECT_LT(largest_error(moved.output.data, got.output.data), 2e-6);
  EXPECT_LT(largest_error(moved.sink_weights.data, got.sink_weights.data), 2e-6);
}

TEST(Sinks, CacheStepsMatchFullAttention) {
  const Inputs in = inputs(kText);
  AttentionConfig config = config_of({0.5f, -2, kNone, 3}, "rope");
  ASSERT_OK_AND_ASSIGN(const AttentionResult whole, attention(in.q, in.k, in.v, config));
  CacheConfig cached = test::config_of(config.encoding, kText);
  cached.options = config.options;
  const std::unique_ptr<KeyValueCache> cache = cache_of(cached);
  for (int first = 0; first < 70; first += 10) {
    ASSERT_OK_AND_ASSIGN(const AttentionResult got,
                         decode(*cache, in, first, 10, {.outputs = {.sink_weights = true}}));
    EXPECT_LT(largest_error(got.output.data, tokens(whole.output, first, 10).data), 2e-6);
    for (int h = 0; h < 4; ++h) {
      for (int t = 0; t < 10; ++t)
        EXPECT_NEAR(matrix(got.sink_weights).row(h)[t],
                    matrix(whole.sink_weights).row(h)[first + t], 1e-6);
    }
  }
}

TEST(Sinks, LayersMatchAttentionOfTheirHeads) {
  const Tensor x = dyadic(94, {12, 8}), d_output = dyadic(95, {12, 8});
  SelfAttentionConfig config{
      .heads = 2, .encoding = {.id = "rope"}, .outputs = {.sink_weights = true}};
  config.options.sinks = Tensor({2}, {0.5f, -1});
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, self_attention(x, config));
  Tensor heads({2, 12, 4});
  for (int h = 0; h < 2; ++h) {
    for (int t = 0; t < 12; ++t) std::copy_n(matrix(x).row(t) + 4 * h, 4, matrix(heads, h).row(t));
  }
  AttentionConfig same{.encoding = config.encoding, .outputs = config.outputs};
  same.options = config.options;
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(heads, heads, heads, same));
  EXPECT_EQ(got.sink_weights.data, expected.sink_weights.data);
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
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(q, k, v, config));
  EXPECT_EQ(got.output.data, (std::vector<float>{5, 0}));
  EXPECT_EQ(got.sink_weights.data, (std::vector<float>{0, 1}));
  // Products that cancel give two scores of 0 beside a sink of 0.
  const Tensor q2({1, 1, 2}, {1e30f, 1e30f}), k2({1, 2, 2}, {1e30f, -1e30f, 0, 0}),
      v2({1, 2, 1}, {3, 6});
  config.options.sinks.data[0] = 0;
  ASSERT_OK_AND_ASSIGN(const AttentionResult thirds, attention(q2, k2, v2, config));
  EXPECT_NEAR(thirds.output.data[0], 3, 1e-6);
  EXPECT_NEAR(thirds.sink_weights.data[0], 1.0 / 3, 1e-6);
  ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients,
                       attention_backward(q2, k2, v2, Tensor({1, 1, 1}, {1}), config));
  EXPECT_NEAR(gradients.options.sinks.data[0], -1, 1e-6);  // - 1/3 * 3
}

TEST(Sinks, AreIncludedInExplanations) {
  const Inputs in = inputs({2, 2, 6, 6, 4, 4});
  AttentionConfig config = config_of({0.5f, -1});
  ASSERT_OK_AND_ASSIGN(const AttentionResult whole, attention(in.q, in.k, in.v, config));
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation chain, explain_softmax(in.q, in.k, config, 1, 3));
  EXPECT_LT(chain.max_abs_diff, 1e-6);
  EXPECT_NEAR(chain.sink_weight, matrix(whole.sink_weights).row(1)[3], 1e-6);
}

TEST(Sinks, RejectInvalidShapesAndValues) {
  const Inputs in = inputs({2, 1, 3, 3, 4, 4});
  const auto message = [&](const AttentionConfig& config) {
    const Status status = attention(in.q, in.k, in.v, config).status();
    EXPECT_EQ(status.code(), StatusCode::invalid_argument);
    return status.message();
  };
  EXPECT_EQ(message(config_of({0, NAN})), "sinks[1]: NaN is neither finite nor -Infinity");
  EXPECT_EQ(message(config_of({HUGE_VALF, 0})),
            "sinks[0]: Infinity is neither finite nor -Infinity");
  EXPECT_EQ(message(config_of({0})), "sinks: has shape 1 with 1 values; expected 2, one per head");
  AttentionConfig config = config_of({0, 0});
  config.options.sinks.shape = {1, 2};
  EXPECT_EQ(message(config), "sinks: has shape 1 x 2 with 2 values; expected 2, one per head");
  config.options.sinks = {};
  EXPECT_EQ(message(config), "outputs: sink_weights requires sinks");
  CacheConfig cached = test::config_of({}, {2, 1, 3, 3, 4, 4});
  cached.options.sinks = Tensor({3});
  EXPECT_EQ(KeyValueCache::create(cached).status().message(),
            "sinks: has shape 3 with 3 values; expected 2, one per head");
}

// A bias that overflows to -infinity is an error, with or without a sink.
TEST(Sinks, DoNotHideABiasBeyondFloat32) {
  const Tensor x({1, 2, 1}, {1, 1});
  AttentionConfig config{.encoding = {.id = "alibi", .params = {{"slopes", Tensor({1}, {3e38f})}}},
                         .mask = Mask::causal};
  config.position_offset = 10;
  const Status plain = attention(x, x, x, config).status();
  config.options.sinks = Tensor({1}, {0});
  EXPECT_EQ(attention(x, x, x, config).status().message(), plain.message());
}

}  // namespace
}  // namespace phasor::test::sinks_test
