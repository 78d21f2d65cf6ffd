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

Tensor item(const Tensor& all, int b) {
  std::vector<int> shape(all.shape.begin() + 1, all.shape.end());
  const std::size_t size = numel(shape), first = size * static_cast<std::size_t>(b);
  return {std::move(shape),
          std::vector<float>(all.data.begin() + static_cast<std::ptrdiff_t>(first),
                             all.data.begin() + static_cast<std::ptrdiff_t>(first + size))};
}

void expect_item(const Tensor& all, int b, const Tensor& own, const char* what) {
  ASSERT_EQ(all.rank(), own.rank() + 1) << what;
  EXPECT_EQ(all.shape[0], kBatch) << what;
  EXPECT_EQ(item(all, b).shape, own.shape) << what;
  EXPECT_EQ(item(all, b).data, own.data) << what;
}

// Item b has 2 b padded tokens on the left.
AttentionConfig config_of(const EncodingConfig& encoding, int b) {
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

AttentionConfig config_of_all(const EncodingConfig& encoding) {
  AttentionConfig all = config_of(encoding, 0);
  for (int b = 1; b < kBatch; ++b) {
    const AttentionConfig own = config_of(encoding, b);
    all.key_mask.insert(all.key_mask.end(), own.key_mask.begin(), own.key_mask.end());
    for (TokenPositions* positions : {&all.query_positions, &all.key_positions})
      positions->values.insert(positions->values.end(), own.key_positions.values.begin(),
                               own.key_positions.values.end());
  }
  return all;
}

TEST(Batch, ItemsEqualSeparateCalls) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    const auto all = attention(q, k, v, config_of_all(variant.config));
    for (int b = 0; b < kBatch; ++b) {
      const auto own = attention(item(q, b), item(k, b), item(v, b), config_of(variant.config, b));
      ASSERT_EQ(all.ok(), own.ok()) << all.status().message() << own.status().message();
      if (!all.ok()) break;
      expect_item(all->output, b, own->output, "output");
      expect_item(all->weights, b, own->weights, "weights");
      expect_item(all->scores, b, own->scores, "scores");
      expect_item(all->bias, b, own->bias, "bias");
      expect_item(all->pooled_mean, b, own->pooled_mean, "map_mean");
      expect_item(all->pooled_max, b, own->pooled_max, "map_max");
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
    const auto all = attention_backward(q, k, v, d_output, config_of_all(variant.config));
    OrderedMap<std::vector<double>> sums;
    for (int b = 0; b < kBatch; ++b) {
      const auto own = attention_backward(item(q, b), item(k, b), item(v, b), item(d_output, b),
                                          config_of(variant.config, b));
      ASSERT_EQ(all.ok(), own.ok()) << all.status().message() << own.status().message();
      if (!all.ok()) break;
      expect_item(all->d_q, b, own->d_q, "d_q");
      expect_item(all->d_k, b, own->d_k, "d_k");
      expect_item(all->d_v, b, own->d_v, "d_v");
      for (const auto& [name, gradient] : own->parameters) {
        std::vector<double>& sum = sums[name];
        sum.resize(gradient.data.size());
        for (std::size_t i = 0; i < sum.size(); ++i)
          sum[i] += static_cast<double>(gradient.data[i]);
      }
    }
    for (const auto& [name, sum] : sums) {
      double largest = 0;
      const std::vector<float>& got = all->parameters.at(name).data;
      ASSERT_EQ(got.size(), sum.size()) << name;
      for (std::size_t i = 0; i < sum.size(); ++i)
        largest = std::max(largest, std::fabs(static_cast<double>(got[i]) - sum[i]));
      EXPECT_LT(largest, 2e-5 * (1 + magnitude(sum))) << name;
      ++parameters;
    }
  }
  EXPECT_GT(parameters, 20);
}

TEST(Batch, BackwardAcceptsTheForwardResult) {
  AttentionConfig config = config_of_all({});
  config.outputs = {.softmax_stats = true};
  const EncodingDims sizes{.length = kTokens, .dim = kHeadDim, .heads = kHeads};
  for (const char* id : {"alibi", "rope", "shaw"}) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Encoding> encoding,
                         create_encoding({.id = id, .params = {}}, sizes));
    ASSERT_OK_AND_ASSIGN(AttentionResult forward, attention(q, k, v, *encoding, config));
    ASSERT_OK_AND_ASSIGN(const AttentionGradients got,
                         attention_backward(q, k, v, d_output, *encoding, config, &forward));
    ASSERT_OK_AND_ASSIGN(const AttentionGradients expected,
                         attention_backward(q, k, v, d_output, *encoding, config));
    EXPECT_EQ(got.d_q.data, expected.d_q.data) << id;
    EXPECT_EQ(got.d_k.data, expected.d_k.data) << id;
    EXPECT_EQ(got.d_v.data, expected.d_v.data) << id;
    forward.row_max.pop_back();
    EXPECT_EQ(attention_backward(q, k, v, d_output, *encoding, config, &forward).status().message(),
              "forward: shapes differ from those of this call; expected the result of attention "
              "with the same arguments");
  }
}

TEST(Batch, ArgumentsWithoutABatchAxisAreShared) {
  AttentionConfig once = config_of({.id = "alibi", .params = {}}, 1), each = once;
  for (int b = 1; b < kBatch; ++b) {
    each.key_mask.insert(each.key_mask.end(), once.key_mask.begin(), once.key_mask.end());
    for (TokenPositions* positions : {&each.query_positions, &each.key_positions})
      positions->values.insert(positions->values.end(), once.key_positions.values.begin(),
                               once.key_positions.values.end());
  }
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(q, k, v, once));
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(q, k, v, each));
  EXPECT_EQ(got.output.data, expected.output.data);
}

TEST(Batch, RejectsMismatchedArguments) {
  const auto error_message = [](const Tensor& some_q, const Tensor& some_k, const Tensor& some_v,
                                AttentionConfig config = {}) {
    return attention(some_q, some_k, some_v, config).status().message();
  };
  EXPECT_EQ(error_message(q, item(k, 0), v),
            "k: has shape 4 x 21 x 8; expected batch x heads x tokens x dim");
  EXPECT_EQ(error_message(item(q, 0), k, v),
            "k: has shape 3 x 4 x 21 x 8; expected heads x tokens x dim");
  const Tensor two({2, kHeads, kTokens, kHeadDim});
  EXPECT_EQ(error_message(q, two, v), "k: has 2 batch items, but q has 3");
  EXPECT_EQ(error_message(q, k, two), "v: has 2 batch items, but q has 3");
  AttentionConfig config;
  config.key_mask.assign(2 * kTokens, 1);
  EXPECT_EQ(error_message(q, k, v, config), "key_mask: has 42 entries; expected 21, one per key");
  EXPECT_EQ(attention_backward(q, k, v, item(d_output, 0), {}).status().message(),
            "d_output: has shape 4 x 21 x 8; expected 3 x 4 x 21 x 8, the shape of the output");
}

}  // namespace
}  // namespace phasor::test::batch_test
