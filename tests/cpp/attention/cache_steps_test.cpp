// What a cache does besides appending: it forgets its last tokens, is copied, hides keys, answers weights, and shares an encoding.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "attention_inputs.h"
#include "core/buffer.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test {
namespace {

Tensor tokens(const Tensor& x, int first, int count) {
  Tensor part({x.shape[0], count, x.shape[2]});
  for (int h = 0; h < x.shape[0]; ++h) std::copy_n(matrix(x, h).row(first), count * x.shape[2], matrix(part, h).row(0));
  return part;
}

std::unique_ptr<KeyValueCache> cache_of(const CacheConfig& config) { return value_of(KeyValueCache::create(config)); }

CacheConfig config_of(const EncodingConfig& encoding, const Sizes& s) {
  return {
      .heads = s.heads, .kv_heads = s.kv_heads, .width = s.width, .value_width = s.value_width, .max_length = s.keys, .encoding = encoding};
}

Result<AttentionResult> decode(KeyValueCache& cache, const Inputs& in, int first, int count, const DecodeConfig& config = {}) {
  return cache.decode(tokens(in.q, first, count), tokens(in.k, first, count), tokens(in.v, first, count), config);
}

float largest(const std::vector<float>& numbers) {
  float found = 0;
  for (const float x : numbers) found = std::max(found, std::fabs(x));
  return found;
}

// The largest difference of rows (heads, rows, columns) from those of `whole` from `first` on, whose rows may be longer.
double difference(const Tensor& rows, const Tensor& whole, int first) {
  double found = 0;
  for (int h = 0; h < rows.shape[0]; ++h) {
    for (int r = 0; r < rows.shape[1]; ++r) {
      for (int c = 0; c < rows.shape[2]; ++c) {
        const float got = matrix(rows, h).row(r)[c], expected = matrix(whole, h).row(first + r)[c];
        if (got != expected) found = std::max(found, std::fabs(static_cast<double>(got) - static_cast<double>(expected)));
      }
    }
  }
  return found;
}

// ---- as attention, and how far from it -------------------------------------------------------------------------------

constexpr Sizes kText{4, 2, 70, 70, 8, 5};

TEST(CacheSteps, AreAttentionWithinTheRoundingThatIsSaid) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    Sizes s = kText;
    s.kv_heads = heads_of_keys(variant.config, s.heads, 2);
    const Inputs in = inputs(s);
    for (const bool padded : {false, true}) {
      for (const bool wanted : {false, true}) {
        SCOPED_TRACE(variant.name + (padded ? " padded" : "") + (wanted ? " wanted" : ""));
        const RequestedOutputs want{.weights = wanted, .scores = wanted, .bias = wanted};
        AttentionConfig whole{.encoding = variant.config, .mask = Mask::causal, .want = want};
        if (padded) {
          whole.key_mask.assign(70, 1);
          std::fill_n(whole.key_mask.begin(), 9, std::uint8_t{0});
        }
        ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(in.q, in.k, in.v, whole));
        const auto cache = cache_of(config_of(variant.config, s));
        int first = 0;
        for (const int count : {5, 12, 1, 1, 16, 34, 1}) {
          DecodeConfig step{.want = want};
          // Hidden keys stand in the first two steps; the later ones say nothing.
          if (padded && first < 9) step.key_mask.assign(whole.key_mask.begin() + first, whole.key_mask.begin() + first + count);
          ASSERT_OK_AND_ASSIGN(const AttentionResult got, decode(*cache, in, first, count, step));
          EXPECT_EQ(got.output.shape, (std::vector<int>{s.heads, count, 5}));
          EXPECT_LE(difference(got.output, expected.output, first), kDecodeRounding * static_cast<double>(largest(in.v.data)));
          const std::vector<int> square = {s.heads, count, first + count};
          EXPECT_EQ(got.weights.shape, wanted ? square : std::vector<int>{});
          if (wanted) {
            EXPECT_LE(difference(got.weights, expected.weights, first), kDecodeRounding);
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

TEST(CacheSteps, AnswerOneHeadWhereOneIsWanted) {
  const Inputs in = inputs(kText);
  const auto all = cache_of(config_of({.id = "alibi"}, kText)), one = cache_of(config_of({.id = "alibi"}, kText));
  ASSERT_OK_AND_ASSIGN(const AttentionResult every, decode(*all, in, 0, 6, {.want = {.weights = true, .scores = true, .bias = true}}));
  ASSERT_OK_AND_ASSIGN(const AttentionResult head,
                       decode(*one, in, 0, 6, {.want = {.weights = true, .scores = true, .bias = true, .head = 2}}));
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
  ASSERT_OK_AND_ASSIGN(const AttentionResult start, decode(*cache, in, 0, 3, {.key_mask = {0, 0, 1}, .want = {.weights = true}}));
  EXPECT_EQ(tokens(start.output, 0, 2).data, std::vector<float>(4 * 2 * 5, 0)) << "a row that sees no key is 0";
  ASSERT_OK_AND_ASSIGN(const AttentionResult next, decode(*cache, in, 3, 2, {.want = {.weights = true}}));
  EXPECT_EQ(matrix(next.weights).row(0)[0], 0);
  EXPECT_EQ(matrix(next.weights).row(1)[1], 0);
  EXPECT_GT(matrix(next.weights).row(1)[2], 0);
}

// ---- trim --------------------------------------------------------------------------------------------------------------

// Two caches of which the one has seen more, and forgotten it: the same bits from then on.
void expect_same(KeyValueCache& got, KeyValueCache& expected, const Inputs& in, int first, int count) {
  const DecodeConfig step{.want = {.weights = true}};
  for (const DecodeConfig& config : {DecodeConfig{}, step}) {
    ASSERT_OK_AND_ASSIGN(const AttentionResult a, decode(got, in, first, count, config));
    ASSERT_OK_AND_ASSIGN(const AttentionResult b, decode(expected, in, first, count, config));
    EXPECT_EQ(a.output.data, b.output.data);
    EXPECT_EQ(a.weights.data, b.weights.data);
    ASSERT_TRUE(got.trim(first).ok());
    ASSERT_TRUE(expected.trim(first).ok());
  }
}

TEST(CacheTrim, IsAsIfTheRestHadNeverBeenThere) {
  for (const char* id : {"none", "rope", "alibi", "t5", "cope", "shaw", "deberta"}) {
    const Inputs in = inputs(kText);
    for (const int rest : {0, 1, 15, 16, 17, 40}) {
      SCOPED_TRACE(std::string(id) + " to " + std::to_string(rest));
      const auto cache = cache_of(config_of({.id = id}, kText)), other = cache_of(config_of({.id = id}, kText));
      // What is forgotten hides keys, too.
      ASSERT_OK_AND_ASSIGN(const AttentionResult start, decode(*cache, in, 0, 40));
      ASSERT_OK_AND_ASSIGN(const AttentionResult rejected, decode(*cache, in, 50, 3, {.key_mask = {1, 0, 0}}));
      ASSERT_TRUE(cache->trim(rest).ok());
      EXPECT_EQ(cache->length(), rest);
      if (rest > 0) {
        ASSERT_TRUE(decode(*other, in, 0, rest).ok());
      }
      expect_same(*cache, *other, in, rest, 20);
    }
  }
}

// Blocks of 1024 are let go, and the one that is cut goes on being filled.
TEST(CacheTrim, AcrossBlocks) {
  const Sizes s{1, 1, 2100, 2100, 4, 3};
  const Inputs in = inputs(s);
  for (const int rest : {1000, 1024, 1030, 2048}) {
    SCOPED_TRACE(rest);
    const auto cache = cache_of(config_of({.id = "rope"}, s)), other = cache_of(config_of({.id = "rope"}, s));
    ASSERT_OK_AND_ASSIGN(const AttentionResult start, decode(*cache, in, 0, 2070));
    ASSERT_OK_AND_ASSIGN(const AttentionResult same, decode(*other, in, 0, rest));
    ASSERT_TRUE(cache->trim(rest).ok());
    expect_same(*cache, *other, in, rest, 30);
  }
}

// The largest key decides whether scores are formed in double. With it forgotten, they are not, and small keys have their bits again.
TEST(CacheTrim, ForgetsHowLargeTheRestWas) {
  const Sizes s{1, 1, 12, 12, 4, 4};
  Inputs in = inputs(s);
  const auto cache = cache_of(config_of({}, s)), other = cache_of(config_of({}, s));
  ASSERT_OK_AND_ASSIGN(const AttentionResult start, decode(*cache, in, 0, 5));
  ASSERT_OK_AND_ASSIGN(const AttentionResult same, decode(*other, in, 0, 5));
  const Tensor large({1, 1, 4}, std::vector<float>(4, 1e38f));
  ASSERT_TRUE(cache->decode(large, large, large).ok());
  ASSERT_TRUE(cache->trim(5).ok());
  expect_same(*cache, *other, in, 5, 6);
}

TEST(CacheTrim, RefusesMoreThanThereIs) {
  const Inputs in = inputs(kText);
  const auto cache = cache_of(config_of({}, kText));
  EXPECT_EQ(cache->trim(1).message(), "length: 1 is outside 0 to 0");
  ASSERT_OK_AND_ASSIGN(const AttentionResult start, decode(*cache, in, 0, 5));
  EXPECT_EQ(cache->trim(6).message(), "length: 6 is outside 0 to 5");
  EXPECT_EQ(cache->trim(-1).message(), "length: -1 is outside 0 to 5");
  EXPECT_EQ(cache->length(), 5);
  EXPECT_TRUE(cache->trim(5).ok());
}

// ---- fork --------------------------------------------------------------------------------------------------------------

TEST(CacheFork, BothGoOnIndependently) {
  for (const char* id : {"none", "rope", "t5", "cope", "shaw"}) {
    SCOPED_TRACE(id);
    const Inputs in = inputs(kText);
    const auto cache = cache_of(config_of({.id = id}, kText)), plain = cache_of(config_of({.id = id}, kText));
    for (KeyValueCache* each : {cache.get(), plain.get()}) {
      ASSERT_OK_AND_ASSIGN(const AttentionResult start, decode(*each, in, 0, 20, {.key_mask = std::vector<std::uint8_t>(20, 1)}));
    }
    ASSERT_OK_AND_ASSIGN(const auto fork, cache->fork());
    EXPECT_EQ(fork->length(), 20);
    // The one goes on with other tokens, and is trimmed; the copy knows nothing of it.
    ASSERT_OK_AND_ASSIGN(const AttentionResult other, decode(*cache, in, 45, 9));
    ASSERT_TRUE(cache->trim(7).ok());
    expect_same(*fork, *plain, in, 20, 15);
    ASSERT_OK_AND_ASSIGN(const auto third, fork->fork());
    ASSERT_TRUE(plain->trim(7).ok());
    expect_same(*cache, *plain, in, 7, 3);
    EXPECT_EQ(third->length(), 20);
  }
}

TEST(CacheFork, OutlivesWhatItWasCopiedFrom) {
  const Inputs in = inputs(kText);
  auto cache = cache_of(config_of({.id = "t5"}, kText));
  const auto plain = cache_of(config_of({.id = "t5"}, kText));
  for (KeyValueCache* each : {cache.get(), plain.get()}) ASSERT_TRUE(decode(*each, in, 0, 20).ok());
  ASSERT_OK_AND_ASSIGN(const auto fork, cache->fork());
  cache.reset();
  expect_same(*fork, *plain, in, 20, 5);
}

TEST(CacheFork, WithoutRoomIsRefused) {
  const auto cache = cache_of({.width = 512, .max_length = 8});
  const Tensor one({1, 1, 512});
  ASSERT_TRUE(cache->decode(one, one, one).ok());
  {
    const MemoryLimit limit((4 << 20) - 1);
    const Status refused = cache->fork().status();
    EXPECT_EQ(refused.code(), Code::resource_exhausted);
    EXPECT_EQ(refused.message(), "cache: its copy needs 4 MiB, which are not left in this memory");
  }
  EXPECT_TRUE(cache->fork().ok());
}

// ---- an encoding that is already made ------------------------------------------------------------------------------------

TEST(CacheOfALiveEncoding, IsThatOfItsConfiguration) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    Sizes s = kText;
    s.kv_heads = heads_of_keys(variant.config, s.heads, 2);
    const Inputs in = inputs(s);
    const Geometry geometry{.length = s.keys, .width = s.width, .heads = s.heads, .value_width = s.value_width, .kv_heads = s.kv_heads};
    std::shared_ptr<const Encoding> encoding = value_of(create(variant.config, geometry));
    CacheConfig live = config_of({}, s);
    ASSERT_OK_AND_ASSIGN(const auto cache, KeyValueCache::create(live, encoding));
    encoding.reset();  // the cache has it too
    expect_same(*cache, *cache_of(config_of(variant.config, s)), in, 0, 30);
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

TEST(CacheOfALiveEncoding, OfOtherSizesIsRefused) {
  const auto refusal = [](const char* id, Geometry geometry, CacheConfig config = config_of({}, kText)) {
    std::shared_ptr<const Encoding> encoding = value_of(create({.id = id}, geometry));
    return KeyValueCache::create(config, encoding).status().message();
  };
  const Geometry good{.length = 70, .width = 8, .heads = 4, .value_width = 5, .kv_heads = 2};
  EXPECT_EQ(refusal("alibi", good), "");
  Geometry other = good;
  other.length = 69;
  EXPECT_EQ(refusal("alibi", other), "encoding: alibi was made for at most as many keys as 69, but the call has 70");
  other = good;
  other.heads = 8;
  EXPECT_EQ(refusal("alibi", other), "encoding: alibi was made for heads: 8, but the call has 4");
  EXPECT_EQ(refusal("alibi", good, config_of({.id = "rope"}, kText)),
            "encoding: rope is given in the configuration beside one that is already made");
  EXPECT_EQ(refusal("sinusoidal", good),
            "encoding: sinusoidal is added to the embeddings before attention; use layer, or add its table yourself");
}

// ---- refusals --------------------------------------------------------------------------------------------------------------

TEST(CacheSteps, WhatIsWrongWithAStepIsNamedAndLeavesNoTrace) {
  const Inputs in = inputs(kText);
  const auto cache = cache_of(config_of({}, kText));
  ASSERT_OK_AND_ASSIGN(const AttentionResult start, decode(*cache, in, 0, 4));
  const auto refusal = [&](const DecodeConfig& config) { return decode(*cache, in, 4, 2, config).status().message(); };
  EXPECT_EQ(refusal({.key_mask = {1}}), "key_mask: it has 1 entries, but k has 2 new tokens");
  EXPECT_EQ(refusal({.key_mask = {1, 1, 1, 1, 1, 1}}), "key_mask: it has 6 entries, but k has 2 new tokens");
  EXPECT_EQ(refusal({.want = {.map = true}}), "want: map is an answer of attention, not of decode");
  EXPECT_EQ(refusal({.want = {.weights = true, .head = 4}}), "head: 4 is outside 0 to 3");
  EXPECT_EQ(refusal({.want = {.weights = true, .head = -1}}), "head: -1 is outside 0 to 3");
  EXPECT_EQ(cache->length(), 4);
  const auto other = cache_of(config_of({}, kText));
  ASSERT_OK_AND_ASSIGN(const AttentionResult same, decode(*other, in, 0, 4));
  expect_same(*cache, *other, in, 4, 2);
}

TEST(CacheSteps, WantedRowsWithoutRoomAreRefused) {
  const auto cache = cache_of({.heads = 1, .width = 1, .max_length = 2000});
  const Tensor many({1, 1024, 1});
  const MemoryLimit limit(5 << 20);
  EXPECT_EQ(cache->decode(many, many, many, {.want = {.weights = true, .scores = true}}).status().message(),
            "k: 1024 more tokens need 9 MiB, which are not left in this memory");
  EXPECT_EQ(cache->length(), 0);
  EXPECT_TRUE(cache->decode(many, many, many).ok());
}

}  // namespace
}  // namespace phasor::test
