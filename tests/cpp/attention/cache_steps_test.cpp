// Steps of a key/value cache: they equal attention, keep keys hidden, and report errors.

#include "cache_steps.h"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "core/buffer.h"
#include "variants.h"

namespace phasor::test {
namespace {

float largest(const std::vector<float>& numbers) {
  float found = 0;
  for (const float x : numbers) found = std::max(found, std::fabs(x));
  return found;
}

// The largest difference between `rows` (heads, rows, columns) and the rows of `whole` from `first`
// on, which may be longer.
double difference(const Tensor& rows, const Tensor& whole, int first) {
  double found = 0;
  for (int h = 0; h < rows.shape[0]; ++h) {
    for (int r = 0; r < rows.shape[1]; ++r) {
      for (int c = 0; c < rows.shape[2]; ++c) {
        const float got = matrix(rows, h).row(r)[c], expected = matrix(whole, h).row(first + r)[c];
        if (got != expected)
          found =
              std::max(found, std::fabs(static_cast<double>(got) - static_cast<double>(expected)));
      }
    }
  }
  return found;
}

TEST(CacheSteps, EqualAttentionWithinTolerance) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    Sizes s = kText;
    s.kv_heads = heads_of_keys(variant.config, s.heads, 2);
    const Inputs in = inputs(s);
    for (const bool padded : {false, true}) {
      for (const bool requested : {false, true}) {
        SCOPED_TRACE(variant.name + (padded ? " padded" : "") + (requested ? " with outputs" : ""));
        const RequestedOutputs outputs{
            .weights = requested, .scores = requested, .bias = requested};
        AttentionConfig whole{.encoding = variant.config, .mask = Mask::causal, .outputs = outputs};
        if (padded) {
          whole.key_mask.assign(70, 1);
          std::fill_n(whole.key_mask.begin(), 9, std::uint8_t{0});
        }
        ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(in.q, in.k, in.v, whole));
        const auto cache = cache_of(config_of(variant.config, s));
        int first = 0;
        for (const int count : {5, 12, 1, 1, 16, 34, 1}) {
          DecodeConfig step{.outputs = outputs};
          // The first two steps hold the hidden keys; later steps have no key mask.
          if (padded && first < 9)
            step.key_mask.assign(whole.key_mask.begin() + first,
                                 whole.key_mask.begin() + first + count);
          ASSERT_OK_AND_ASSIGN(const AttentionResult got, decode(*cache, in, first, count, step));
          EXPECT_EQ(got.output.shape, (std::vector<int>{s.heads, count, 5}));
          EXPECT_LE(difference(got.output, expected.output, first),
                    kDecodeTolerance * static_cast<double>(largest(in.v.data)));
          const std::vector<int> square = {s.heads, count, first + count};
          EXPECT_EQ(got.weights.shape, requested ? square : std::vector<int>{});
          if (requested) {
            EXPECT_LE(difference(got.weights, expected.weights, first), kDecodeTolerance);
            EXPECT_EQ(difference(got.scores, expected.scores, first), 0);
            EXPECT_EQ(difference(got.bias, expected.bias, first), 0);
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
  const auto all = cache_of(config_of({.id = "alibi"}, kText)),
             one = cache_of(config_of({.id = "alibi"}, kText));
  ASSERT_OK_AND_ASSIGN(
      const AttentionResult every,
      decode(*all, in, 0, 6, {.outputs = {.weights = true, .scores = true, .bias = true}}));
  ASSERT_OK_AND_ASSIGN(
      const AttentionResult head,
      decode(*one, in, 0, 6,
             {.outputs = {.weights = true, .scores = true, .bias = true, .head = 2}}));
  EXPECT_EQ(head.weights.shape, (std::vector<int>{1, 6, 6}));
  const std::size_t from = 2 * 36;
  for (std::size_t i = 0; i < 36; ++i) {
    EXPECT_EQ(head.weights.data[i], every.weights.data[from + i]);
    EXPECT_EQ(head.scores.data[i], every.scores.data[from + i]);
    EXPECT_EQ(head.bias.data[i], every.bias.data[from + i]);
  }
}

TEST(CacheSteps, HiddenKeysStayHidden) {
  const Inputs in = inputs(kText);
  const auto cache = cache_of(config_of({}, kText));
  ASSERT_OK_AND_ASSIGN(
      const AttentionResult start,
      decode(*cache, in, 0, 3, {.key_mask = {0, 0, 1}, .outputs = {.weights = true}}));
  EXPECT_EQ(tokens(start.output, 0, 2).data, std::vector<float>(4 * 2 * 5, 0))
      << "a row that sees no key is 0";
  ASSERT_OK_AND_ASSIGN(const AttentionResult next,
                       decode(*cache, in, 3, 2, {.outputs = {.weights = true}}));
  EXPECT_EQ(matrix(next.weights).row(0)[0], 0);
  EXPECT_EQ(matrix(next.weights).row(1)[1], 0);
  EXPECT_GT(matrix(next.weights).row(1)[2], 0);
}

TEST(CacheSteps, RejectInvalidArgumentsWithoutChangingTheCache) {
  const Inputs in = inputs(kText);
  const auto cache = cache_of(config_of({}, kText));
  ASSERT_OK_AND_ASSIGN(const AttentionResult start, decode(*cache, in, 0, 4));
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
  const auto other = cache_of(config_of({}, kText));
  ASSERT_OK_AND_ASSIGN(const AttentionResult same, decode(*other, in, 0, 4));
  expect_same(*cache, *other, in, 4, 2);
}

TEST(CacheSteps, RejectOutputsBeyondMemory) {
  const auto cache = cache_of({.heads = 1, .head_dim = 1, .max_length = 2000});
  const Tensor many({1, 1024, 1});
  const MemoryLimit limit(5 << 20);
  EXPECT_EQ(cache->decode(many, many, many, {.outputs = {.weights = true, .scores = true}})
                .status()
                .message(),
            "k: 1024 more tokens need 9 MiB, more than is available");
  EXPECT_EQ(cache->length(), 0);
  EXPECT_TRUE(cache->decode(many, many, many).ok());
}

}  // namespace
}  // namespace phasor::test
