// Token-major layout: the same values, bit for bit, as (tokens, heads * head_dim).

#include <gtest/gtest.h>

#include "attention_inputs.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::token_major_test {
namespace {

constexpr Sizes kSizes{
    .heads = 4, .kv_heads = 4, .queries = 37, .keys = 37, .head_dim = 12, .v_head_dim = 10};

// (.., heads, tokens, head_dim) -> (.., tokens, heads * head_dim)
Tensor concatenate_heads(const Tensor& x) {
  const std::size_t rank = x.shape.size();
  const int batch = rank == 4 ? x.shape[0] : 1, heads = x.shape[rank - 3],
            tokens = x.shape[rank - 2], head_dim = x.shape[rank - 1];
  Tensor out(rank == 4 ? std::vector<int>{batch, tokens, heads * head_dim}
                       : std::vector<int>{tokens, heads * head_dim});
  std::size_t index = 0;
  for (int b = 0; b < batch; ++b) {
    for (int h = 0; h < heads; ++h) {
      for (int t = 0; t < tokens; ++t) {
        for (int c = 0; c < head_dim; ++c, ++index)
          out.data[static_cast<std::size_t>(((b * tokens + t) * heads + h) * head_dim + c)] =
              x.data[index];
      }
    }
  }
  return out;
}

void expect_concatenated(const Tensor& actual, const Tensor& expected, const char* name) {
  EXPECT_EQ(actual.shape, concatenate_heads(expected).shape) << name;
  EXPECT_EQ(actual.data, concatenate_heads(expected).data) << name;
}

AttentionConfig make_config(const EncodingConfig& encoding, OutputLayout layout) {
  AttentionConfig config;
  config.encoding = encoding;
  config.mask = Mask::causal;
  config.output_layout = layout;
  return config;
}

TEST(TokenMajor, ConcatenatesHeadsForEveryEncoding) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    Sizes sizes = kSizes;
    sizes.kv_heads = heads_of_keys(variant.config, sizes.heads, 2);
    const Inputs in = inputs(sizes);
    AttentionConfig head_major_config = make_config(variant.config, OutputLayout::head_major),
                    token_major_config = make_config(variant.config, OutputLayout::token_major);
    head_major_config.outputs =
        token_major_config.outputs = {.weights = compared % 2 == 0, .pooled_weights = true};
    const auto expected = attention(in.q, in.k, in.v, head_major_config),
               actual = attention(in.q, in.k, in.v, token_major_config);
    ASSERT_EQ(actual.ok(), expected.ok())
        << actual.status().message() << expected.status().message();
    if (!actual.ok()) continue;
    expect_concatenated(actual->output, expected->output, "output");
    EXPECT_EQ(actual->weights.data, expected->weights.data);
    EXPECT_EQ(actual->pooled_mean.data, expected->pooled_mean.data);
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

// Scores that overflow float32 take the path in double.
TEST(TokenMajor, ConcatenatesHeadsInDoublePrecision) {
  Inputs in = inputs(kSizes);
  for (Tensor* x : {&in.q, &in.k}) {
    for (float& value : x->data) value *= 1e18f;
  }
  AttentionConfig config = make_config({}, OutputLayout::head_major);
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(in.q, in.k, in.v, config));
  config.output_layout = OutputLayout::token_major;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
  expect_concatenated(actual.output, expected.output, "output");
}

TEST(TokenMajor, AppliesToGradients) {
  const Inputs in = inputs(kSizes);
  const Tensor d_output = dyadic(41, {kSizes.heads, kSizes.queries, kSizes.v_head_dim});
  for (const char* id : {"none", "rope", "t5", "shaw", "transformer_xl", "rope_mixed"}) {
    SCOPED_TRACE(id);
    AttentionConfig config = make_config({.id = id, .params = {}}, OutputLayout::head_major);
    if (std::string(id) == "rope_mixed") {
      config.mask = Mask::none;
      for (int t = 0; t < 2 * kSizes.queries; ++t) config.query_positions.values.push_back(t % 7);
      config.query_positions.axes = 2;
      config.key_positions = config.query_positions;
    }
    ASSERT_OK_AND_ASSIGN(const AttentionGradients expected,
                         attention_backward(in.q, in.k, in.v, d_output, config));
    config.output_layout = OutputLayout::token_major;
    ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                         attention_backward(in.q, in.k, in.v, concatenate_heads(d_output), config));
    expect_concatenated(actual.d_q, expected.d_q, "d_q");
    expect_concatenated(actual.d_k, expected.d_k, "d_k");
    expect_concatenated(actual.d_v, expected.d_v, "d_v");
    for (const auto& [name, gradient] : expected.parameters)
      EXPECT_EQ(actual.parameters.at(name).data, gradient.data) << name;
    EXPECT_EQ(attention_backward(in.q, in.k, in.v, d_output, config).status().message(),
              "d_output: has shape 4 x 37 x 10; expected 37 x 40, the shape of the output");
  }
}

TEST(TokenMajor, AppliesToBatchesAndSavedResults) {
  const Tensor q = dyadic(51, {2, 4, 19, 8}), k = dyadic(52, {2, 4, 19, 8}),
               v = dyadic(53, {2, 4, 19, 6}), d_output = dyadic(54, {2, 4, 19, 6});
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Encoding> encoding,
                       create_encoding({.id = "shaw", .params = {}},
                                       {.length = 19, .dim = 8, .heads = 4, .v_head_dim = 6}));
  AttentionConfig config;
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected_result,
                       attention(q, k, v, *encoding, config));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients expected,
                       attention_backward(q, k, v, d_output, *encoding, config));
  config.output_layout = OutputLayout::token_major;
  config.outputs.softmax_stats = true;
  ASSERT_OK_AND_ASSIGN(const AttentionResult result, attention(q, k, v, *encoding, config));
  expect_concatenated(result.output, expected_result.output, "output");
  for (const AttentionResult* forward : {static_cast<const AttentionResult*>(nullptr), &result}) {
    ASSERT_OK_AND_ASSIGN(
        const AttentionGradients actual,
        attention_backward(q, k, v, concatenate_heads(d_output), *encoding, config, forward));
    expect_concatenated(actual.d_q, expected.d_q, "d_q");
    expect_concatenated(actual.d_k, expected.d_k, "d_k");
    expect_concatenated(actual.d_v, expected.d_v, "d_v");
  }
  config.output_layout = OutputLayout::head_major;
  EXPECT_EQ(attention_backward(q, k, v, d_output, *encoding, config, &result).status().message(),
            "forward: shapes differ from those of this call; expected the result of attention with "
            "the same arguments");
}

TEST(TokenMajor, AppliesToDecodedTokens) {
  const Inputs in = inputs(kSizes);
  for (const char* id : {"rope", "alibi", "shaw", "cope"}) {
    CacheConfig config{.heads = kSizes.heads,
                       .kv_heads = kSizes.kv_heads,
                       .head_dim = kSizes.head_dim,
                       .v_head_dim = kSizes.v_head_dim,
                       .max_length = 2 * kSizes.keys,
                       .encoding = {.id = id, .params = {}}};
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KeyValueCache> head_major_cache,
                         KeyValueCache::create(config));
    config.output_layout = OutputLayout::token_major;
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KeyValueCache> token_major_cache,
                         KeyValueCache::create(config));
    for (int step = 0; step < 2; ++step) {
      ASSERT_OK_AND_ASSIGN(const Tensor expected, head_major_cache->decode(in.q, in.k, in.v));
      ASSERT_OK_AND_ASSIGN(const Tensor actual, token_major_cache->decode(in.q, in.k, in.v));
      expect_concatenated(actual, expected, id);
    }
  }
}

// heads * head_dim does not fit into an int.
TEST(TokenMajor, RejectsAnOutputBeyondMemory) {
  const int heads = 65536, head_dim = 65536;
  const Tensor q({heads, 1, 1}), k({1, 1, 1}), v({1, 1, head_dim}), d_output({1, 1});
  const AttentionConfig config{.output_layout = OutputLayout::token_major};
  const std::string message =
      "v: an output of 65536 x 1 x 65536 numbers would take 16384 MiB; at most 1024 MiB can be "
      "returned";
  EXPECT_EQ(attention(q, k, v, config).status().message(), message);
  EXPECT_EQ(attention_backward(q, k, v, d_output, config).status().message(), message);
}

}  // namespace
}  // namespace phasor::test::token_major_test
