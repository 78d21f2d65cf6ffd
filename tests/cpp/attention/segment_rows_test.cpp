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

const Packed packed_inputs;
const Tensor &q = packed_inputs.q, &k = packed_inputs.k, &v = packed_inputs.v,
             &d_output = packed_inputs.d_output;
const std::vector<int>& kLengths = packed_inputs.lengths;
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
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual,
                         attention(x, y, z, packed(config, ids_of(lengths))));
    for (int id = 0; id < 4; ++id) {
      const std::vector<int> indices = tokens_of(ids_of(lengths), id);
      const Reference expected =
          reference_attention(chosen(x, indices), chosen(y, indices), chosen(z, indices), config);
      EXPECT_LT(largest_error(chosen(actual.output, indices).data, expected.output), 2e-6) << id;
    }
  }
}

// Two queries of the first text, three of the second, and none of the third.
TEST(SegmentRows, QueriesAlignWithTheLastTokensOfTheirText) {
  const std::vector<int> key_ids = ids_of({9, 20, 11});
  const std::vector<int> row_indices = {7, 8, 26, 27, 28};
  const Tensor query_rows = chosen(q, row_indices);
  for (const char* id : {"none", "rope", "alibi", "cope"}) {
    AttentionConfig config{.encoding = {.id = id, .params = {}}, .mask = Mask::causal};
    ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                         attention(q, k, v, packed(config, key_ids)));
    config.query_segment_ids = {0, 0, 1, 1, 1};
    config.key_segment_ids = key_ids;
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(query_rows, k, v, config));
    EXPECT_LT(largest_error(actual.output.data, chosen(expected.output, row_indices).data), 2e-6);
  }
  // A query whose text has no key has a zero output.
  AttentionConfig config;
  config.query_segment_ids = {0, 0, 1, 1, 3};
  config.key_segment_ids = key_ids;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(query_rows, k, v, config));
  for (int h = 0; h < kHeads; ++h) {
    for (int c = 0; c < kHeadDim; ++c) EXPECT_EQ(matrix(actual.output, h).row(4)[c], 0);
  }
}

TEST(SegmentRows, BatchesMatchSeparateCalls) {
  const Tensor batch_q = dyadic(821, {2, kHeads, kTokens, kHeadDim}),
               batch_k = dyadic(822, {2, kHeads, kTokens, kHeadDim});
  std::vector<int> ids = ids_of(kLengths);
  const std::vector<int> second_ids = ids_of({30, 10});
  AttentionConfig config{.encoding = {.id = "rope", .params = {}}, .mask = Mask::causal};
  config.outputs = {.weights = true, .pooled_weights = true, .softmax_stats = true};
  config.pooling.size = 8;
  AttentionConfig batch = packed(config, ids);
  for (std::vector<int>* batch_ids : {&batch.query_segment_ids, &batch.key_segment_ids})
    batch_ids->insert(batch_ids->end(), second_ids.begin(), second_ids.end());
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(batch_q, batch_k, batch_k, batch));
  ASSERT_OK_AND_ASSIGN(const AttentionResult shared_result,
                       attention(batch_q, batch_k, batch_k, packed(config, ids)));
  const auto get_item = [](const Tensor& t, std::size_t index) {
    const std::size_t size = t.data.size() / 2;
    const auto begin = t.data.begin() + static_cast<std::ptrdiff_t>(size * index);
    return Tensor({t.shape.begin() + 1, t.shape.end()},
                  {begin, begin + static_cast<std::ptrdiff_t>(size)});
  };
  for (const std::size_t index : {0u, 1u}) {
    const Tensor item_q = get_item(batch_q, index), item_k = get_item(batch_k, index);
    ASSERT_OK_AND_ASSIGN(
        const AttentionResult expected,
        attention(item_q, item_k, item_k, packed(config, index == 0 ? ids : second_ids)));
    EXPECT_EQ(get_item(actual.output, index).data, expected.output.data);
    EXPECT_EQ(get_item(actual.weights, index).data, expected.weights.data);
    EXPECT_EQ(get_item(actual.pooled_mean, index).data, expected.pooled_mean.data);
    if (index == 0) {
      EXPECT_EQ(get_item(shared_result.output, index).data, expected.output.data);
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
    const auto make_token_tensors = [&](const std::vector<int>& row_indices) {
      TokenTensors out;
      const auto select_rows = [&](const Tensor& t) {
        Tensor part = chosen(t, row_indices);
        if (part.shape.back() == 1) part.shape.pop_back();
        return part;
      };
      for (const TokenTensorInfo& info : find_encoding(id)->tokens) {
        const std::string name(info.name);
        if (info.optional) continue;
        out[name] = select_rows(name == "log_gates" ? gates
                                : name == "w"       ? w
                                : name == "beta"    ? beta
                                                    : steps);
      }
      return out;
    };
    std::vector<int> all_indices(kTokens);
    std::iota(all_indices.begin(), all_indices.end(), 0);
    AttentionConfig packed_config = packed(config, ids);
    packed_config.token_tensors = make_token_tensors(all_indices);
    const auto actual = attention(q, k, v, packed_config);
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients,
                         attention_backward(q, k, v, d_output, packed_config));
    for (int segment = 0; segment < 3; ++segment) {
      const std::vector<int> indices = tokens_of(ids, segment);
      AttentionConfig single_config = config;
      single_config.token_tensors = make_token_tensors(indices);
      ASSERT_OK_AND_ASSIGN(
          const AttentionResult expected,
          attention(chosen(q, indices), chosen(k, indices), chosen(v, indices), single_config));
      EXPECT_LT(largest_error(chosen(actual->output, indices).data, expected.output.data), 1e-5);
      ASSERT_OK_AND_ASSIGN(
          const AttentionGradients expected_gradients,
          attention_backward(chosen(q, indices), chosen(k, indices), chosen(v, indices),
                             chosen(d_output, indices), single_config));
      EXPECT_LT(largest_error(chosen(gradients.d_k, indices).data, expected_gradients.d_k.data),
                2e-5);
      for (const auto& [name, gradient] : expected_gradients.token_tensors) {
        const Tensor& whole = gradients.token_tensors.at(name);
        Tensor actual_gradient = whole;
        if (actual_gradient.rank() == 2) actual_gradient.shape.push_back(1);
        for (std::size_t i = 0; i < gradient.data.size(); ++i)
          EXPECT_NEAR(chosen(actual_gradient, indices).data[i], gradient.data[i], 2e-5) << name;
      }
    }
    packed_config.query_segment_ids[0] = packed_config.key_segment_ids[0] = 2;
    EXPECT_EQ(attention(q, k, v, packed_config).status().message(),
              "key_segment_ids[16]: 2 continues after another segment, but " + std::string(id) +
                  " requires contiguous segments");
  }
}

}  // namespace
}  // namespace phasor::test::segment_rows_test
