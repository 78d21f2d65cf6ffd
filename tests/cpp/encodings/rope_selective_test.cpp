#include "selective_reference.h"

namespace phasor::test::rope_selective_test {
namespace {

TEST(RopeSelective, MatchesTheFormula) {
  for (const int keys : {1, 5, 40}) {
    CausalInputs in = inputs(2, keys, keys);
    expect_output(in, score);
    in.config.token_tensors["gate"] = dyadic(45, {2, keys});
    expect_output(in, score);
  }
  expect_output(inputs(2, 3, 20), score);
}

TEST(RopeSelective, GradientsMatchFiniteDifferences) {
  CausalInputs in = inputs(2, 6, 6);
  expect_gradients(in, score);
  in = inputs(2, 4, 9);
  in.config.token_tensors["gate"] = dyadic(45, {2, 9});
  expect_gradients(in, score);
}

TEST(RopeSelective, CacheMatchesAttention) {
  CausalInputs in = inputs(2, 30, 30);
  in.config.token_tensors["gate"] = dyadic(45, {2, 30});
  expect_cache(in, {1, 20, 2, 7});
}

TEST(RopeSelective, StepsOfOneEqualRope) {
  CausalInputs in = inputs(2, 20, 20);
  for (float& step : in.config.token_tensors.at("steps").data) step = 1;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, in.config));
  in.config.encoding = {.id = "rope",
                        .params = {{"base", kBase}, {"layout", std::string("half_split")}}};
  in.config.token_tensors = {};
  ASSERT_OK_AND_ASSIGN(const AttentionResult rope, attention(in.q, in.k, in.v, in.config));
  EXPECT_LT(largest_error(actual.output.data,
                          std::vector<double>(rope.output.data.begin(), rope.output.data.end())),
            2e-6);
}

TEST(RopeSelective, LayerComputesStepsFromEmbeddings) {
  const Tensor x = dyadic(31, {kTokens, kEmbedDim});
  for (const bool is_biased : {false, true}) {
    for (const bool is_gated : {false, true}) {
      const SelfAttentionConfig config{
          .heads = kHeads, .encoding = make_encoding(is_biased, is_gated), .mask = Mask::causal};
      ASSERT_OK_AND_ASSIGN(const AttentionResult actual, self_attention(x, config));
      EXPECT_LT(largest_error(actual.output.data, layer_formula(x, config.encoding)), 4e-6)
          << is_biased << is_gated;
    }
  }
}

TEST(RopeSelective, LayerGradientsMatchFiniteDifferences) {
  Tensor x = dyadic(31, {kTokens, kEmbedDim});
  const Tensor d_output = dyadic(38, {kTokens, kEmbedDim});
  EncodingConfig encoding = make_encoding(true, true);
  ASSERT_OK_AND_ASSIGN(
      const SelfAttentionGradients actual,
      self_attention_backward(x, d_output,
                              {.heads = kHeads, .encoding = encoding, .mask = Mask::causal}));
  const auto compute_loss = [&] {
    const std::vector<double> out = layer_formula(x, encoding);
    double sum = 0;
    for (std::size_t i = 0; i < out.size(); ++i)
      sum += out[i] * static_cast<double>(d_output.data[i]);
    return sum;
  };
  const auto expect_gradient = [&](const char* name, Tensor& values, const Tensor& gradient,
                                   std::size_t stride) {
    ASSERT_EQ(values.shape, gradient.shape) << name;
    constexpr float kStep = 1.0f / 512;
    double largest = 0;
    for (std::size_t i = 0; i < values.data.size(); i += stride) {
      const float original = values.data[i];
      values.data[i] = original + kStep;
      const double loss_above = compute_loss();
      values.data[i] = original - kStep;
      const double slope = (loss_above - compute_loss()) / (2 * static_cast<double>(kStep));
      values.data[i] = original;
      EXPECT_NEAR(static_cast<double>(gradient.data[i]), slope, 2e-3 * (1 + std::fabs(slope)))
          << name << "[" << i << "]";
      largest = std::max(largest, std::fabs(slope));
    }
    EXPECT_GT(largest, 0.05) << name << " has no influence";
  };
  ASSERT_EQ(actual.parameters.size(), 6u);
  for (const char* name :
       {"phi_down", "phi_up", "phi_conv", "phi_bias", "gate_weight", "gate_bias"})
    expect_gradient(name, std::get<Tensor>(encoding.params.at(name)), actual.parameters.at(name),
                    1);
  expect_gradient("x", x, actual.d_x, 5);
}

// With zero projections every token rotates by e^0 = 1, which is RoPE.
TEST(RopeSelective, LayerEqualsRopeWithZeroProjections) {
  const Tensor x = dyadic(39, {kTokens, kEmbedDim});
  SelfAttentionConfig config{.heads = kHeads,
                             .encoding = {.id = "rope_selective",
                                          .params = {{"base", kBase},
                                                     {"biased", true},
                                                     {"phi_conv", Tensor({kHeads * kPairs, 4})}}},
                             .mask = Mask::causal};
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, self_attention(x, config));
  config.encoding = {.id = "rope",
                     .params = {{"base", kBase}, {"layout", std::string("half_split")}}};
  ASSERT_OK_AND_ASSIGN(const AttentionResult rope, self_attention(x, config));
  EXPECT_LT(largest_error(actual.output.data, rope.output.data), 2e-6);
}

// A token of zeros has no direction: its steps come from the convolution with its neighbours.
TEST(RopeSelective, LayerSupportsZeroEmbeddings) {
  const Tensor x({kTokens, kEmbedDim});
  const SelfAttentionConfig config{.heads = kHeads, .encoding = make_encoding(false, true)};
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, self_attention(x, config));
  EXPECT_EQ(magnitude(actual.output.data), 0);
  ASSERT_OK_AND_ASSIGN(const SelfAttentionGradients gradients,
                       self_attention_backward(x, dyadic(1, {kTokens, kEmbedDim}), config));
  EXPECT_GT(magnitude(gradients.d_x.data), 0);
}

TEST(RopeSelective, RejectsUndefinedCases) {
  CausalInputs in = inputs(2, 4, 4);
  in.k = dyadic(42, {1, 4, 8});
  in.v = in.k;
  EXPECT_EQ(refusal_of(in),
            "kv_heads: 2 heads cannot share 1 key heads, because rope_selective rotates the keys "
            "of each head by separate steps");
  EXPECT_EQ(
      apply_rotary(in.config.encoding, Role::query, positions_from(0, 4), in.q).status().message(),
      "encoding: rope_selective rotates by token tensors, not by positions");
  for (const char* name :
       {"phi_down", "phi_up", "phi_conv", "phi_bias", "gate_weight", "gate_bias"}) {
    CausalInputs rejected = inputs(2, 4, 4);
    rejected.config.encoding.params = {
        {"biased", true}, {"gated", true}, {name, Tensor({1, 1}, {1})}};
    EXPECT_EQ(refusal_of(rejected),
              std::string(name) +
                  ": applies only to self-attention layers, which compute steps "
                  "and gate from embeddings; pass steps and gate to attention");
  }
  const auto layer_error = [](const OrderedMap<ParamValue>& params) {
    return self_attention(dyadic(1, {4, 16}),
                          {.heads = 2, .encoding = {.id = "rope_selective", .params = params}})
        .status()
        .message();
  };
  EXPECT_EQ(layer_error({{"phi_up", Tensor({8, 3})}}),
            "phi_up: has shape 8 x 3; expected 8 x 16 (channels x rank)");
  EXPECT_EQ(layer_error({{"biased", true}, {"phi_bias", Tensor({2, 3})}}),
            "phi_bias: has shape 2 x 3; expected 2 x 4 (heads x pairs)");
  EXPECT_EQ(layer_error({{"gated", true}, {"gate_bias", Tensor({3})}}),
            "gate_bias: has shape 3; expected 2 (heads)");
  EXPECT_EQ(layer_error({{"rank", 0.0}}), "rank: 0 is outside 1 to 4096");
  // either all decoded tokens have a gate or none
  CacheConfig config{
      .heads = 2, .kv_heads = 2, .head_dim = 8, .max_length = 9, .encoding = in.config.encoding};
  ASSERT_OK_AND_ASSIGN(auto cache, KeyValueCache::create(config));
  const Tensor x = dyadic(1, {2, 1, 8});
  DecodeConfig step;
  step.token_tensors["steps"] = dyadic(2, {2, 1, 4});
  ASSERT_TRUE(cache->decode(x, x, x, step).ok());
  step.token_tensors["gate"] = dyadic(3, {2, 1});
  EXPECT_EQ(cache->decode(x, x, x, step).status().message(),
            "gate: is set; expected none, as in earlier steps");
  EXPECT_EQ(cache->length(), 1);
}

}  // namespace
}  // namespace phasor::test::rope_selective_test
