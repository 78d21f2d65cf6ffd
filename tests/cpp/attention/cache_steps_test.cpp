// Steps of a key/value cache: they equal attention, keep keys hidden, and report errors.

#include "cache_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/buffer.h"
#include "variants.h"

namespace phasor::test {
namespace {

float get_max_abs(const std::vector<float>& values) {
  float max_abs = 0;
  for (const float x : values) max_abs = std::max(max_abs, std::fabs(x));
  return max_abs;
}

// The largest difference between `slice` (heads, rows, columns) and the rows of `full` from `first`
// on, which may be longer.
double difference(const Tensor& slice, const Tensor& full, int first) {
  double max_difference = 0;
  for (int h = 0; h < slice.shape[0]; ++h) {
    for (int r = 0; r < slice.shape[1]; ++r) {
      for (int c = 0; c < slice.shape[2]; ++c) {
        const float actual = matrix(slice, h).row(r)[c],
                    expected = matrix(full, h).row(first + r)[c];
        if (actual != expected)
          max_difference = std::max(max_difference, std::fabs(static_cast<double>(actual) -
                                                              static_cast<double>(expected)));
      }
    }
  }
  return max_difference;
}

TEST(CacheSteps, EqualAttentionWithinTolerance) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    Sizes s = kText;
    s.kv_heads = heads_of_keys(variant.config, s.heads, 2);
    const Inputs in = inputs(s);
    for (const bool has_padding : {false, true}) {
      for (const bool returns_maps : {false, true}) {
        SCOPED_TRACE(variant.name + (has_padding ? " padded" : "") +
                     (returns_maps ? " with outputs" : ""));
        const RequestedOutputs outputs{
            .weights = returns_maps, .scores = returns_maps, .bias = returns_maps};
        AttentionConfig full_config{
            .encoding = variant.config, .mask = Mask::causal, .outputs = outputs};
        if (has_padding) {
          full_config.key_mask.assign(70, 1);
          std::fill_n(full_config.key_mask.begin(), 9, std::uint8_t{0});
        }
        ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                             attention(in.q, in.k, in.v, full_config));
        const auto cache = create_cache(make_cache_config(variant.config, s));
        int first = 0;
        for (const int count : {5, 12, 1, 1, 16, 34, 1}) {
          DecodeConfig step{.outputs = outputs};
          // The first two steps hold the hidden keys; later steps have no key mask.
          if (has_padding && first < 9)
            step.key_mask.assign(full_config.key_mask.begin() + first,
                                 full_config.key_mask.begin() + first + count);
          ASSERT_OK_AND_ASSIGN(const AttentionResult actual,
                               decode(*cache, in, first, count, step));
          EXPECT_EQ(actual.output.shape, (std::vector<int>{s.heads, count, 5}));
          EXPECT_LE(difference(actual.output, expected.output, first),
                    kDecodeTolerance * static_cast<double>(get_max_abs(in.v.data)));
          const std::vector<int> map_shape = {s.heads, count, first + count};
          EXPECT_EQ(actual.weights.shape, returns_maps ? map_shape : std::vector<int>{});
          if (returns_maps) {
            EXPECT_LE(difference(actual.weights, expected.weights, first), kDecodeTolerance);
            EXPECT_EQ(difference(actual.scores, expected.scores, first), 0);
            EXPECT_EQ(difference(actual.bias, expected.bias, first), 0);
          }
          first += count;
        }
        ASSERT_EQ(first, 70);
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 200);
}

TEST(CacheSteps, ReturnOneHeadIfRequested) {
  const Inputs in = inputs(kText);
  const auto all_heads_cache = create_cache(make_cache_config({.id = "alibi"}, kText)),
             one_head_cache = create_cache(make_cache_config({.id = "alibi"}, kText));
  ASSERT_OK_AND_ASSIGN(const AttentionResult all_heads,
                       decode(*all_heads_cache, in, 0, 6,
                              {.outputs = {.weights = true, .scores = true, .bias = true}}));
  ASSERT_OK_AND_ASSIGN(
      const AttentionResult one_head,
      decode(*one_head_cache, in, 0, 6,
             {.outputs = {.weights = true, .scores = true, .bias = true, .head = 2}}));
  EXPECT_EQ(one_head.weights.shape, (std::vector<int>{1, 6, 6}));
  const std::size_t offset = 2 * 36;
  for (std::size_t i = 0; i < 36; ++i) {
    EXPECT_EQ(one_head.weights.data[i], all_heads.weights.data[offset + i]);
    EXPECT_EQ(one_head.scores.data[i], all_heads.scores.data[offset + i]);
    EXPECT_EQ(one_head.bias.data[i], all_heads.bias.data[offset + i]);
  }
}

TEST(CacheSteps, HiddenKeysStayHidden) {
  const Inputs in = inputs(kText);
  const auto cache = create_cache(make_cache_config({}, kText));
  ASSERT_OK_AND_ASSIGN(
      const AttentionResult initial_result,
      decode(*cache, in, 0, 3, {.key_mask = {0, 0, 1}, .outputs = {.weights = true}}));
  EXPECT_EQ(slice_tokens(initial_result.output, 0, 2).data, std::vector<float>(4 * 2 * 5, 0))
      << "a row that sees no key is 0";
  ASSERT_OK_AND_ASSIGN(const AttentionResult next_result,
                       decode(*cache, in, 3, 2, {.outputs = {.weights = true}}));
  EXPECT_EQ(matrix(next_result.weights).row(0)[0], 0);
  EXPECT_EQ(matrix(next_result.weights).row(1)[1], 0);
  EXPECT_GT(matrix(next_result.weights).row(1)[2], 0);
}

TEST(CacheSteps, RejectInvalidArgumentsWithoutChangingTheCache) {
  const Inputs in = inputs(kText);
  const auto cache = create_cache(make_cache_config({}, kText));
  ASSERT_OK_AND_ASSIGN(const AttentionResult initial_result, decode(*cache, in, 0, 4));
  const auto error_message = [&](const DecodeConfig& config) {
    return decode(*cache, in, 4, 2, config).status().message();
  };
  EXPECT_EQ(error_message({.key_mask = {1}}),
            "key_mask: has 1 entries; expected 2, one per new token");
  EXPECT_EQ(error_message({.key_mask = {1, 1, 1, 1, 1, 1}}),
            "key_mask: has 6 entries; expected 2, one per new token");
  EXPECT_EQ(error_message({.outputs = {.pooled_weights = true}}),
            "outputs: pooled_weights is not supported by decode");
  EXPECT_EQ(error_message({.outputs = {.weights = true, .head = 4}}), "head: 4 is outside 0 to 3");
  EXPECT_EQ(error_message({.outputs = {.weights = true, .head = -1}}),
            "head: -1 is outside 0 to 3");
  EXPECT_EQ(cache->length(), 4);
  const auto expected_cache = create_cache(make_cache_config({}, kText));
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected_result, decode(*expected_cache, in, 0, 4));
  expect_same_outputs(*cache, *expected_cache, in, 4, 2);
}

TEST(CacheSteps, RejectOutputsBeyondMemory) {
  const auto cache = create_cache({.heads = 1, .head_dim = 1, .max_length = 2000});
  const Tensor long_input({1, 1024, 1});
  const MemoryLimit limit(5 << 20);
  EXPECT_EQ(cache
                ->decode(long_input, long_input, long_input,
                         {.outputs = {.weights = true, .scores = true}})
                .status()
                .message(),
            "k: 1024 more tokens need 9 MiB, more than is available");
  EXPECT_EQ(cache->length(), 0);
  EXPECT_TRUE(cache->decode(long_input, long_input, long_input).ok());
}

}  // namespace
}  // namespace phasor::test
