#include <gtest/gtest.h>

#include "cache_steps.h"
#include "gradients.h"
#include "loss_slopes.h"
#include "numbers.h"
#include "phasor/phasor.h"

namespace phasor::test::dape_test {
namespace {

constexpr const char* kBiases[] = {"kerple", "alibi", "fire", "t5"};

EncodingConfig dape(const char* bias, Params params = {}) {
  params["bias"] = std::string(bias);
  return {.id = "dape", .params = std::move(params)};
}

AttentionConfig causal_config(EncodingConfig encoding) {
  AttentionConfig config;
  config.encoding = std::move(encoding);
  config.mask = Mask::causal;
  return config;
}

TEST(Dape, EqualsItsBiasIfTheSecondLayerIsZero) {
  const Inputs in = inputs({4, 2, 9, 40, 8, 5});
  for (const char* bias : kBiases) {
    AttentionConfig config = causal_config({.id = bias, .params = {}});
    config.scale = 0.3;  // t5 has its own multiplier
    config.outputs = {.weights = true, .bias = true};
    ASSERT_OK_AND_ASSIGN(const AttentionResult single_result, attention(in.q, in.k, in.v, config));
    config.encoding = dape(bias, {{"w2", Tensor({4, 32})}, {"b2", Tensor({4})}});
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
    EXPECT_EQ(actual.bias.data, single_result.bias.data) << bias;
    EXPECT_LT(largest_error(actual.weights.data, single_result.weights.data), 1e-6) << bias;
    EXPECT_LT(largest_error(actual.output.data, single_result.output.data), 1e-6) << bias;
  }
}

TEST(Dape, MixesTheScoresOfAllHeads) {
  Inputs in = inputs({2, 2, 6, 6, 8, 5});
  AttentionConfig config = causal_config(dape("kerple"));
  config.outputs = {.weights = true, .head = 0};
  ASSERT_OK_AND_ASSIGN(const AttentionResult first_result, attention(in.q, in.k, in.v, config));
  matrix(in.q, 1).row(5)[0] += 4;
  ASSERT_OK_AND_ASSIGN(const AttentionResult second_result, attention(in.q, in.k, in.v, config));
  EXPECT_GT(largest_error(second_result.weights.data, first_result.weights.data), 1e-3);
  // Earlier rows do not depend on the changed query.
  for (std::size_t i = 0; i < 30; ++i)
    EXPECT_EQ(second_result.weights.data[i], first_result.weights.data[i]);
}

std::vector<AttentionConfig> configurations(int heads, int keys) {
  std::vector<AttentionConfig> full;
  for (const char* bias : kBiases) full.push_back(causal_config(dape(bias)));
  AttentionConfig config =
      causal_config(dape("alibi", {{"mlp_width", 5.0}, {"negative_slope", 0.25}}));
  config.window = 40;
  full.push_back(config);
  config.options.sink_tokens = 3;
  full.push_back(config);
  for (int j = 0; j < keys; ++j) config.key_mask.push_back(j % 3 == 1 ? 0 : 1);
  full.push_back(config);
  config.options.sinks = dyadic(5, {heads});
  config.options.softcap = 3;
  full.push_back(config);
  config.options.cap_includes_bias = true;
  config.options.qk_norm = QkNorm{};
  config.mask = Mask::none;
  config.scale = 0.7;
  full.push_back(config);
  return full;
}

TEST(Dape, MatchesTheFormula) {
  for (const Sizes& sizes :
       {Sizes{1, 1, 5, 5, 8, 5}, Sizes{4, 2, 17, 300, 8, 5}, Sizes{3, 1, 2, 1100, 4, 4}}) {
    const Inputs in = inputs(sizes);
    int number = 0;
    for (AttentionConfig config : configurations(sizes.heads, sizes.keys)) {
      ASSERT_OK_AND_ASSIGN(const Reference expected, formula(in.q, in.k, in.v, config));
      ASSERT_OK_AND_ASSIGN(const AttentionResult streamed, attention(in.q, in.k, in.v, config));
      config.outputs = {.weights = true, .scores = true, .bias = true};
      ASSERT_OK_AND_ASSIGN(const AttentionResult full, attention(in.q, in.k, in.v, config));
      const double tolerance = allowed(expected);
      EXPECT_LT(largest_error(streamed.output.data, expected.output), tolerance) << number;
      EXPECT_LT(largest_error(full.output.data, expected.output), tolerance) << number;
      EXPECT_LT(largest_error(full.weights.data, expected.weights), tolerance) << number;
      // With outputs.head the arrays contain only that head.
      config.outputs.head = sizes.heads - 1;
      ASSERT_OK_AND_ASSIGN(const AttentionResult single, attention(in.q, in.k, in.v, config));
      EXPECT_TRUE(std::equal(single.weights.data.rbegin(), single.weights.data.rend(),
                             full.weights.data.rbegin()));
      ++number;
    }
  }
}

TEST(Dape, BatchItemsEqualSeparateCalls) {
  const Tensor q = dyadic(1, {2, 4, 6, 8}), k = dyadic(2, {2, 2, 9, 8});
  AttentionConfig config = causal_config(dape("kerple"));
  config.output_layout = OutputLayout::token_major;
  config.outputs.pooled_weights = true;
  ASSERT_OK_AND_ASSIGN(const AttentionResult batch_result, attention(q, k, k, config));
  const auto batch_item = [](const Tensor& x, int index) {
    const std::size_t size = x.data.size() / 2, first = size * static_cast<std::size_t>(index);
    return Tensor({x.shape.begin() + 1, x.shape.end()},
                  {x.data.begin() + static_cast<std::ptrdiff_t>(first),
                   x.data.begin() + static_cast<std::ptrdiff_t>(first + size)});
  };
  for (const int index : {0, 1}) {
    ASSERT_OK_AND_ASSIGN(
        const AttentionResult single,
        attention(batch_item(q, index), batch_item(k, index), batch_item(k, index), config));
    EXPECT_EQ(batch_item(batch_result.output, index).data, single.output.data);
    EXPECT_EQ(batch_item(batch_result.pooled_max, index).data, single.pooled_max.data);
  }
}

TEST(Dape, PooledWeightsWithCellsOfOneEqualTheWeights) {
  const Inputs in = inputs(kText);
  AttentionConfig config = causal_config(dape("kerple"));
  config.outputs.pooled_weights = true;
  config.pooling.rows.cell_size = config.pooling.columns.cell_size = 1;
  ASSERT_OK_AND_ASSIGN(const AttentionResult map_result, attention(in.q, in.k, in.v, config));
  config.outputs = {.weights = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult full, attention(in.q, in.k, in.v, config));
  EXPECT_LT(largest_error(map_result.pooled_mean.data, full.weights.data), 2e-6);
}

// A pool of workers splits the queries of a call.
TEST(Dape, RowsAreBitIdenticalInPartsOfACall) {
  const Inputs in = inputs({4, 2, 70, 300, 8, 5});
  AttentionConfig config = causal_config(dape("fire"));
  config.window = 100;
  ASSERT_OK_AND_ASSIGN(const AttentionResult full, attention(in.q, in.k, in.v, config));
  for (const int first : {0, 1, 13, 40, 69}) {
    const int count = std::min(30, 70 - first);
    config.position_offset = 230 + first;
    ASSERT_OK_AND_ASSIGN(const AttentionResult part,
                         attention(slice_tokens(in.q, first, count), in.k, in.v, config));
    EXPECT_EQ(part.output.data, slice_tokens(full.output, first, count).data) << first;
  }
}

TEST(Dape, CacheMatchesAttention) {
  const Inputs in = inputs(kText);
  for (const char* bias : kBiases) {
    AttentionConfig config = causal_config(dape(bias));
    config.window = 50;
    ASSERT_OK_AND_ASSIGN(const AttentionResult streamed, attention(in.q, in.k, in.v, config));
    CacheConfig cache_config = make_cache_config(config.encoding, kText);
    cache_config.window = 50;
    const auto cache = create_cache(cache_config), second_cache = create_cache(cache_config);
    for (int first = 0; first < kText.keys; first += 14) {
      ASSERT_OK_AND_ASSIGN(const AttentionResult step, decode(*cache, in, first, 14));
      EXPECT_LT(largest_error(step.output.data, slice_tokens(streamed.output, first, 14).data),
                2e-6)
          << bias;
      ASSERT_OK_AND_ASSIGN(
          const AttentionResult full,
          decode(*second_cache, in, first, 14, {.outputs = {.weights = true, .bias = true}}));
      EXPECT_LT(largest_error(full.output.data, step.output.data), 2e-6) << bias;
    }
    ASSERT_TRUE(cache->truncate(42).ok());
    ASSERT_OK_AND_ASSIGN(const auto copy, second_cache->fork());
    ASSERT_TRUE(copy->truncate(42).ok());
    expect_same_outputs(*cache, *copy, in, 42, 3);
  }
}

TEST(Dape, GradientsMatchFiniteDifferences) {
  for (const char* bias : kBiases) expect_gradients({.config = dape(bias), .influence = 0.001});
  for (const char* bias : {"kerple", "alibi", "t5"})
    expect_gradients({.config = dape(bias, {{"right", std::string("zero")}})});
  expect_gradients({.config = dape("kerple", {{"mlp_width", 3.0}, {"negative_slope", 0.5}})});
}

TEST(Dape, AttentionGradientsMatchFiniteDifferences) {
  const Sizes sizes{4, 2, 5, 21, 8, 5};
  Inputs in = inputs(sizes);
  const Tensor d_output = dyadic(74, {4, 5, 5});
  int number = 0;
  for (AttentionConfig config : configurations(sizes.heads, sizes.keys)) {
    // With this slope the network is nearly linear, so a difference may cross a kink.
    config.encoding.params["negative_slope"] = 0.9;
    config.encoding = value_of(given_learned(
        config.encoding,
        {.length = sizes.keys, .dim = 8, .heads = 4, .v_head_dim = 5, .kv_heads = 2}));
    ASSERT_OK_AND_ASSIGN(AttentionGradients gradients,
                         attention_backward(in.q, in.k, in.v, d_output, config));
    const auto compute_loss = [&] {
      return inner(reference_attention(in.q, in.k, in.v, config).output, d_output);
    };
    SCOPED_TRACE(number++);
    expect_gradient("q", in.q, gradients.d_q, kExact, 3, compute_loss);
    expect_gradient("k", in.k, gradients.d_k, kExact, 3, compute_loss);
    expect_gradient("v", in.v, gradients.d_v, kExact, 3, compute_loss);
    EXPECT_GE(
        expect_parameter_gradients(config.encoding, gradients.parameters, kExact, 3, compute_loss),
        4);
    if (!config.options.sinks.empty())
      expect_gradient("sinks", config.options.sinks, gradients.options.sinks, kExact, 3,
                      compute_loss);
  }
}

TEST(Dape, BackwardReusesTheForwardResult) {
  const Inputs in = inputs({4, 2, 40, 1100, 8, 5});
  const Tensor d_output = dyadic(9, {4, 40, 5});
  std::unique_ptr<Encoding> encoding = value_of(create_encoding(
      dape("fire"), {.length = 1100, .dim = 8, .heads = 4, .v_head_dim = 5, .kv_heads = 2}));
  AttentionConfig config;
  config.mask = Mask::causal;
  config.outputs.softmax_stats = true;
  ASSERT_OK_AND_ASSIGN(const AttentionResult forward,
                       attention(in.q, in.k, in.v, *encoding, config));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients_from_result,
                       attention_backward(in.q, in.k, in.v, d_output, *encoding, config, &forward));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients new_gradients,
                       attention_backward(in.q, in.k, in.v, d_output, *encoding, config));
  EXPECT_EQ(gradients_from_result.d_q.data, new_gradients.d_q.data);
  EXPECT_EQ(gradients_from_result.d_k.data, new_gradients.d_k.data);
  Tensor changed_q = in.q;
  matrix(changed_q, 1).row(3)[2] += 1;
  EXPECT_EQ(attention_backward(changed_q, in.k, in.v, d_output, *encoding, config, &forward)
                .status()
                .message(),
            "forward: row sums differ from those of this call; expected the result of attention "
            "with the same arguments");
}

std::string error_of(EncodingConfig config) {
  return create_encoding(config, {.dim = 4, .heads = 2}).status().message();
}

TEST(Dape, RejectsInvalidParameters) {
  EXPECT_EQ(error_of(dape("alibi", {{"bias_r1", Tensor({2})}})),
            "bias_r1: has no effect with bias alibi");
  EXPECT_EQ(error_of(dape("fire", {{"bias_b1", Tensor({2})}})),
            "bias_b1: has shape 2; expected 32 (mlp_width)");
  EXPECT_EQ(error_of(dape("kerple", {{"w1", Tensor({32, 2})}})),
            "w1: has shape 32 x 2; expected 32 x 4 (mlp_width x 2 heads)");
  EXPECT_NE(error_of(dape("rope")).find("bias: \"rope\" is not one of"), std::string::npos);
  CacheConfig config = make_cache_config(dape("kerple"), kText);
  config.window = 8;
  config.options.sink_tokens = 2;
  config.options.sink_positions = SinkPositions::cache;
  EXPECT_EQ(
      KeyValueCache::create(config).status().message(),
      "sink_positions: cache is not supported for dape; expected an encoding on one axis that "
      "rotates queries and keys or adds a bias that depends on distance");
}

}  // namespace
}  // namespace phasor::test::dape_test
