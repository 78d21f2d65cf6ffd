// Each item of a batch equals a separate call bit for bit.

#include <gtest/gtest.h>

#include "learned.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::batch_test {
namespace {

constexpr int kBatch = 3, kHeads = 4, kTokens = 21, kHeadDim = 8;

const Tensor q = dyadic(501, {kBatch, kHeads, kTokens, kHeadDim}),
             k = dyadic(502, {kBatch, kHeads, kTokens, kHeadDim}),
             v = dyadic(503, {kBatch, kHeads, kTokens, kHeadDim}),
             d_output = dyadic(504, {kBatch, kHeads, kTokens, kHeadDim});

Tensor get_item(const Tensor& batch, int b) {
  std::vector<int> shape(batch.shape.begin() + 1, batch.shape.end());
  const std::size_t size = numel(shape), first = size * static_cast<std::size_t>(b);
  return {std::move(shape),
          std::vector<float>(batch.data.begin() + static_cast<std::ptrdiff_t>(first),
                             batch.data.begin() + static_cast<std::ptrdiff_t>(first + size))};
}

void expect_item(const Tensor& batch, int b, const Tensor& expected, const char* name) {
  ASSERT_EQ(batch.rank(), expected.rank() + 1) << name;
  EXPECT_EQ(batch.shape[0], kBatch) << name;
  EXPECT_EQ(get_item(batch, b).shape, expected.shape) << name;
  EXPECT_EQ(get_item(batch, b).data, expected.data) << name;
}

// Item b has 2 b padded tokens on the left.
AttentionConfig make_config(const EncodingConfig& encoding, int b) {
  AttentionConfig config;
  config.encoding = encoding;
  config.mask = Mask::causal;
  for (int t = 0; t < kTokens; ++t) {
    config.key_mask.push_back(t >= 2 * b ? 1 : 0);
    config.query_positions.values.push_back(t >= 2 * b ? t - 2 * b : 1);
  }
  config.key_positions = config.query_positions;
  config.outputs = {.weights = true, .scores = true, .bias = true, .pooled_weights = true};
  config.pooling.size = 8;
  return config;
}

AttentionConfig make_batch_config(const EncodingConfig& encoding) {
  AttentionConfig batch = make_config(encoding, 0);
  for (int b = 1; b < kBatch; ++b) {
    const AttentionConfig item_config = make_config(encoding, b);
    batch.key_mask.insert(batch.key_mask.end(), item_config.key_mask.begin(),
                          item_config.key_mask.end());
    for (TokenPositions* positions : {&batch.query_positions, &batch.key_positions})
      positions->values.insert(positions->values.end(), item_config.key_positions.values.begin(),
                               item_config.key_positions.values.end());
  }
  return batch;
}

TEST(Batch, ItemsEqualSeparateCalls) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    const auto batch = attention(q, k, v, make_batch_config(variant.config));
    for (int b = 0; b < kBatch; ++b) {
      const auto expected =
          attention(get_item(q, b), get_item(k, b), get_item(v, b), make_config(variant.config, b));
      ASSERT_EQ(batch.ok(), expected.ok())
          << batch.status().message() << expected.status().message();
      if (!batch.ok()) break;
      expect_item(batch->output, b, expected->output, "output");
      expect_item(batch->weights, b, expected->weights, "weights");
      expect_item(batch->scores, b, expected->scores, "scores");
      expect_item(batch->bias, b, expected->bias, "bias");
      expect_item(batch->pooled_mean, b, expected->pooled_mean, "map_mean");
      expect_item(batch->pooled_max, b, expected->pooled_max, "map_max");
      ++compared;
    }
  }
  EXPECT_GT(compared, 90);
}

TEST(Batch, BackwardEqualsSeparateCallsAndSumsParameterGradients) {
  int parameters = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    const auto batch = attention_backward(q, k, v, d_output, make_batch_config(variant.config));
    OrderedMap<std::vector<double>> sums;
    for (int b = 0; b < kBatch; ++b) {
      const auto expected =
          attention_backward(get_item(q, b), get_item(k, b), get_item(v, b), get_item(d_output, b),
                             make_config(variant.config, b));
      ASSERT_EQ(batch.ok(), expected.ok())
          << batch.status().message() << expected.status().message();
      if (!batch.ok()) break;
      expect_item(batch->d_q, b, expected->d_q, "d_q");
      expect_item(batch->d_k, b, expected->d_k, "d_k");
      expect_item(batch->d_v, b, expected->d_v, "d_v");
      for (const auto& [name, gradient] : expected->parameters) {
        std::vector<double>& sum = sums[name];
        sum.resize(gradient.data.size());
        for (std::size_t i = 0; i < sum.size(); ++i)
          sum[i] += static_cast<double>(gradient.data[i]);
      }
    }
    for (const auto& [name, sum] : sums) {
      double largest = 0;
      const std::vector<float>& actual = batch->parameters.at(name).data;
      ASSERT_EQ(actual.size(), sum.size()) << name;
      for (std::size_t i = 0; i < sum.size(); ++i)
        largest = std::max(largest, std::fabs(static_cast<double>(actual[i]) - sum[i]));
      EXPECT_LT(largest, 2e-5 * (1 + magnitude(sum))) << name;
      ++parameters;
    }
  }
  EXPECT_GT(parameters, 20);
}

TEST(Batch, BackwardAcceptsTheForwardResult) {
  AttentionConfig config = make_batch_config({});
  config.outputs = {.softmax_stats = true};
  const EncodingDims sizes{.length = kTokens, .dim = kHeadDim, .heads = kHeads};
  for (const char* id : {"alibi", "rope", "shaw"}) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Encoding> encoding,
                         create_encoding({.id = id, .params = {}}, sizes));
    ASSERT_OK_AND_ASSIGN(AttentionResult forward, attention(q, k, v, *encoding, config));
    ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                         attention_backward(q, k, v, d_output, *encoding, config, &forward));
    ASSERT_OK_AND_ASSIGN(const AttentionGradients expected,
                         attention_backward(q, k, v, d_output, *encoding, config));
    EXPECT_EQ(actual.d_q.data, expected.d_q.data) << id;
    EXPECT_EQ(actual.d_k.data, expected.d_k.data) << id;
    EXPECT_EQ(actual.d_v.data, expected.d_v.data) << id;
    forward.row_max.pop_back();
    EXPECT_EQ(attention_backward(q, k, v, d_output, *encoding, config, &forward).status().message(),
              "forward: shapes differ from those of this call; expected the result of attention "
              "with the same arguments");
  }
}

TEST(Batch, ArgumentsWithoutABatchAxisAreShared) {
  AttentionConfig shared_config = make_config({.id = "alibi", .params = {}}, 1),
                  repeated_config = shared_config;
  for (int b = 1; b < kBatch; ++b) {
    repeated_config.key_mask.insert(repeated_config.key_mask.end(), shared_config.key_mask.begin(),
                                    shared_config.key_mask.end());
    for (TokenPositions* positions :
         {&repeated_config.query_positions, &repeated_config.key_positions})
      positions->values.insert(positions->values.end(), shared_config.key_positions.values.begin(),
                               shared_config.key_positions.values.end());
  }
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(q, k, v, shared_config));
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(q, k, v, repeated_config));
  EXPECT_EQ(actual.output.data, expected.output.data);
}

TEST(Batch, RejectsMismatchedArguments) {
  const auto error_message = [](const Tensor& some_q, const Tensor& some_k, const Tensor& some_v,
                                AttentionConfig config = {}) {
    return attention(some_q, some_k, some_v, config).status().message();
  };
  EXPECT_EQ(error_message(q, get_item(k, 0), v),
            "k: has shape 4 x 21 x 8; expected batch x heads x tokens x dim");
  EXPECT_EQ(error_message(get_item(q, 0), k, v),
            "k: has shape 3 x 4 x 21 x 8; expected heads x tokens x dim");
  const Tensor two_items({2, kHeads, kTokens, kHeadDim});
  EXPECT_EQ(error_message(q, two_items, v), "k: has 2 batch items, but q has 3");
  EXPECT_EQ(error_message(q, k, two_items), "v: has 2 batch items, but q has 3");
  AttentionConfig config;
  config.key_mask.assign(2 * kTokens, 1);
  EXPECT_EQ(error_message(q, k, v, config), "key_mask: has 42 entries; expected 21, one per key");
  EXPECT_EQ(attention_backward(q, k, v, get_item(d_output, 0), {}).status().message(),
            "d_output: has shape 4 x 21 x 8; expected 3 x 4 x 21 x 8, the shape of the output");
}

}  // namespace
}  // namespace phasor::test::batch_test
