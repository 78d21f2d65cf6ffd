// Projections, concatenated heads and error messages of self_attention.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/attention.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(SelfAttention, RejectsInvalidArguments) {
  const auto message = [&](const Tensor& x, const SelfAttentionConfig& config) {
    return self_attention(x, config).status().message();
  };
  SelfAttentionConfig config;
  EXPECT_EQ(message(Tensor({1, 2, 3}), config), "x: has shape 1 x 2 x 3; expected length x dim");
  EXPECT_EQ(message(Tensor({0, 3}), config), "x: has shape 0 x 3; expected length x dim");
  config.heads = 3;
  EXPECT_EQ(message(Tensor({2, 4}), config),
            "heads: 3 does not divide embed_dim; expected a divisor of 4");
  config.heads = 0;
  EXPECT_EQ(message(Tensor({2, 4}), config), "heads: 0 is outside 1 to 1048576");
  config = {};
  config.position_offset = 2147483647.0;
  EXPECT_EQ(message(Tensor({2, 4}), config),
            "position_offset: 2147483647 is outside -2147483647 to 2147483646");
  config = {};
  config.encoding.id = "rope";
  EXPECT_EQ(message(Tensor({2, 3}), config).rfind("dim: 3 is odd", 0), 0u);
  config.encoding.id = "nothing";
  EXPECT_EQ(self_attention(Tensor({2, 4}), config).status().code(), StatusCode::unknown_name);
  Tensor bad({2, 2});
  bad.data[3] = NAN;
  EXPECT_EQ(message(bad, {}), "x[3]: NaN is not a finite number");
}

TEST(SelfAttention, RejectsOptionsOutsideTheirRange) {
  const Tensor x({3, 4});
  const auto message = [&](const SelfAttentionConfig& config) {
    return self_attention(x, config).status().message();
  };
  const auto with = [](const char* id, Params params = {}) {
    SelfAttentionConfig config;
    config.heads = 2;
    config.encoding = {.id = id, .params = std::move(params)};
    return config;
  };
  SelfAttentionConfig config = with("none");
  config.window = 0;
  EXPECT_EQ(message(config), "window: 0 is outside 1 to 2147483647");
  config.window = 1;
  config.outputs.head = 2;
  EXPECT_EQ(message(config), "head: 2 is outside 0 to 1");
  config.outputs.head = -1;
  EXPECT_EQ(message(config), "head: -1 is outside 0 to 1");
  config.outputs.head = 1;
  EXPECT_EQ(message(config), "");
  config.scale = std::nan("");
  EXPECT_EQ(message(config), "scale: NaN is not a finite number");
  config.scale = {};
  config.position_offset = 0.5;
  EXPECT_EQ(message(config), "position_offset: 0.5 is not a whole number");
  config = with("binary");
  EXPECT_EQ(message(config), "");
  config = with("learned", {{"max_length", 4.0}});
  config.position_offset = 1;
  EXPECT_EQ(message(config), "");
  config.position_offset = 2;
  EXPECT_NE(message(config), "");
  EXPECT_EQ(message(with("relative_bias", {{"max_length", 3.0}})), "");
  EXPECT_EQ(message(with("relative_bias", {{"max_length", 2.0}})),
            "max_length: 2 is too small for tokens at distance 2; expected a larger value, or "
            "beyond: \"clip\"");
}

TEST(SelfAttention, OrthogonalProjectionsPreserveNorms) {
  // With one token the output is its value, x times an orthogonal matrix.
  SelfAttentionConfig config;
  config.projections = Projections::orthogonal;
  const Tensor x = dyadic(4, {1, 32});
  double before = 0;
  for (const float c : x.data) before += static_cast<double>(c) * static_cast<double>(c);
  for (const std::uint32_t seed : {0u, 1u, 4294967295u}) {
    config.seed = seed;
    ASSERT_OK_AND_ASSIGN(AttentionResult out, self_attention(x, config));
    double after = 0;
    for (const float c : out.output.data) after += static_cast<double>(c) * static_cast<double>(c);
    EXPECT_NEAR(after / before, 1.0, 1e-5);
    EXPECT_NE(out.output.data, x.data);
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
  ASSERT_OK_AND_ASSIGN(AttentionResult narrow, self_attention(x, config));
  Tensor moved = x;
  for (int t = 0; t < 5; ++t) {
    matrix(moved).row(t)[0] += std::sin(static_cast<float>(t + 3));
    matrix(moved).row(t)[1] += std::cos(static_cast<float>(t + 3));
  }
  config.encoding.id = "none";
  ASSERT_OK_AND_ASSIGN(AttentionResult by_hand, self_attention(moved, config));
  EXPECT_LT(largest_error(narrow.output.data, by_hand.output.data), 1e-5);
  EXPECT_LT(largest_error(narrow.weights.data, by_hand.weights.data), 1e-5);

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
        ASSERT_OK_AND_ASSIGN(const AttentionResult whole, self_attention(x, config));
        config.compute_output = false;
        ASSERT_OK_AND_ASSIGN(const AttentionResult part, self_attention(x, config));
        EXPECT_EQ(part.weights.shape, (std::vector<int>{1, 40, 40}));
        EXPECT_EQ(part.weights.data, whole.weights.data) << id;
        EXPECT_EQ(part.scores.data, whole.scores.data) << id;
        EXPECT_EQ(part.bias.data, whole.bias.data) << id;
        EXPECT_TRUE(part.output.empty());
        EXPECT_TRUE(part.output.shape.empty());
      }
    }
  }
}

TEST(SelfAttention, ReturnsAllHeadsWithoutTheOutput) {
  const Tensor x = dyadic(6, {5, 8});
  SelfAttentionConfig config{.heads = 2, .encoding = {.id = "alibi"}, .outputs = {.weights = true}};
  ASSERT_OK_AND_ASSIGN(const AttentionResult whole, self_attention(x, config));
  config.compute_output = false;
  ASSERT_OK_AND_ASSIGN(const AttentionResult part, self_attention(x, config));
  EXPECT_EQ(part.weights.shape, (std::vector<int>{2, 5, 5}));
  EXPECT_EQ(part.weights.data, whole.weights.data);
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
  const Tensor wide({1, 16387});
  const SelfAttentionConfig projected{
      .heads = 1, .encoding = {}, .projections = Projections::orthogonal};
  for (const Status& rejected : {self_attention(wide, projected).status(),
                                 self_attention_backward(wide, wide, projected).status()}) {
    EXPECT_EQ(rejected.message(),
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
