// Long packed texts, batches, fewer queries than keys, and token tensors.

#include <gtest/gtest.h>

#include <cmath>
#include <numeric>

#include "numbers.h"
#include "phasor/phasor.h"
#include "reference.h"
#include "segments.h"

namespace phasor::test::segment_rows_test {
namespace {

const Packed inputs_of;
const Tensor &q = inputs_of.q, &k = inputs_of.k, &v = inputs_of.v, &d_output = inputs_of.d_output;
const std::vector<int>& kLengths = inputs_of.lengths;
constexpr int kHeads = Packed::kHeads, kTokens = Packed::kTokens, kHeadDim = Packed::kHeadDim;

// A text longer than a block of keys, with skipped tiles, against the formula in double.
TEST(SegmentRows, LongTextsMatchTheFormula) {
  const std::vector<int> lengths = {700, 3, 1500, 200};
  const int tokens = 2403;
  const Tensor x = dyadic(811, {1, tokens, 4}), y = dyadic(812, {1, tokens, 4}),
               z = dyadic(813, {1, tokens, 3});
  for (const std::optional<int> window : {std::optional<int>(), std::optional(130)}) {
    AttentionConfig config{
        .encoding = {.id = "alibi", .params = {{"slopes", Tensor({1}, {0.01f})}}},
        .mask = Mask::causal};
    config.window = window;
    ASSERT_OK_AND_ASSIGN(const AttentionResult got,
                         attention(x, y, z, packed(config, ids_of(lengths))));
    for (int id = 0; id < 4; ++id) {
      const std::vector<int> text = tokens_of(ids_of(lengths), id);
      const Reference expected =
          reference_attention(chosen(x, text), chosen(y, text), chosen(z, text), config);
      EXPECT_LT(largest_error(chosen(got.output, text).data, expected.output), 2e-6) << id;
    }
  }
}

// Two queries of the first text, three of the second, and none of the third.
TEST(SegmentRows, QueriesAlignWithTheLastTokensOfTheirText) {
  const std::vector<int> keys = ids_of({9, 20, 11});
  const std::vector<int> rows = {7, 8, 26, 27, 28};
  const Tensor own_q = chosen(q, rows);
  for (const char* id : {"none", "rope", "alibi", "cope"}) {
    AttentionConfig config{.encoding = {.id = id, .params = {}}, .mask = Mask::causal};
    ASSERT_OK_AND_ASSIGN(const AttentionResult whole, attention(q, k, v, packed(config, keys)));
    config.query_segment_ids = {0, 0, 1, 1, 1};
    config.key_segment_ids = keys;
    ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(own_q, k, v, config));
    EXPECT_LT(largest_error(got.output.data, chosen(whole.output, rows).data), 2e-6);
  }
  // A query whose text has no key has a zero output.
  AttentionConfig config;
  config.query_segment_ids = {0, 0, 1, 1, 3};
  config.key_segment_ids = keys;
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(own_q, k, v, config));
  for (int h = 0; h < kHeads; ++h) {
    for (int c = 0; c < kHeadDim; ++c) EXPECT_EQ(matrix(got.output, h).row(4)[c], 0);
  }
}

TEST(SegmentRows, BatchesMatchSeparateCalls) {
  const Tensor all_q = dyadic(821, {2, kHeads, kTokens, kHeadDim}),
               all_k = dyadic(822, {2, kHeads, kTokens, kHeadDim});
  std::vector<int> ids = ids_of(kLengths);
  const std::vector<int> second = ids_of({30, 10});
  AttentionConfig config{.encoding = {.id = "rope", .params = {}}, .mask = Mask::causal};
  config.outputs = {.weights = true, .pooled_weights = true, .softmax_stats = true};
  config.pooling.size = 8;
  AttentionConfig batch = packed(config, ids);
  for (std::vector<int>* all : {&batch.query_segment_ids, &batch.key_segment_ids})
    all->insert(all->end(), second.begin(), second.end());
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(all_q, all_k, all_k, batch));
  ASSERT_OK_AND_ASSIGN(const AttentionResult shared,
                       attention(all_q, all_k, all_k, packed(config, ids)));
  const auto item = [](const Tensor& t, std::size_t at) {
    const std::size_t size = t.data.size() / 2;
    const auto from = t.data.begin() + static_cast<std::ptrdiff_t>(size * at);
    return Tensor({t.shape.begin() + 1, t.shape.end()},
                  {from, from + static_cast<std::ptrdiff_t>(size)});
  };
  for (const std::size_t at : {0u, 1u}) {
    const Tensor own_q = item(all_q, at), own_k = item(all_k, at);
    ASSERT_OK_AND_ASSIGN(const AttentionResult alone,
                         attention(own_q, own_k, own_k, packed(config, at == 0 ? ids : second)));
    EXPECT_EQ(item(got.output, at).data, alone.output.data);
    EXPECT_EQ(item(got.weights, at).data, alone.weights.data);
    EXPECT_EQ(item(got.pooled_mean, at).data, alone.pooled_mean.data);
    if (at == 0) {
      EXPECT_EQ(item(shared.output, at).data, alone.output.data);
    }
  }
}

// Log gates, reflections and steps accumulate within a text only.
TEST(SegmentRows, TokenTensorsMatchSeparateCalls) {
  const std::vector<int> ids = ids_of(kLengths);
  for (const char* id : {"forgetting", "path", "rope_selective"}) {
    SCOPED_TRACE(id);
    AttentionConfig config{.encoding = {.id = id, .params = {}}, .mask = Mask::causal};
    Tensor gates = dyadic(831, {kHeads, kTokens, 1}), w = dyadic(832, {kHeads, kTokens, kHeadDim}),
           beta = dyadic(833, {kHeads, kTokens, 1}), steps = dyadic(834, {kHeads, kTokens, 4});
    for (float& x : gates.data) x = -std::fabs(x);
    for (float& x : beta.data) x = std::min(2.0f, std::fabs(x));
    const auto tensors = [&](const std::vector<int>& rows) {
      TokenTensors out;
      const auto flat = [&](const Tensor& t) {
        Tensor part = chosen(t, rows);
        if (part.shape.back() == 1) part.shape.pop_back();
        return part;
      };
      for (const TokenTensorInfo& info : find_encoding(id)->tokens) {
        const std::string name(info.name);
        if (info.optional) continue;
        out[name] = flat(name == "log_gates" ? gates
                         : name == "w"       ? w
                         : name == "beta"    ? beta
                                             : steps);
      }
      return out;
    };
    std::vector<int> every(kTokens);
    std::iota(every.begin(), every.end(), 0);
    AttentionConfig all = packed(config, ids);
    all.token_tensors = tensors(every);
    const auto got = attention(q, k, v, all);
    ASSERT_TRUE(got.ok()) << got.status().message();
    ASSERT_OK_AND_ASSIGN(const AttentionGradients slopes,
                         attention_backward(q, k, v, d_output, all));
    for (int segment = 0; segment < 3; ++segment) {
      const std::vector<int> text = tokens_of(ids, segment);
      AttentionConfig one = config;
      one.token_tensors = tensors(text);
      ASSERT_OK_AND_ASSIGN(const AttentionResult alone,
                           attention(chosen(q, text), chosen(k, text), chosen(v, text), one));
      EXPECT_LT(largest_error(chosen(got->output, text).data, alone.output.data), 1e-5);
      ASSERT_OK_AND_ASSIGN(const AttentionGradients wanted,
                           attention_backward(chosen(q, text), chosen(k, text), chosen(v, text),
                                              chosen(d_output, text), one));
      EXPECT_LT(largest_error(chosen(slopes.d_k, text).data, wanted.d_k.data), 2e-5);
      for (const auto& [name, gradient] : wanted.token_tensors) {
        const Tensor& whole = slopes.token_tensors.at(name);
        Tensor shaped = whole;
        if (shaped.rank() == 2) shaped.shape.push_back(1);
        for (std::size_t i = 0; i < gradient.data.size(); ++i)
          EXPECT_NEAR(chosen(shaped, text).data[i], gradient.data[i], 2e-5) << name;
      }
    }
    all.query_segment_ids[0] = all.key_segment_ids[0] = 2;
    EXPECT_EQ(attention(q, k, v, all).status().message(),
              "key_segment_ids[16]: 2 continues after another segment, but " + std::string(id) +
                  " requires contiguous segments");
  }
}

}  // namespace
}  // namespace phasor::test::segment_rows_test
