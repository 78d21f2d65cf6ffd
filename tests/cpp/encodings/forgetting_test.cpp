#include "token_reference.h"

namespace phasor::test::forgetting_test {
namespace {

Tensor gates(std::uint64_t seed, std::vector<int> shape) {
  Tensor t = dyadic(seed, std::move(shape));
  for (float& x : t.data) x = std::min(0.0f, (x - 1.0f) * 0.5f);
  return t;
}

CausalInputs inputs(int heads, int kv_heads, int queries, int keys, int dim = 8) {
  CausalInputs in{.config = {.encoding = {.id = "forgetting", .params = {}}, .mask = Mask::causal},
                  .q = dyadic(1, {heads, queries, dim}),
                  .k = dyadic(2, {kv_heads, keys, dim}),
                  .v = dyadic(3, {kv_heads, keys, dim + 1})};
  in.config.token_tensors["log_gates"] = gates(4, {heads, keys});
  return in;
}

double rotated_product(const CausalInputs& in, int head, int i, int j, double base) {
  const std::vector<double> q = in.query(head, i), k = in.key(head, j);
  double sum = 0;
  for (std::size_t m = 0; 2 * m < q.size(); ++m) {
    const double angle =
        (i - j) * std::pow(base, -2.0 * static_cast<double>(m) / static_cast<double>(q.size()));
    sum += (q[2 * m] * k[2 * m] + q[2 * m + 1] * k[2 * m + 1]) * std::cos(angle) +
           (q[2 * m] * k[2 * m + 1] - q[2 * m + 1] * k[2 * m]) * std::sin(angle);
  }
  return sum;
}

double score(const CausalInputs& in, int head, int i, int j) {
  double sum = dot_of(in.query(head, i), in.key(head, j)) / std::sqrt(in.head_dim());
  for (int l = j + 1; l <= i; ++l) sum += in.token("log_gates", {head, l});
  return sum;
}

TEST(Forgetting, MatchesTheFormula) {
  for (const int keys : {1, 5, 33, 300}) {
    expect_output(inputs(2, 2, keys, keys), score);
    expect_output(inputs(4, 2, std::min(keys, 3), keys), score);
  }
  CausalInputs in = inputs(2, 1, 40, 40);
  in.config.window = 7;
  expect_output(in, score);
  in.config.key_mask = std::vector<std::uint8_t>(40, 1);
  for (const std::size_t hidden : {0u, 1u, 17u}) in.config.key_mask[hidden] = 0;
  expect_output(in, score);
}

TEST(Forgetting, SupportsRotation) {
  CausalInputs in = inputs(2, 1, 20, 20);
  in.config.encoding.params = {{"rotation", std::string("rope")}, {"base", 100.0}};
  expect_output(in, [](const CausalInputs& x, int h, int i, int j) {
    return score(x, h, i, j) +
           (rotated_product(x, h, i, j, 100) - dot_of(x.query(h, i), x.key(h, j))) /
               std::sqrt(x.head_dim());
  });
}

TEST(Forgetting, GradientsMatchFiniteDifferences) {
  expect_gradients(inputs(2, 2, 9, 9), score);
  CausalInputs in = inputs(4, 2, 5, 12);
  in.config.window = 6;
  expect_gradients(in, score);
}

TEST(Forgetting, CacheMatchesAttention) {
  CausalInputs in = inputs(4, 2, 70, 70);
  expect_cache(in, {1, 1, 30, 2, 36});
  in.config.window = 9;
  in.config.key_mask = std::vector<std::uint8_t>(70, 1);
  in.config.key_mask[0] = 0;
  expect_cache(in, {3, 67});
}

TEST(Forgetting, OpenGatesHaveNoEffect) {
  CausalInputs in = inputs(2, 1, 20, 20);
  for (float& gate : in.config.token_tensors.at("log_gates").data) gate = 0;
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(in.q, in.k, in.v, in.config));
  in.config.encoding = {};
  in.config.token_tensors = {};
  ASSERT_OK_AND_ASSIGN(const AttentionResult ungated, attention(in.q, in.k, in.v, in.config));
  EXPECT_EQ(got.output.data, ungated.output.data);
}

TEST(Forgetting, ConstantGatesEqualAlibi) {
  CausalInputs in = inputs(2, 2, 50, 50);
  Tensor& log_gates = in.config.token_tensors.at("log_gates");
  for (int t = 0; t < 50; ++t) {
    matrix(log_gates).row(0)[t] = -0.25f;
    matrix(log_gates).row(1)[t] = -0.0625f;
  }
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(in.q, in.k, in.v, in.config));
  in.config.encoding = {.id = "alibi", .params = {{"slopes", Tensor({2}, {0.25f, 0.0625f})}}};
  in.config.token_tensors = {};
  ASSERT_OK_AND_ASSIGN(const AttentionResult alibi, attention(in.q, in.k, in.v, in.config));
  EXPECT_LT(largest_error(got.output.data,
                          std::vector<double>(alibi.output.data.begin(), alibi.output.data.end())),
            1e-6);
}

TEST(Forgetting, ClosedGateHidesEarlierTokens) {
  CausalInputs in = inputs(1, 1, 12, 12);
  in.config.token_tensors.at("log_gates").data[7] = -1e4f;
  in.config.outputs = {.weights = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(in.q, in.k, in.v, in.config));
  for (int i = 7; i < 12; ++i) {
    for (int j = 0; j < 7; ++j) EXPECT_EQ(matrix(got.weights).row(i)[j], 0.0f) << i << " " << j;
  }
}

// Float32 sums would cancel: the bias of two neighbours at the end is the gate of one token.
TEST(Forgetting, GateSumsOfLongTextsAreAccurate) {
  constexpr int kTokens = 65536;
  CausalInputs in{.config = {.encoding = {.id = "forgetting", .params = {}}, .mask = Mask::causal},
                  .q = dyadic(1, {1, 1, 2}),
                  .k = dyadic(2, {1, kTokens, 2}),
                  .v = dyadic(3, {1, kTokens, 2})};
  Tensor log_gates({1, kTokens});
  for (int t = 0; t < kTokens; ++t)
    log_gates.data[static_cast<std::size_t>(t)] = -0.7f - 0.001f * static_cast<float>(t % 7);
  in.config.token_tensors["log_gates"] = log_gates;
  in.config.outputs = {.bias = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(in.q, in.k, in.v, in.config));
  double sum = 0;
  for (int j = kTokens - 1; j >= 0; --j) {
    const std::size_t index = static_cast<std::size_t>(j);
    ASSERT_NEAR(static_cast<double>(got.bias.data[index]), sum, 6e-8 * std::fabs(sum)) << j;
    sum += static_cast<double>(log_gates.data[index]);
  }
}

TEST(Forgetting, BatchItemsHaveSeparateGates) {
  const CausalInputs in = inputs(2, 1, 6, 6);
  const auto stack = [](const Tensor& x, const Tensor& y) {
    Tensor out(prepend_dim(2, x.shape));
    std::copy(y.data.begin(), y.data.end(),
              std::copy(x.data.begin(), x.data.end(), out.data.begin()));
    return out;
  };
  AttentionConfig config = in.config;
  const Tensor a = in.config.token_tensors.at("log_gates"), b = gates(77, {2, 6});
  config.token_tensors["log_gates"] = stack(a, b);
  const Tensor q = stack(in.q, in.q), k = stack(in.k, in.k), v = stack(in.v, in.v);
  ASSERT_OK_AND_ASSIGN(const AttentionResult batch, attention(q, k, v, config));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients,
                       attention_backward(q, k, v, batch.output, config));
  EXPECT_EQ(gradients.token_tensors.at("log_gates").shape, (std::vector<int>{2, 2, 6}));
  for (int item = 0; item < 2; ++item) {
    AttentionConfig single = in.config;
    single.token_tensors["log_gates"] = item == 0 ? a : b;
    ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(in.q, in.k, in.v, single));
    const std::ptrdiff_t size = static_cast<std::ptrdiff_t>(got.output.data.size());
    const std::vector<float> expected(batch.output.data.begin() + item * size,
                                      batch.output.data.begin() + (item + 1) * size);
    EXPECT_EQ(got.output.data, expected);
    ASSERT_OK_AND_ASSIGN(const AttentionGradients single_grad,
                         attention_backward(in.q, in.k, in.v, got.output, single));
    const std::vector<float>& grad = gradients.token_tensors.at("log_gates").data;
    EXPECT_EQ(single_grad.token_tensors.at("log_gates").data,
              std::vector<float>(grad.begin() + item * 12, grad.begin() + (item + 1) * 12));
  }
}

TEST(Forgetting, LayerComputesAndTrainsGates) {
  constexpr int kTokens = 9, kDim = 8, kHeads = 2;
  const Tensor x = dyadic(11, {kTokens, kDim}), weight = dyadic(12, {kHeads, kDim}),
               bias = dyadic(13, {kHeads});
  SelfAttentionConfig config{
      .heads = kHeads,
      .encoding = {.id = "forgetting", .params = {{"gate_weight", weight}, {"gate_bias", bias}}},
      .mask = Mask::causal};
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, self_attention(x, config));
  CausalInputs in = inputs(kHeads, kHeads, kTokens, kTokens, kDim / kHeads);
  for (int h = 0; h < kHeads; ++h) {
    for (int t = 0; t < kTokens; ++t) {
      double logit = static_cast<double>(bias.data[static_cast<std::size_t>(h)]);
      for (int c = 0; c < kDim; ++c)
        logit += static_cast<double>(matrix(weight).row(h)[c]) *
                 static_cast<double>(matrix(x).row(t)[c]);
      matrix(in.config.token_tensors.at("log_gates")).row(h)[t] =
          static_cast<float>(-std::log1p(std::exp(-logit)));
      for (Tensor* tensor : {&in.q, &in.k}) {
        for (int c = 0; c < kDim / kHeads; ++c)
          matrix(*tensor, h).row(t)[c] = matrix(x).row(t)[h * kDim / kHeads + c];
      }
    }
  }
  in.v = in.k;
  const std::vector<double> expected = reference_output(in, score);
  for (int h = 0; h < kHeads; ++h) {
    for (int t = 0; t < kTokens; ++t) {
      for (int c = 0; c < kDim / kHeads; ++c)
        EXPECT_NEAR(static_cast<double>(matrix(got.output).row(t)[h * kDim / kHeads + c]),
                    expected[static_cast<std::size_t>((h * kTokens + t) * kDim / kHeads + c)],
                    1e-5);
    }
  }
  const Tensor d_output = dyadic(14, {kTokens, kDim});
  ASSERT_OK_AND_ASSIGN(const SelfAttentionGradients gradients,
                       self_attention_backward(x, d_output, config));
  for (const char* name : {"gate_weight", "gate_bias"}) {
    Tensor& value = std::get<Tensor>(config.encoding.params.at(name));
    for (std::size_t i = 0; i < value.data.size(); ++i) {
      const float original = value.data[i];
      double loss[2] = {};
      for (const int side : {0, 1}) {
        value.data[i] = original + (side == 0 ? 0.03125f : -0.03125f);
        ASSERT_OK_AND_ASSIGN(const AttentionResult out, self_attention(x, config));
        loss[side] = dot_product(out.output, d_output);
      }
      value.data[i] = original;
      EXPECT_NEAR(static_cast<double>(gradients.parameters.at(name).data[i]),
                  (loss[0] - loss[1]) / 0.0625, 5e-3)
          << name << i;
    }
  }
}

TEST(Forgetting, RejectsUndefinedCases) {
  CausalInputs in = inputs(2, 1, 5, 6);
  const auto error = [&](const auto& change) {
    CausalInputs other = in;
    change(other.config);
    return refusal_of(other);
  };
  const Tensor valid({2, 6}), narrow_gates({1, 6});
  EXPECT_EQ(error([](AttentionConfig& c) { c.token_tensors = {}; }),
            "log_gates: is missing; forgetting expects it in token_tensors with shape 2 x 6");
  EXPECT_EQ(error([&](AttentionConfig& c) { c.token_tensors["gates"] = valid; }),
            "gates: is not a token tensor of forgetting; expected one of log_gates");
  EXPECT_EQ(error([&](AttentionConfig& c) { c.token_tensors["log_gates"] = narrow_gates; }),
            "log_gates: has shape 1 x 6; expected 2 x 6 (heads, tokens)");
  EXPECT_EQ(error([](AttentionConfig& c) { c.token_tensors["log_gates"].data[3] = 0.5f; }),
            "log_gates[3]: 0.5 is too large; expected at most 0");
  EXPECT_EQ(error([](AttentionConfig& c) { c.token_tensors["log_gates"].data[3] = NAN; }),
            "log_gates[3]: NaN is not a finite number");
  EXPECT_EQ(error([](AttentionConfig& c) { c.mask = Mask::none; }),
            "mask: \"none\" lets queries attend to later keys, for which forgetting is not "
            "defined; expected \"causal\"");
  EXPECT_EQ(error([](AttentionConfig& c) { c.position_offset = 2; }),
            "position_offset: 2 is not a whole number from 0 to 1; forgetting requires the index "
            "of a key");
  EXPECT_EQ(error([](AttentionConfig& c) { c.encoding = {}; }),
            "log_gates: none has no token tensors");
  EXPECT_EQ(error([](AttentionConfig& c) { c.encoding.params["gate_bias"] = Tensor({2}); }),
            "gate_bias: applies only to self-attention layers, which compute gates from "
            "embeddings; pass log_gates to attention");
  EXPECT_EQ(error([](AttentionConfig& c) {
              c.query_positions.values = {0, 1, 2, 3, 4};
              c.key_positions.values = {0, 1, 2, 3, 4, 5};
            }),
            "query_positions[0]: 0 is not 1, the key position of this token; forgetting requires "
            "equal positions");
  EXPECT_FALSE(attention_bias({.id = "forgetting", .params = {}}, 2, 3, 3, 0).ok());
  SelfAttentionConfig unmasked{.encoding = {.id = "forgetting", .params = {}}};
  EXPECT_FALSE(self_attention(dyadic(1, {4, 4}), unmasked).ok());
}

}  // namespace
}  // namespace phasor::test::forgetting_test
