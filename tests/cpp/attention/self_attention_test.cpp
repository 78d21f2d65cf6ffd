// Projections, concatenated heads and error messages of self_attention.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/attention.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(SelfAttention, RejectsInvalidArguments) {
  const auto get_error_message = [&](const Tensor& x, const SelfAttentionConfig& config) {
    return self_attention(x, config).status().message();
  };
  SelfAttentionConfig config;
  EXPECT_EQ(get_error_message(Tensor({1, 2, 3}), config),
            "x: has shape 1 x 2 x 3; expected length x dim");
  EXPECT_EQ(get_error_message(Tensor({0, 3}), config), "x: has shape 0 x 3; expected length x dim");
  config.heads = 3;
  EXPECT_EQ(get_error_message(Tensor({2, 4}), config),
            "heads: 3 does not divide embed_dim; expected a divisor of 4");
  config.heads = 0;
  EXPECT_EQ(get_error_message(Tensor({2, 4}), config), "heads: 0 is outside 1 to 1048576");
  config = {};
  config.position_offset = 2147483647.0;
  EXPECT_EQ(get_error_message(Tensor({2, 4}), config),
            "position_offset: 2147483647 is outside -2147483647 to 2147483646");
  config = {};
  config.encoding.id = "rope";
  EXPECT_EQ(get_error_message(Tensor({2, 3}), config).rfind("dim: 3 is odd", 0), 0u);
  config.encoding.id = "nothing";
  EXPECT_EQ(self_attention(Tensor({2, 4}), config).status().code(), StatusCode::unknown_name);
  Tensor invalid_tensor({2, 2});
  invalid_tensor.data[3] = NAN;
  EXPECT_EQ(get_error_message(invalid_tensor, {}), "x[3]: NaN is not a finite number");
}

TEST(SelfAttention, RejectsOptionsOutsideTheirRange) {
  const Tensor x({3, 4});
  const auto get_error_message = [&](const SelfAttentionConfig& config) {
    return self_attention(x, config).status().message();
  };
  const auto make_config = [](const char* id, Params params = {}) {
    SelfAttentionConfig config;
    config.heads = 2;
    config.encoding = {.id = id, .params = std::move(params)};
    return config;
  };
  SelfAttentionConfig config = make_config("none");
  config.window = 0;
  EXPECT_EQ(get_error_message(config), "window: 0 is outside 1 to 2147483647");
  config.window = 1;
  config.outputs.head = 2;
  EXPECT_EQ(get_error_message(config), "head: 2 is outside 0 to 1");
  config.outputs.head = -1;
  EXPECT_EQ(get_error_message(config), "head: -1 is outside 0 to 1");
  config.outputs.head = 1;
  EXPECT_EQ(get_error_message(config), "");
  config.scale = std::nan("");
  EXPECT_EQ(get_error_message(config), "scale: NaN is not a finite number");
  config.scale = {};
  config.position_offset = 0.5;
  EXPECT_EQ(get_error_message(config), "position_offset: 0.5 is not a whole number");
  config = make_config("binary");
  EXPECT_EQ(get_error_message(config), "");
  config = make_config("learned", {{"max_length", 4.0}});
  config.position_offset = 1;
  EXPECT_EQ(get_error_message(config), "");
  config.position_offset = 2;
  EXPECT_NE(get_error_message(config), "");
  EXPECT_EQ(get_error_message(make_config("relative_bias", {{"max_length", 3.0}})), "");
  EXPECT_EQ(get_error_message(make_config("relative_bias", {{"max_length", 2.0}})),
            "max_length: 2 is too small for tokens at distance 2; expected a larger value, or "
            "beyond: \"clip\"");
}

TEST(SelfAttention, OrthogonalProjectionsPreserveNorms) {
  // With one token the output is its value, x times an orthogonal matrix.
  SelfAttentionConfig config;
  config.projections = Projections::orthogonal;
  const Tensor x = dyadic(4, {1, 32});
  double norm_before = 0;
  for (const float c : x.data) norm_before += static_cast<double>(c) * static_cast<double>(c);
  for (const std::uint32_t seed : {0u, 1u, 4294967295u}) {
    config.seed = seed;
    ASSERT_OK_AND_ASSIGN(AttentionResult result, self_attention(x, config));
    double norm_after = 0;
    for (const float c : result.output.data)
      norm_after += static_cast<double>(c) * static_cast<double>(c);
    EXPECT_NEAR(norm_after / norm_before, 1.0, 1e-5);
    EXPECT_NE(result.output.data, x.data);
  }
}

// A table of two channels, against a layer of embeddings to which its values were added before.
TEST(SelfAttention, NarrowTablesAreAddedToTheFirstChannels) {
  const Tensor x = dyadic(6, {5, 8});
  SelfAttentionConfig config;
  config.heads = 2;
  config.position_offset = 3;
  config.outputs.weights = true;
  config.encoding.id = "sin_cos";
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, self_attention(x, config));
  Tensor embeddings = x;
  for (int t = 0; t < 5; ++t) {
    matrix(embeddings).row(t)[0] += std::sin(static_cast<float>(t + 3));
    matrix(embeddings).row(t)[1] += std::cos(static_cast<float>(t + 3));
  }
  config.encoding.id = "none";
  ASSERT_OK_AND_ASSIGN(AttentionResult expected, self_attention(embeddings, config));
  EXPECT_LT(largest_error(actual.output.data, expected.output.data), 1e-5);
  EXPECT_LT(largest_error(actual.weights.data, expected.weights.data), 1e-5);

  config.encoding = {.id = "nerf", .params = {{"levels", 5.0}}};
  EXPECT_EQ(self_attention(x, config).status().message(),
            "dim: nerf has 10 channels; expected at most 8, the embedding dim");
}

TEST(SelfAttention, OneHeadWithoutTheOutputIsBitIdentical) {
  const Tensor x = dyadic(6, {40, 16});
  for (const char* id :
       {"none", "sinusoidal", "rope", "alibi", "t5", "transformer_xl", "shaw", "cope"}) {
    for (const Mask mask : {Mask::none, Mask::causal}) {
      // Scores of the second scale overflow and are computed in double.
      for (const double scale : {0.5, 1e20}) {
        SelfAttentionConfig config{
            .heads = 4, .encoding = {.id = id}, .mask = mask, .scale = scale};
        config.outputs = {.weights = true, .scores = scale < 1, .bias = scale < 1, .head = 2};
        ASSERT_OK_AND_ASSIGN(const AttentionResult expected, self_attention(x, config));
        config.compute_output = false;
        ASSERT_OK_AND_ASSIGN(const AttentionResult actual, self_attention(x, config));
        EXPECT_EQ(actual.weights.shape, (std::vector<int>{1, 40, 40}));
        EXPECT_EQ(actual.weights.data, expected.weights.data) << id;
        EXPECT_EQ(actual.scores.data, expected.scores.data) << id;
        EXPECT_EQ(actual.bias.data, expected.bias.data) << id;
        EXPECT_TRUE(actual.output.empty());
        EXPECT_TRUE(actual.output.shape.empty());
      }
    }
  }
}

TEST(SelfAttention, ReturnsAllHeadsWithoutTheOutput) {
  const Tensor x = dyadic(6, {5, 8});
  SelfAttentionConfig config{.heads = 2, .encoding = {.id = "alibi"}, .outputs = {.weights = true}};
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, self_attention(x, config));
  config.compute_output = false;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, self_attention(x, config));
  EXPECT_EQ(actual.weights.shape, (std::vector<int>{2, 5, 5}));
  EXPECT_EQ(actual.weights.data, expected.weights.data);
}

TEST(SelfAttention, SizesBeyondMemoryAreRejectedBeforeAllocation) {
  Status status =
      self_attention(Tensor({20000, 1}), {.heads = 1, .encoding = {}, .outputs = {.weights = true}})
          .status();
  EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(
      status.message(),
      "outputs: weights of 1 x 20000 x 20000 numbers would take 1526 MiB; at most 1024 MiB can "
      "be returned");
  const Tensor wide_input({1, 16387});
  const SelfAttentionConfig config{
      .heads = 1, .encoding = {}, .projections = Projections::orthogonal};
  for (const Status& error_status :
       {self_attention(wide_input, config).status(),
        self_attention_backward(wide_input, wide_input, config).status()}) {
    EXPECT_EQ(error_status.message(),
              "x: dim 16387 exceeds 1024, the maximum for orthogonal projections");
  }
}

// With one orthogonal matrix for both, the weights of a single head would be those of the
// embeddings.
TEST(SelfAttention, OrthogonalProjectionsDifferForQueriesAndKeys) {
  const Tensor x = dyadic(5, {6, 8});
  SelfAttentionConfig config;
  config.outputs.weights = true;
  AttentionResult orthogonal;
  ASSERT_OK_AND_ASSIGN(AttentionResult identity, self_attention(x, config));
  config.projections = Projections::orthogonal;
  ASSERT_OK_AND_ASSIGN(orthogonal, self_attention(x, config));
  EXPECT_GT(largest_error(orthogonal.weights.data, identity.weights.data), 1e-2);
}

}  // namespace
}  // namespace phasor::test
