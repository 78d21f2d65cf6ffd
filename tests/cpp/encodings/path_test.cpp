#include "path_reference.h"

namespace phasor::test::path_test {
namespace {

// Chunks have 64 tokens, blocks 1,024 keys.
TEST(Path, MatchesTheFormulaAroundChunkBoundaries) {
  for (const int keys : {1, 2, 63, 64, 65, 130, 200}) {
    expect_output(inputs(2, 2, keys, keys), score);
    expect_output(inputs(4, 2, std::min(keys, 5), keys, 8), score);
  }
  expect_output(inputs(1, 1, 3, 1100), score);
}

TEST(Path, ExplainSoftmaxReturnsTheScaledScores) {
  const CausalInputs in = inputs(2, 1, 80, 80);
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation actual,
                       explain_softmax(in.q, in.k, in.config, 1, 79));
  EXPECT_LT(actual.max_abs_diff, 1e-6);
  for (int j = 0; j < 80; ++j)
    EXPECT_NEAR(static_cast<double>(actual.scaled.data[static_cast<std::size_t>(j)]),
                score(in, 1, 79, j), 1e-5);
}

TEST(Path, SupportsWindowsAndHiddenKeys) {
  for (const int window : {3, 70}) {
    CausalInputs in = inputs(2, 1, 150, 150);
    in.config.window = window;
    expect_output(in, score);
    in.config.key_mask = std::vector<std::uint8_t>(150, 1);
    for (const std::size_t hidden : {0u, 1u, 80u}) in.config.key_mask[hidden] = 0;
    expect_output(in, score);
  }
}

TEST(Path, UsesUnnormalisedDirections) {
  CausalInputs in = inputs(2, 1, 20, 20);
  for (float& x : in.config.token_tensors.at("w").data) x *= 0.25f;
  in.config.encoding.params = {{"normalise_w", false}};
  expect_output(in, [](const CausalInputs& input, int h, int i, int j) {
    return key_product(input, h, i, j, false);
  });
}

TEST(Path, AddsForgetGates) {
  CausalInputs in = inputs(2, 1, 80, 80);
  add_gates(in);
  expect_output(in, gated_score);
  in.config.encoding.params = {{"gate_scaled", false}};
  in.config.scale = 0.75;
  expect_output(in, [](const CausalInputs& input, int h, int i, int j) {
    double sum = 0.75 * std::sqrt(input.head_dim()) * key_product(input, h, i, j);
    for (int l = j + 1; l <= i; ++l) sum += input.token("log_gates", {h, l});
    return sum;
  });
}

// The scale multiplies gates too; a negative scale makes them increase scores.
TEST(Path, ScalesForgetGatesByANegativeScale) {
  CausalInputs in = inputs(2, 1, 7, 80);
  add_gates(in);
  in.config.encoding.params = {{"gate_scaled", true}};
  in.config.scale = -0.75;
  const auto negative_score = [](const CausalInputs& input, int h, int i, int j) {
    return -0.75 * std::sqrt(input.head_dim()) * gated_score(input, h, i, j);
  };
  expect_output(in, negative_score);
  expect_gradients(in, negative_score);
}

TEST(Path, GradientsMatchFiniteDifferences) {
  expect_gradients(inputs(2, 2, 7, 7), score);
  expect_gradients(inputs(2, 1, 2, 134), score);
  CausalInputs in = inputs(1, 1, 3, 134);
  in.config.window = 90;
  add_gates(in);
  expect_gradients(in, gated_score);
  in = inputs(1, 1, 3, 66);
  for (float& x : in.config.token_tensors.at("w").data) x *= 0.25f;
  in.config.encoding.params = {{"normalise_w", false}};
  expect_gradients(in, [](const CausalInputs& input, int h, int i, int j) {
    return key_product(input, h, i, j, false);
  });
}

TEST(Path, CacheMatchesAttention) {
  expect_cache(inputs(4, 2, 200, 200), {1, 60, 2, 1, 1, 64, 71});
}

TEST(Path, ReflectionsOfStrengthZeroHaveNoEffect) {
  CausalInputs in = inputs(2, 1, 100, 100);
  for (float& beta : in.config.token_tensors.at("beta").data) beta = 0;
  expect_output(in, [](const CausalInputs& input, int h, int i, int j) {
    return dot_of(input.query(h, i), input.key(h, j)) / std::sqrt(input.head_dim());
  });
}

// The queries are unit vectors, so their scores with a key are its channels after reflection.
TEST(Path, ReflectionsOfStrengthTwoPreserveNorms) {
  CausalInputs in = inputs(1, 1, 4, 100);
  for (float& beta : in.config.token_tensors.at("beta").data) beta = 2;
  in.config.encoding.params = {{"eps", 0.0}};
  for (float& x : in.q.data) x = 0;
  for (int c = 0; c < 4; ++c) matrix(in.q).row(c)[c] = 1;
  in.config.token_tensors.at("beta").data[97] = 0;
  in.config.token_tensors.at("beta").data[98] = 0;
  in.config.token_tensors.at("beta").data[99] = 0;
  in.config.scale = 1;
  in.config.outputs = {.scores = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, in.config));
  for (int j = 0; j < 96; ++j) {
    double length = 0;
    for (int c = 0; c < 4; ++c)
      length += std::pow(static_cast<double>(matrix(actual.scores).row(c)[j]), 2);
    EXPECT_NEAR(length, dot_of(in.key(0, j), in.key(0, j)), 1e-4) << j;
  }
}

TEST(Path, ReflectionOfStrengthOneErasesItsDirection) {
  CausalInputs in = inputs(1, 1, 80, 80);
  Tensor &w = in.config.token_tensors.at("w"), &beta = in.config.token_tensors.at("beta");
  for (std::size_t i = 0; i < w.data.size(); ++i) w.data[i] = i % 4 == 0 ? 1.0f : 0.0f;
  for (float& b : beta.data) b = 1;
  in.config.encoding.params = {{"normalise_w", false}};
  expect_output(in, [](const CausalInputs& input, int h, int i, int j) {
    std::vector<double> k = input.key(h, j);
    if (j < i) k[0] = 0;
    return dot_of(input.query(h, i), k) / std::sqrt(input.head_dim());
  });
}

TEST(Path, LayerComputesAndTrainsDirections) {
  constexpr int kTokens = 70, kDim = 8, kHeads = 2, kHead = kDim / kHeads, kRank = 3;
  const Tensor x = dyadic(31, {kTokens, kDim});
  const auto small_tensor = [](std::uint64_t seed, std::vector<int> shape) {
    Tensor t = dyadic(seed, std::move(shape));
    for (float& value : t.data) value *= 0.5f;
    return t;
  };
  const Tensor down_projection = small_tensor(32, {kRank, kDim}),
               up_projection = small_tensor(33, {kDim, kRank}), conv = small_tensor(34, {kDim, 3}),
               weight = small_tensor(35, {kHeads, kDim}), bias = small_tensor(36, {kHeads});
  SelfAttentionConfig config{.heads = kHeads,
                             .encoding = {.id = "path",
                                          .params = {{"rank", static_cast<double>(kRank)},
                                                     {"w_down", down_projection},
                                                     {"w_up", up_projection},
                                                     {"w_conv", conv},
                                                     {"beta_weight", weight},
                                                     {"beta_bias", bias}}},
                             .mask = Mask::causal};
  const auto entry = [](const Tensor& t, int r, int c) {
    return static_cast<double>(matrix(t).row(r)[c]);
  };
  CausalInputs in = inputs(kHeads, kHeads, kTokens, kTokens, kHead);
  for (int t = 0; t < kTokens; ++t) {
    for (int c = 0; c < kDim; ++c) {
      double z = 0;
      for (int n = 0; n < 3; ++n) {
        for (int r = 0; t - 2 + n >= 0 && r < kRank; ++r) {
          for (int e = 0; e < kDim; ++e)
            z += entry(conv, c, n) * entry(up_projection, c, r) * entry(down_projection, r, e) *
                 entry(x, t - 2 + n, e);
        }
      }
      matrix(in.config.token_tensors.at("w"), c / kHead).row(t)[c % kHead] =
          static_cast<float>(z / (1 + std::exp(-z)));
      for (Tensor* tensor : {&in.q, &in.k})
        matrix(*tensor, c / kHead).row(t)[c % kHead] = matrix(x).row(t)[c];
    }
    for (int h = 0; h < kHeads; ++h) {
      double logit = static_cast<double>(bias.data[static_cast<std::size_t>(h)]);
      for (int e = 0; e < kDim; ++e) logit += entry(weight, h, e) * entry(x, t, e);
      matrix(in.config.token_tensors.at("beta")).row(h)[t] =
          static_cast<float>(2 / (1 + std::exp(-logit)));
    }
  }
  in.v = in.k;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, self_attention(x, config));
  const std::vector<double> expected = reference_output(in, score);
  for (int t = 0; t < kTokens; ++t) {
    for (int c = 0; c < kDim; ++c)
      EXPECT_NEAR(entry(actual.output, t, c),
                  expected[static_cast<std::size_t>((c / kHead * kTokens + t) * kHead + c % kHead)],
                  2e-5);
  }
  const Tensor d_output = dyadic(37, {kTokens, kDim});
  ASSERT_OK_AND_ASSIGN(const SelfAttentionGradients gradients,
                       self_attention_backward(x, d_output, config));
  const auto compute_loss = [&](const Tensor& input) {
    return dot_product(value_of(self_attention(input, config)).output, d_output);
  };
  constexpr float kStep = 1.0f / 256;
  for (const char* name : {"w_down", "w_up", "w_conv", "beta_weight", "beta_bias"}) {
    Tensor& value = std::get<Tensor>(config.encoding.params.at(name));
    for (std::size_t i = 0; i < value.data.size(); i += 3) {
      const float original = value.data[i];
      value.data[i] = original + kStep;
      const double loss_above = compute_loss(x);
      value.data[i] = original - kStep;
      const double slope = (loss_above - compute_loss(x)) / (2 * static_cast<double>(kStep));
      value.data[i] = original;
      EXPECT_NEAR(static_cast<double>(gradients.parameters.at(name).data[i]), slope,
                  0.02 * (1 + std::fabs(slope)))
          << name << i;
    }
  }
  Tensor changed_x = x;
  for (std::size_t i = 0; i < x.data.size(); i += 61) {
    changed_x.data[i] = x.data[i] + kStep;
    const double loss_above = compute_loss(changed_x);
    changed_x.data[i] = x.data[i] - kStep;
    const double slope = (loss_above - compute_loss(changed_x)) / (2 * static_cast<double>(kStep));
    changed_x.data[i] = x.data[i];
    EXPECT_NEAR(static_cast<double>(gradients.d_x.data[i]), slope, 0.02 * (1 + std::fabs(slope)))
        << i;
  }
}

TEST(Path, RejectsUndefinedCases) {
  CausalInputs in = inputs(2, 1, 4, 5);
  in.config.mask = Mask::none;
  EXPECT_EQ(refusal_of(in),
            "mask: \"none\" lets queries attend to later keys, for which path is not defined; "
            "expected \"causal\"");
  in.config.mask = Mask::causal;
  in.config.token_tensors["w"] = Tensor({2, 5, 4});
  EXPECT_EQ(refusal_of(in), "w: has shape 2 x 5 x 4; expected 1 x 5 x 4 (kv_heads, tokens, dim)");
  in = inputs(2, 1, 4, 5);
  in.config.token_tensors.add("w", in.config.token_tensors.at("w"));
  EXPECT_EQ(refusal_of(in), "w: occurs twice; expected one tensor");
  in.config.token_tensors = {};
  EXPECT_EQ(refusal_of(in), "w: is missing; path expects it in token_tensors with shape 1 x 5 x 4");
  // A strength above 2 would lengthen keys; models compute 2 sigmoid, which is at most 2.
  in = inputs(2, 1, 4, 5);
  in.config.token_tensors.at("beta").data[3] = 2.5f;
  EXPECT_EQ(refusal_of(in), "beta[3]: 2.5 is too large; expected at most 2");
  in.config.token_tensors.at("beta").data[3] = -0.5f;
  EXPECT_EQ(refusal_of(in), "beta[3]: -0.5 is too small; expected at least 0");
  in = inputs(2, 1, 4, 5);
  in.config.encoding.params["w_up"] = Tensor({4, 32});
  EXPECT_EQ(refusal_of(in),
            "w_up: applies only to self-attention layers, which compute w and beta from "
            "embeddings; pass w and beta to attention");
}

}  // namespace
}  // namespace phasor::test::path_test
