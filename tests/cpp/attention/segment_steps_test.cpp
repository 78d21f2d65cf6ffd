// Packed texts in caches, layers and explanations.

#include <gtest/gtest.h>

#include <cmath>

#include "cache_steps.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "segments.h"

namespace phasor::test::segment_steps_test {
namespace {

const Packed inputs_of;
const Tensor &q = inputs_of.q, &k = inputs_of.k;
const std::vector<int>& kLengths = inputs_of.lengths;
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
      ASSERT_OK_AND_ASSIGN(const AttentionResult whole,
                           attention(in.q, in.k, in.v, packed(config, ids)));
      CacheConfig cached = config_of(config.encoding, kText);
      cached.window = window;
      const std::unique_ptr<KeyValueCache> cache = cache_of(cached);
      int first = 0;
      for (const int count : {20, 1, 14, 5, 1, 1, 28}) {
        const auto step = [&](int from, int size) {
          return decode(*cache, in, from, size,
                        {.segment_ids = {ids.begin() + from, ids.begin() + from + size}});
        };
        ASSERT_OK_AND_ASSIGN(const AttentionResult got, step(first, count));
        EXPECT_LT(largest_error(got.output.data, tokens(whole.output, first, count).data), 2e-6);
        if (count == 14) {  // a truncated step can be repeated
          ASSERT_TRUE(cache->truncate(first).ok());
          ASSERT_OK_AND_ASSIGN(const AttentionResult again, step(first, count));
          EXPECT_EQ(again.output.data, got.output.data);
        }
        first += count;
      }
      EXPECT_EQ(decode(*cache, in, 0, 0).status().ok(), false);
    }
  }
}

TEST(SegmentSteps, CacheRequiresIdsInAllStepsOrNone) {
  const Inputs in = inputs(kText);
  const std::unique_ptr<KeyValueCache> with = cache_of(config_of({}, kText)),
                                       without = cache_of(config_of({}, kText));
  ASSERT_TRUE(decode(*with, in, 0, 2, {.segment_ids = {0, 1}}).ok());
  ASSERT_TRUE(decode(*without, in, 0, 2).ok());
  EXPECT_EQ(decode(*with, in, 2, 1).status().message(),
            "segment_ids: is missing; expected a value, as in earlier steps");
  EXPECT_EQ(decode(*without, in, 2, 1, {.segment_ids = {0}}).status().message(),
            "segment_ids: is set; expected none, as in earlier steps");
  EXPECT_EQ(decode(*with, in, 2, 1, {.segment_ids = {0, 1}}).status().message(),
            "segment_ids: has 2 entries; expected 1, one per token");
  EXPECT_EQ(with->length(), 2);
  ASSERT_TRUE(without->truncate(0).ok());
  EXPECT_TRUE(decode(*without, in, 0, 1, {.segment_ids = {5}}).ok());
}

// The reason for which a layer rejects packed texts with this encoding, or null.
const char* reason_of(std::string_view id) {
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
  const auto rows = [](const Tensor& t, const std::vector<int>& of) {
    Tensor as_head = t;
    as_head.shape.insert(as_head.shape.begin(), 1);
    Tensor part = chosen(as_head, of);
    part.shape.erase(part.shape.begin());
    return part;
  };
  const std::vector<int> ids = ids_of(kLengths);
  int compared = 0;
  for (const EncodingInfo* type : phasor::encodings()) {
    SCOPED_TRACE(type->id);
    SelfAttentionConfig one{.heads = kHeads,
                            .encoding = {.id = std::string(type->id), .params = {}},
                            .mask = Mask::causal,
                            .position_offset = 3};
    if (!type->learned) one.position_offset = 0;
    SelfAttentionConfig all = one;
    all.segment_ids = ids;
    const auto got = self_attention(x, all);
    if (!self_attention(x, one).ok()) continue;
    if (const char* reason = reason_of(type->id)) {
      EXPECT_EQ(got.status().message(), "segment_ids: " + std::string(type->id) + " " + reason);
      continue;
    }
    ASSERT_TRUE(got.ok()) << got.status().message();
    ASSERT_OK_AND_ASSIGN(const SelfAttentionGradients slopes, self_attention_backward(x, d, all));
    for (int id = 0; id < 3; ++id) {
      const std::vector<int> text = tokens_of(ids, id);
      ASSERT_OK_AND_ASSIGN(const AttentionResult alone, self_attention(rows(x, text), one));
      EXPECT_LT(largest_error(rows(got->output, text).data, alone.output.data), 1e-5);
      ASSERT_OK_AND_ASSIGN(const SelfAttentionGradients wanted,
                           self_attention_backward(rows(x, text), rows(d, text), one));
      EXPECT_LT(largest_error(rows(slopes.d_x, text).data, wanted.d_x.data), 5e-5);
    }
    ++compared;
  }
  EXPECT_GT(compared, 25);
}

TEST(SegmentSteps, ExplanationsRespectSegments) {
  AttentionConfig config =
      packed({.encoding = {.id = "alibi", .params = {}}, .mask = Mask::causal}, ids_of(kLengths));
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation row, explain_softmax(q, k, config, 1, 20));
  for (std::size_t j = 0; j < kTokens; ++j)
    EXPECT_EQ(std::isfinite(row.score.data[j]), j >= 16 && j <= 20) << j;
  EXPECT_LT(row.max_abs_diff, 1e-6);
  ASSERT_OK_AND_ASSIGN(const BiasExplanation pair, explain_bias(q, k, config, 0, 20, 17));
  EXPECT_EQ(pair.steps.front().value, -3);
}

}  // namespace
}  // namespace phasor::test::segment_steps_test
