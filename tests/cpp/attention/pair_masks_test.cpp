// attn_mask and attn_bias: one value per query and key, broadcast over batch and heads.

#include <gtest/gtest.h>

#include <cmath>
#include <limits>

#include "attention_inputs.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "reference.h"
#include "results.h"

namespace phasor::test::pair_masks_test {
namespace {

constexpr float kHidden = -std::numeric_limits<float>::infinity();
constexpr Sizes kSizes{4, 4, 7, 9, 6, 5};
const std::vector<std::vector<int>> kShapes = {{7, 9},    {1, 9},    {7, 1},    {1, 1},
                                               {4, 7, 9}, {4, 1, 9}, {4, 7, 1}, {1, 7, 9}};

MaskTensor make_mask(std::vector<int> shape, int seed) {
  MaskTensor mask{shape, std::vector<std::uint8_t>(numel(shape), 1)};
  for (std::size_t i = 0; i < mask.data.size(); ++i)
    mask.data[i] = (i * 7 + static_cast<std::size_t>(seed)) % 5 < 2 ? 0 : 1;
  if (mask.data.size() == 1) mask.data[0] = 1;
  return mask;
}

AttentionConfig make_config(const char* id, Mask mask = Mask::none) {
  return {.encoding = {.id = id, .params = {}}, .mask = mask};
}

void expect_formula(const Inputs& in, const AttentionConfig& config) {
  AttentionConfig full_config = config;
  full_config.outputs = {.weights = true, .scores = true, .bias = true};
  ASSERT_OK_AND_ASSIGN(const Reference expected, formula(in.q, in.k, in.v, config));
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, full_config));
  ASSERT_OK_AND_ASSIGN(const AttentionResult result, attention(in.q, in.k, in.v, config));
  const double tolerance = 4 * allowed(expected);
  EXPECT_LT(largest_error(actual.output.data, expected.output), tolerance);
  EXPECT_LT(largest_error(result.output.data, expected.output), tolerance);
  EXPECT_LT(largest_error(actual.weights.data, expected.weights), tolerance);
  EXPECT_LT(largest_error(actual.bias.data, expected.added), tolerance);
  for (std::size_t i = 0; i < expected.scores.size(); ++i)
    ASSERT_EQ(std::isinf(actual.scores.data[i]), std::isinf(expected.scores[i])) << i;
}

TEST(PairMasks, MatchTheFormulaForEveryShape) {
  const Inputs in = inputs(kSizes);
  for (const char* id : {"none", "rope", "alibi", "t5", "shaw", "transformer_xl", "cope", "dape"}) {
    for (const Mask mask : {Mask::none, Mask::causal}) {
      for (const std::vector<int>& shape : kShapes) {
        SCOPED_TRACE(std::string(id) + (mask == Mask::causal ? " causal " : " ") +
                     std::to_string(numel(shape)));
        AttentionConfig config = make_config(id, mask);
        config.attn_mask = make_mask(shape, 1);
        expect_formula(in, config);
        config.attn_bias = dyadic(901, shape);
        expect_formula(in, config);
        config.attn_mask = {};
        if (numel(shape) > 1) config.attn_bias.data[numel(shape) / 2] = kHidden;
        config.window = 5;
        config.key_mask = {1, 1, 0, 1, 1, 1, 1, 0, 1};
        expect_formula(in, config);
      }
    }
  }
}

TEST(PairMasks, MatchTheFormulaWithCapsAndSinks) {
  const Inputs in = inputs(kSizes);
  for (const char* id : {"none", "alibi", "shaw", "cope"}) {
    for (const bool includes_bias : {false, true}) {
      AttentionConfig config = make_config(id);
      config.options.sinks = Tensor({4}, {0.5f, -1, 2, kHidden});
      config.options.softcap = 1.5;
      config.options.cap_includes_bias = includes_bias;
      config.attn_mask = make_mask({7, 9}, 3);
      config.attn_bias = dyadic(902, {4, 7, 9});
      expect_formula(in, config);
    }
  }
}

// The prefix is bidirectional and the rest causal, in a text longer than a block of keys.
TEST(PairMasks, SupportPrefixLanguageModels) {
  const int tokens = 1300, prefix = 40;
  const Inputs in = inputs({1, 1, tokens, tokens, 4, 3});
  AttentionConfig config = make_config("alibi");
  config.encoding.params["slopes"] = Tensor({1}, {0.02f});
  config.attn_mask = {{tokens, tokens}, {}};
  for (int i = 0; i < tokens; ++i) {
    for (int j = 0; j < tokens; ++j) config.attn_mask.data.push_back(j <= i || j < prefix ? 1 : 0);
  }
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
  ASSERT_OK_AND_ASSIGN(const Reference expected, formula(in.q, in.k, in.v, config));
  EXPECT_LT(largest_error(actual.output.data, expected.output), 4e-6);
  // Rows after the prefix equal those of causal attention.
  AttentionConfig causal_config = config;
  causal_config.attn_mask = {};
  causal_config.mask = Mask::causal;
  ASSERT_OK_AND_ASSIGN(const AttentionResult causal_result,
                       attention(in.q, in.k, in.v, causal_config));
  for (int i = prefix; i < tokens; ++i) {
    for (int c = 0; c < 3; ++c)
      ASSERT_NEAR(matrix(actual.output).row(i)[c], matrix(causal_result.output).row(i)[c], 2e-6);
  }
}

TEST(PairMasks, MinusInfinityInTheBiasActsAsAMask) {
  const Inputs in = inputs(kSizes);
  const Tensor d_output = dyadic(903, {4, 7, 5});
  for (const char* id : {"none", "rope", "cope", "dape"}) {
    AttentionConfig mask_config = make_config(id), bias_config = mask_config;
    mask_config.attn_mask = make_mask({4, 7, 9}, 2);
    bias_config.attn_bias = Tensor({4, 7, 9});
    for (std::size_t i = 0; i < bias_config.attn_bias.data.size(); ++i)
      bias_config.attn_bias.data[i] = mask_config.attn_mask.data[i] == 0 ? kHidden : 0;
    ASSERT_OK_AND_ASSIGN(const AttentionResult a, attention(in.q, in.k, in.v, mask_config));
    ASSERT_OK_AND_ASSIGN(const AttentionResult b, attention(in.q, in.k, in.v, bias_config));
    EXPECT_EQ(a.output.data, b.output.data);
    ASSERT_OK_AND_ASSIGN(const AttentionGradients da,
                         attention_backward(in.q, in.k, in.v, d_output, mask_config));
    ASSERT_OK_AND_ASSIGN(const AttentionGradients db,
                         attention_backward(in.q, in.k, in.v, d_output, bias_config));
    EXPECT_EQ(da.d_q.data, db.d_q.data);
    EXPECT_EQ(da.d_k.data, db.d_k.data);
    EXPECT_TRUE(da.d_attn_bias.empty());
    for (std::size_t i = 0; i < db.d_attn_bias.data.size(); ++i) {
      if (mask_config.attn_mask.data[i] != 0) continue;
      EXPECT_EQ(db.d_attn_bias.data[i], 0);
    }
  }
}

// Such a row is 0, and with sinks its sink has the weight 1.
TEST(PairMasks, RowsWithoutVisibleKeysAreZero) {
  const Inputs in = inputs(kSizes);
  for (const bool uses_double : {false, true}) {
    AttentionConfig config = make_config("none");
    if (uses_double) config.scale = 1e39;
    config.attn_mask = {{7, 9}, std::vector<std::uint8_t>(63, 1)};
    std::fill_n(config.attn_mask.data.begin() + 18, 9, std::uint8_t{0});  // query 2
    config.outputs = {.weights = true, .softmax_stats = true};
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
    for (int h = 0; h < 4; ++h) {
      for (int c = 0; c < 5; ++c) EXPECT_EQ(matrix(actual.output, h).row(2)[c], 0);
      EXPECT_EQ(actual.row_sum[static_cast<std::size_t>(7 * h + 2)], 0);
    }
    if (uses_double) continue;
    const Tensor d_output = dyadic(904, {4, 7, 5});
    ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients,
                         attention_backward(in.q, in.k, in.v, d_output, config));
    for (int c = 0; c < 6; ++c) EXPECT_EQ(matrix(gradients.d_q, 1).row(2)[c], 0);
    config.options.sinks = Tensor({4}, {0, 1, 2, 3});
    config.outputs = {.sink_weights = true};
    ASSERT_OK_AND_ASSIGN(const AttentionResult sink_result, attention(in.q, in.k, in.v, config));
    EXPECT_EQ(matrix(sink_result.sink_weights).row(3)[2], 1);
  }
}

TEST(PairMasks, AreIncludedInExplanations) {
  const Inputs in = inputs(kSizes);
  AttentionConfig config = make_config("alibi");
  config.attn_mask = make_mask({4, 7, 9}, 1);
  config.attn_bias = dyadic(905, {7, 9});
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation explanation,
                       explain_softmax(in.q, in.k, config, 2, 3));
  for (std::size_t j = 0; j < 9; ++j) {
    const bool visible = config.attn_mask.data[2 * 63 + 27 + j] != 0;
    EXPECT_EQ(std::isfinite(explanation.score.data[j]), visible);
    if (!visible) continue;
    EXPECT_NEAR(
        explanation.score.data[j],
        explanation.scaled.data[j] + explanation.bias.data[j] + config.attn_bias.data[27 + j],
        1e-5);
  }
  EXPECT_LT(explanation.max_abs_diff, 1e-6);
}

TEST(PairMasks, RejectInvalidMasksAndBiases) {
  const Inputs in = inputs(kSizes);
  const auto get_error_message = [&in](const MaskTensor& mask, const Tensor& bias) {
    AttentionConfig config;
    config.attn_mask = mask;
    config.attn_bias = bias;
    return attention(in.q, in.k, in.v, config).status().message();
  };
  const auto make_ones = [](std::vector<int> shape) {
    return MaskTensor{shape, std::vector<std::uint8_t>(numel(shape), 1)};
  };
  EXPECT_EQ(get_error_message(make_ones({9, 7}), {}),
            "attn_mask: has shape 9 x 7; expected a shape that broadcasts to 4 x 7 x 9");
  EXPECT_EQ(get_error_message(make_ones({9}), {}),
            "attn_mask: has shape 9; expected a shape that broadcasts to 4 x 7 x 9");
  EXPECT_EQ(get_error_message(make_ones({1, 4, 7, 9}), {}),
            "attn_mask: has shape 1 x 4 x 7 x 9; expected a shape that broadcasts to 4 x 7 x 9");
  EXPECT_EQ(get_error_message(make_ones({2, 7, 9}), {}),
            "attn_mask: has shape 2 x 7 x 9; expected a shape that broadcasts to 4 x 7 x 9");
  EXPECT_EQ(get_error_message({{7, 9}, {1, 1, 1}}, {}), "attn_mask: has shape 7 x 9, but 3 values");
  EXPECT_EQ(get_error_message({}, Tensor({7, 9}, {1})), "attn_bias: has shape 7 x 9, but 1 values");
  EXPECT_EQ(get_error_message({}, Tensor({7, 8})),
            "attn_bias: has shape 7 x 8; expected a shape that broadcasts to 4 x 7 x 9");
  for (const float value : {NAN, INFINITY}) {
    Tensor bias({7, 9});
    bias.data[5] = value;
    EXPECT_EQ(get_error_message({}, bias), std::string("attn_bias[5]: ") +
                                               (value > 0 ? "Infinity" : "NaN") +
                                               " is neither finite nor -Infinity");
  }
  Tensor huge_bias({7, 9});
  std::fill(huge_bias.data.begin(), huge_bias.data.end(), 3.4e38f);
  AttentionConfig config;
  config.attn_bias = huge_bias;
  Inputs huge_inputs = in;
  for (float& x : huge_inputs.q.data) x = 1e18f;
  for (float& x : huge_inputs.k.data) x = 1e18f;
  EXPECT_TRUE(attention(huge_inputs.q, huge_inputs.k, in.v, config)
                  .status()
                  .message()
                  .starts_with("attn_bias: a score with this bias exceeds the float32 maximum"));
}

}  // namespace
}  // namespace phasor::test::pair_masks_test
