// Packed texts in caches, layers and explanations.

#include <gtest/gtest.h>

#include <cmath>

#include "cache_steps.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "segments.h"

namespace phasor::test::segment_steps_test {
namespace {

const Packed packed_inputs;
const Tensor &q = packed_inputs.q, &k = packed_inputs.k;
const std::vector<int>& kLengths = packed_inputs.lengths;
constexpr int kHeads = Packed::kHeads, kTokens = Packed::kTokens, kHeadDim = Packed::kHeadDim;

TEST(SegmentSteps, CacheStepsMatchAttention) {
  const Inputs in = inputs(kText);
  std::vector<int> ids;
  for (int t = 0; t < kText.keys; ++t) ids.push_back(t < 30 ? 0 : t < 50 ? 1 : t % 2);
  for (const char* id : {"none", "rope", "alibi", "t5", "cope", "shaw"}) {
    SCOPED_TRACE(id);
    for (const std::optional<int> window : {std::optional<int>(), std::optional(7)}) {
      AttentionConfig config{.encoding = {.id = id, .params = {}}, .mask = Mask::causal};
      config.window = window;
      ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                           attention(in.q, in.k, in.v, packed(config, ids)));
      CacheConfig cache_config = make_cache_config(config.encoding, kText);
      cache_config.window = window;
      const std::unique_ptr<KeyValueCache> cache = create_cache(cache_config);
      int first = 0;
      for (const int count : {20, 1, 14, 5, 1, 1, 28}) {
        const auto decode_step = [&](int from, int size) {
          return decode(*cache, in, from, size,
                        {.segment_ids = {ids.begin() + from, ids.begin() + from + size}});
        };
        ASSERT_OK_AND_ASSIGN(const AttentionResult actual, decode_step(first, count));
        EXPECT_LT(
            largest_error(actual.output.data, slice_tokens(expected.output, first, count).data),
            2e-6);
        if (count == 14) {  // a truncated step can be repeated
          ASSERT_TRUE(cache->truncate(first).ok());
          ASSERT_OK_AND_ASSIGN(const AttentionResult repeated_result, decode_step(first, count));
          EXPECT_EQ(repeated_result.output.data, actual.output.data);
        }
        first += count;
      }
      EXPECT_EQ(decode(*cache, in, 0, 0).status().ok(), false);
    }
  }
}

TEST(SegmentSteps, CacheRequiresIdsInAllStepsOrNone) {
  const Inputs in = inputs(kText);
  const std::unique_ptr<KeyValueCache> cache_with_ids = create_cache(make_cache_config({}, kText)),
                                       cache_without_ids =
                                           create_cache(make_cache_config({}, kText));
  ASSERT_TRUE(decode(*cache_with_ids, in, 0, 2, {.segment_ids = {0, 1}}).ok());
  ASSERT_TRUE(decode(*cache_without_ids, in, 0, 2).ok());
  EXPECT_EQ(decode(*cache_with_ids, in, 2, 1).status().message(),
            "segment_ids: is missing; expected a value, as in earlier steps");
  EXPECT_EQ(decode(*cache_without_ids, in, 2, 1, {.segment_ids = {0}}).status().message(),
            "segment_ids: is set; expected none, as in earlier steps");
  EXPECT_EQ(decode(*cache_with_ids, in, 2, 1, {.segment_ids = {0, 1}}).status().message(),
            "segment_ids: has 2 entries; expected 1, one per token");
  EXPECT_EQ(cache_with_ids->length(), 2);
  ASSERT_TRUE(cache_without_ids->truncate(0).ok());
  EXPECT_TRUE(decode(*cache_without_ids, in, 0, 1, {.segment_ids = {5}}).ok());
}

// The reason for which a layer rejects packed texts with this encoding, or null.
const char* get_rejection_reason(std::string_view id) {
  if (id == "path") return "computes w from earlier tokens, which may be in other segments";
  if (id == "rope_selective")
    return "computes steps from earlier tokens, which may be in other segments";
  if (id == "normalised_index")
    return "depends on the length of the text, and packed texts differ in length";
  return nullptr;
}

// Encodings of all injection points, against the layer of each text alone.
TEST(SegmentSteps, LayersMatchSeparateCalls) {
  const Tensor x = dyadic(841, {kTokens, kHeads * kHeadDim}), d = dyadic(842, x.shape);
  const auto select_rows = [](const Tensor& t, const std::vector<int>& row_indices) {
    Tensor head = t;
    head.shape.insert(head.shape.begin(), 1);
    Tensor part = chosen(head, row_indices);
    part.shape.erase(part.shape.begin());
    return part;
  };
  const std::vector<int> ids = ids_of(kLengths);
  int compared = 0;
  for (const EncodingInfo* type : phasor::encodings()) {
    SCOPED_TRACE(type->id);
    SelfAttentionConfig single_config{.heads = kHeads,
                                      .encoding = {.id = std::string(type->id), .params = {}},
                                      .mask = Mask::causal,
                                      .position_offset = 3};
    if (!type->learned) single_config.position_offset = 0;
    SelfAttentionConfig packed_config = single_config;
    packed_config.segment_ids = ids;
    const auto actual = self_attention(x, packed_config);
    if (!self_attention(x, single_config).ok()) continue;
    if (const char* reason = get_rejection_reason(type->id)) {
      EXPECT_EQ(actual.status().message(), "segment_ids: " + std::string(type->id) + " " + reason);
      continue;
    }
    ASSERT_TRUE(actual.ok()) << actual.status().message();
    ASSERT_OK_AND_ASSIGN(const SelfAttentionGradients gradients,
                         self_attention_backward(x, d, packed_config));
    for (int id = 0; id < 3; ++id) {
      const std::vector<int> indices = tokens_of(ids, id);
      ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                           self_attention(select_rows(x, indices), single_config));
      EXPECT_LT(largest_error(select_rows(actual->output, indices).data, expected.output.data),
                1e-5);
      ASSERT_OK_AND_ASSIGN(
          const SelfAttentionGradients expected_gradients,
          self_attention_backward(select_rows(x, indices), select_rows(d, indices), single_config));
      EXPECT_LT(
          largest_error(select_rows(gradients.d_x, indices).data, expected_gradients.d_x.data),
          5e-5);
    }
    ++compared;
  }
  EXPECT_GT(compared, 25);
}

TEST(SegmentSteps, ExplanationsRespectSegments) {
  AttentionConfig config =
      packed({.encoding = {.id = "alibi", .params = {}}, .mask = Mask::causal}, ids_of(kLengths));
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation softmax, explain_softmax(q, k, config, 1, 20));
  for (std::size_t j = 0; j < kTokens; ++j)
    EXPECT_EQ(std::isfinite(softmax.score.data[j]), j >= 16 && j <= 20) << j;
  EXPECT_LT(softmax.max_abs_diff, 1e-6);
  ASSERT_OK_AND_ASSIGN(const BiasExplanation bias, explain_bias(q, k, config, 0, 20, 17));
  EXPECT_EQ(bias.steps.front().value, -3);
}

}  // namespace
}  // namespace phasor::test::segment_steps_test
