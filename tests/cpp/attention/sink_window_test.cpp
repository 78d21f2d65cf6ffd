// Sink tokens: the first keys stay visible beside the window, at their original positions or at
// their positions in the cache.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "attention_inputs.h"
#include "cache_steps.h"
#include "loss_slopes.h"
#include "phasor/explain.h"
#include "phasor/phasor.h"
#include "reference.h"
#include "results.h"

namespace phasor::test::sink_window_test {
namespace {

// Texts with hidden tiles between the sink tokens and the window. kEnd has only the last queries,
// which takes a third of the time.
constexpr Sizes kWhole{2, 1, 600, 600, 8, 5}, kEnd{2, 1, 200, 600, 8, 5};

AttentionConfig make_config(SinkPositions sink_positions, const char* encoding,
                            int slice_tokens = 4, int window = 40) {
  AttentionConfig config{.encoding = {.id = encoding}, .mask = Mask::causal, .window = window};
  config.options.sink_tokens = slice_tokens;
  config.options.sink_positions = sink_positions;
  return config;
}

void expect_formula(const Inputs& in, AttentionConfig config) {
  ASSERT_OK_AND_ASSIGN(const Reference expected, formula(in.q, in.k, in.v, config));
  ASSERT_OK_AND_ASSIGN(const AttentionResult output_result, attention(in.q, in.k, in.v, config));
  config.outputs = {.weights = true, .scores = true, .bias = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
  const double tolerance = allowed(expected);
  EXPECT_LT(largest_error(actual.weights.data, expected.weights), tolerance);
  EXPECT_LT(largest_error(actual.output.data, expected.output), tolerance);
  EXPECT_LT(largest_error(output_result.output.data, expected.output), tolerance);
  const std::vector<float>& scores = actual.scores.data;
  const auto mismatch =
      std::mismatch(scores.begin(), scores.end(), expected.scores.begin(), expected.scores.end(),
                    [](float a, double b) { return std::isinf(a) == std::isinf(b); });
  EXPECT_EQ(mismatch.first, scores.end())
      << "hidden or not, at " << mismatch.first - scores.begin();
}

TEST(SinkWindow, MatchesTheFormula) {
  for (const SinkPositions sink_positions : {SinkPositions::original, SinkPositions::cache}) {
    for (const char* encoding : {"none", "rope", "xpos", "alibi", "t5", "kerple"}) {
      const Inputs in = inputs(encoding == std::string("rope") ? kWhole : kEnd);
      SCOPED_TRACE(encoding + std::string(sink_positions == SinkPositions::cache ? ", cache" : ""));
      expect_formula(in, make_config(sink_positions, encoding));
      AttentionConfig config = make_config(sink_positions, encoding, 300, 7);  // more than a tile
      config.key_mask = std::vector<std::uint8_t>(600, 1);
      config.key_mask[1] = config.key_mask[590] = 0;
      config.options.softcap = 3;
      config.options.sinks = Tensor({2}, {1, -1});
      expect_formula(in, config);
    }
  }
  // Original positions also support terms of the contents, and windows without a causal mask.
  for (const char* encoding : {"alibi", "shaw", "cope"}) {
    AttentionConfig config = make_config(SinkPositions::original, encoding);
    if (encoding != std::string("cope")) config.mask = Mask::none;
    SCOPED_TRACE(encoding);
    expect_formula(inputs({4, 4, 300, 300, 8, 5}), config);
  }
}

TEST(SinkWindow, CachePositionsMatchATextWithoutItsMiddle) {
  // The last query of a text, against a text of only the 3 sink tokens and the window of 5.
  const Inputs in = inputs({2, 1, 20, 20, 8, 4});
  for (const char* encoding : {"rope", "alibi"}) {
    ASSERT_OK_AND_ASSIGN(
        const AttentionResult actual,
        attention(in.q, in.k, in.v, make_config(SinkPositions::cache, encoding, 3, 5)));
    const auto select_visible = [](const Tensor& x) {
      Tensor out({x.shape[0], 8, x.shape[2]});
      for (int h = 0; h < x.shape[0]; ++h) {
        std::copy_n(matrix(x, h).row(0), 3 * x.shape[2], matrix(out, h).row(0));
        std::copy_n(matrix(x, h).row(15), 5 * x.shape[2], matrix(out, h).row(3));
      }
      return out;
    };
    AttentionConfig config{.encoding = {.id = encoding}, .mask = Mask::causal};
    ASSERT_OK_AND_ASSIGN(
        const AttentionResult expected,
        attention(slice_tokens(in.q, 19, 1), select_visible(in.k), select_visible(in.v), config));
    for (int h = 0; h < 2; ++h) {
      for (int c = 0; c < 4; ++c)
        EXPECT_NEAR(matrix(actual.output, h).row(19)[c], matrix(expected.output, h).row(0)[c],
                    2e-6);
    }
  }
}

TEST(SinkWindow, HasNoEffectWithoutSinkTokensOrHiddenKeys) {
  const Inputs in = inputs({2, 2, 30, 30, 8, 4});
  AttentionConfig config{.encoding = {.id = "rope"}, .mask = Mask::causal, .window = 6};
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(in.q, in.k, in.v, config));
  ASSERT_OK_AND_ASSIGN(
      const AttentionResult no_sinks,
      attention(in.q, in.k, in.v, make_config(SinkPositions::cache, "rope", 0, 6)));
  EXPECT_EQ(no_sinks.output.data, expected.output.data);
  config.window.reset();
  ASSERT_OK_AND_ASSIGN(const AttentionResult full, attention(in.q, in.k, in.v, config));
  ASSERT_OK_AND_ASSIGN(
      const AttentionResult wide_window,
      attention(in.q, in.k, in.v, make_config(SinkPositions::cache, "rope", 4, 26)));
  EXPECT_EQ(wide_window.output.data, full.output.data);
}

constexpr SlopeRule kCurved = {kExactSteps, 1e-3, 0.05};

TEST(SinkWindow, GradientsMatchFiniteDifferences) {
  for (const SinkPositions sink_positions : {SinkPositions::original, SinkPositions::cache}) {
    for (const char* encoding : {"none", "rope", "alibi", "kerple", "t5"}) {
      Inputs in = inputs({4, 2, 9, 14, 8, 5});
      const Tensor d_output = dyadic(96, {4, 9, 5});
      AttentionConfig config = make_config(sink_positions, encoding, 2, 4);
      config.encoding = value_of(
          given_learned(config.encoding, {.length = 14, .dim = 8, .heads = 4, .v_head_dim = 5}));
      config.options.qk_norm = QkNorm{.q_weight = dyadic(97, {8}), .k_weight = dyadic(98, {8})};
      ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                           attention_backward(in.q, in.k, in.v, d_output, config));
      const auto loss = [&] {
        return inner(reference_attention(in.q, in.k, in.v, config).output, d_output);
      };
      SCOPED_TRACE(encoding + std::string(sink_positions == SinkPositions::cache ? ", cache" : ""));
      expect_gradient("q", in.q, actual.d_q, kCurved, 6, loss);
      expect_gradient("k", in.k, actual.d_k, kCurved, 6, loss);
      expect_gradient("v", in.v, actual.d_v, kCurved, 6, loss);
      expect_gradient("q_weight", config.options.qk_norm->q_weight, actual.options.q_weight,
                      kCurved, 6, loss);
      expect_parameter_gradients(config.encoding, actual.parameters, kCurved, 6, loss);
    }
  }
}

TEST(SinkWindow, DoesNotDependOnTheOrderOfKeys) {
  // Windows and sink tokens are determined by positions, not by the order of the keys.
  const Inputs in = inputs({2, 2, 30, 30, 8, 4});
  AttentionConfig config = make_config(SinkPositions::original, "rope", 3, 5);
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(in.q, in.k, in.v, config));
  const auto reverse_tokens = [](const Tensor& x) {
    Tensor out(x.shape);
    for (int h = 0; h < x.shape[0]; ++h) {
      for (int t = 0; t < x.shape[1]; ++t)
        std::copy_n(matrix(x, h).row(t), x.shape[2], matrix(out, h).row(x.shape[1] - 1 - t));
    }
    return out;
  };
  config.query_positions.values = positions_from(0, 30);
  config.key_positions.values = positions_from(0, 30);
  std::reverse(config.key_positions.values.begin(), config.key_positions.values.end());
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual,
                       attention(in.q, reverse_tokens(in.k), reverse_tokens(in.v), config));
  EXPECT_LT(largest_error(actual.output.data, expected.output.data), 2e-6);
  config.options.sink_positions = SinkPositions::cache;
  EXPECT_EQ(attention(in.q, reverse_tokens(in.k), reverse_tokens(in.v), config).status().message(),
            "key_positions: 28 comes after 29, but a cache requires keys in "
            "ascending order");
}

TEST(SinkWindow, CacheStepsMatchFullAttention) {
  const Inputs in = inputs(kText);
  for (const SinkPositions sink_positions : {SinkPositions::original, SinkPositions::cache}) {
    for (const char* encoding : {"rope", "alibi"}) {
      const AttentionConfig config = make_config(sink_positions, encoding, 4, 9);
      ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(in.q, in.k, in.v, config));
      CacheConfig cache_config = test::make_cache_config(config.encoding, kText);
      cache_config.window = config.window;
      cache_config.options = config.options;
      const std::unique_ptr<KeyValueCache> cache = create_cache(cache_config);
      for (int first = 0; first < 70; first += 7) {
        ASSERT_OK_AND_ASSIGN(const AttentionResult actual, decode(*cache, in, first, 7));
        EXPECT_LT(largest_error(actual.output.data, slice_tokens(expected.output, first, 7).data),
                  2e-6);
      }
    }
  }
}

TEST(SinkWindow, AppliesToProductsBeyondFloat32) {
  const Inputs small_inputs = inputs({2, 2, 12, 12, 8, 4});
  Inputs in = small_inputs;
  for (float& x : in.q.data) x *= 1e30f;
  for (float& x : in.k.data) x *= 1e30f;
  AttentionConfig config = make_config(SinkPositions::cache, "rope", 2, 3);
  config.scale = 1e-60;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
  config.scale = 1;
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                       attention(small_inputs.q, small_inputs.k, small_inputs.v, config));
  EXPECT_LT(largest_error(actual.output.data, expected.output.data), 5e-6);
}

TEST(SinkWindow, IsIncludedInExplanations) {
  const Inputs in = inputs({2, 2, 16, 16, 4, 4});
  for (const char* encoding : {"rope", "alibi"}) {
    const AttentionConfig config = make_config(SinkPositions::cache, encoding, 2, 4);
    ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation explanation,
                         explain_softmax(in.q, in.k, config, 1, 15));
    EXPECT_LT(explanation.max_abs_diff, 1e-6) << encoding;
  }
}

TEST(SinkWindow, RejectsInvalidOptions) {
  const Inputs in = inputs({2, 2, 3, 3, 4, 4});
  const auto get_error_message = [&](const AttentionConfig& config) {
    const Status status = attention(in.q, in.k, in.v, config).status();
    EXPECT_EQ(status.code(), StatusCode::invalid_argument);
    return status.message();
  };
  AttentionConfig config = make_config(SinkPositions::cache, "cope");
  EXPECT_EQ(
      get_error_message(config),
      "sink_positions: cache is not supported for cope; expected an encoding on one axis that "
      "rotates queries and keys or adds a bias that depends on distance");
  for (const char* encoding : {"shaw", "transformer_xl", "deberta", "fire", "rope_2d"}) {
    config.encoding.id = encoding;
    EXPECT_NE(get_error_message(config).find("supported for " + config.encoding.id),
              std::string::npos)
        << get_error_message(config);
  }
  // The row_shifted form depends on the key position alone, so it is not a function of distance.
  config.encoding = {.id = "alibi", .params = {{"form", std::string("row_shifted")}}};
  EXPECT_NE(get_error_message(config).find("supported for alibi"), std::string::npos)
      << get_error_message(config);
  config = make_config(SinkPositions::cache, "rope");
  config.mask = Mask::none;
  EXPECT_EQ(get_error_message(config), "sink_positions: cache requires a causal mask");
  config = make_config(SinkPositions::original, "rope");
  config.window.reset();
  EXPECT_EQ(get_error_message(config), "sink_tokens: 4 requires a window");
  EXPECT_EQ(get_error_message(make_config(SinkPositions::original, "rope", -1)),
            "sink_tokens: -1 is outside 0 to 1048576");
}

}  // namespace
}  // namespace phasor::test::sink_window_test
