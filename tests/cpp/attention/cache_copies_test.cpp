// Truncated and forked caches, and caches that share an existing encoding.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "cache_steps.h"
#include "core/buffer.h"
#include "variants.h"

namespace phasor::test {
namespace {

TEST(CacheTruncate, EqualsACacheThatNeverHeldTheTokens) {
  for (const char* id : {"none", "rope", "alibi", "t5", "cope", "shaw", "deberta"}) {
    const Inputs in = inputs(kText);
    for (const int length : {0, 1, 15, 16, 17, 40}) {
      SCOPED_TRACE(std::string(id) + " to " + std::to_string(length));
      const auto cache = create_cache(make_cache_config({.id = id}, kText)),
                 expected_cache = create_cache(make_cache_config({.id = id}, kText));
      // The truncated tokens include hidden keys.
      ASSERT_OK_AND_ASSIGN(const AttentionResult initial_result, decode(*cache, in, 0, 40));
      ASSERT_OK_AND_ASSIGN(const AttentionResult hidden_result,
                           decode(*cache, in, 50, 3, {.key_mask = {1, 0, 0}}));
      ASSERT_TRUE(cache->truncate(length).ok());
      EXPECT_EQ(cache->length(), length);
      if (length > 0) {
        ASSERT_TRUE(decode(*expected_cache, in, 0, length).ok());
      }
      expect_same_outputs(*cache, *expected_cache, in, length, 20);
    }
  }
}

// Blocks of 1024 tokens are freed, and decoding continues in the truncated block.
TEST(CacheTruncate, WorksAcrossBlocks) {
  const Sizes s{1, 1, 2100, 2100, 4, 3};
  const Inputs in = inputs(s);
  for (const int length : {1000, 1024, 1030, 2048}) {
    SCOPED_TRACE(length);
    const auto cache = create_cache(make_cache_config({.id = "rope"}, s)),
               expected_cache = create_cache(make_cache_config({.id = "rope"}, s));
    ASSERT_OK_AND_ASSIGN(const AttentionResult initial_result, decode(*cache, in, 0, 2070));
    ASSERT_OK_AND_ASSIGN(const AttentionResult expected_result,
                         decode(*expected_cache, in, 0, length));
    ASSERT_TRUE(cache->truncate(length).ok());
    expect_same_outputs(*cache, *expected_cache, in, length, 30);
  }
}

// The largest key determines whether scores are computed in double. Without it, small keys are
// computed in float32 again.
TEST(CacheTruncate, DropsTheMagnitudeOfTruncatedKeys) {
  const Sizes s{1, 1, 12, 12, 4, 4};
  Inputs in = inputs(s);
  const auto cache = create_cache(make_cache_config({}, s)),
             expected_cache = create_cache(make_cache_config({}, s));
  ASSERT_OK_AND_ASSIGN(const AttentionResult initial_result, decode(*cache, in, 0, 5));
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected_result, decode(*expected_cache, in, 0, 5));
  const Tensor large_token({1, 1, 4}, std::vector<float>(4, 1e38f));
  ASSERT_TRUE(cache->decode(large_token, large_token, large_token).ok());
  ASSERT_TRUE(cache->truncate(5).ok());
  expect_same_outputs(*cache, *expected_cache, in, 5, 6);
}

TEST(CacheTruncate, RejectsLengthsOutOfRange) {
  const Inputs in = inputs(kText);
  const auto cache = create_cache(make_cache_config({}, kText));
  EXPECT_EQ(cache->truncate(1).message(), "length: 1 is outside 0 to 0");
  ASSERT_OK_AND_ASSIGN(const AttentionResult initial_result, decode(*cache, in, 0, 5));
  EXPECT_EQ(cache->truncate(6).message(), "length: 6 is outside 0 to 5");
  EXPECT_EQ(cache->truncate(-1).message(), "length: -1 is outside 0 to 5");
  EXPECT_EQ(cache->length(), 5);
  EXPECT_TRUE(cache->truncate(5).ok());
}

TEST(CacheFork, IsIndependentOfTheOriginal) {
  for (const char* id : {"none", "rope", "t5", "cope", "shaw"}) {
    SCOPED_TRACE(id);
    const Inputs in = inputs(kText);
    const auto cache = create_cache(make_cache_config({.id = id}, kText)),
               expected_cache = create_cache(make_cache_config({.id = id}, kText));
    for (KeyValueCache* target : {cache.get(), expected_cache.get()}) {
      ASSERT_OK_AND_ASSIGN(
          const AttentionResult initial_result,
          decode(*target, in, 0, 20, {.key_mask = std::vector<std::uint8_t>(20, 1)}));
    }
    ASSERT_OK_AND_ASSIGN(const auto fork, cache->fork());
    EXPECT_EQ(fork->length(), 20);
    // The original continues with other tokens and is truncated; the fork is unaffected.
    ASSERT_OK_AND_ASSIGN(const AttentionResult ignored_result, decode(*cache, in, 45, 9));
    ASSERT_TRUE(cache->truncate(7).ok());
    expect_same_outputs(*fork, *expected_cache, in, 20, 15);
    ASSERT_OK_AND_ASSIGN(const auto second_fork, fork->fork());
    ASSERT_TRUE(expected_cache->truncate(7).ok());
    expect_same_outputs(*cache, *expected_cache, in, 7, 3);
    EXPECT_EQ(second_fork->length(), 20);
  }
}

TEST(CacheFork, OutlivesTheOriginal) {
  const Inputs in = inputs(kText);
  auto cache = create_cache(make_cache_config({.id = "t5"}, kText));
  const auto expected_cache = create_cache(make_cache_config({.id = "t5"}, kText));
  for (KeyValueCache* target : {cache.get(), expected_cache.get()})
    ASSERT_TRUE(decode(*target, in, 0, 20).ok());
  ASSERT_OK_AND_ASSIGN(const auto fork, cache->fork());
  cache.reset();
  expect_same_outputs(*fork, *expected_cache, in, 20, 5);
}

TEST(CacheFork, IsRejectedWithoutEnoughMemory) {
  const auto cache = create_cache({.head_dim = 512, .max_length = 8});
  const Tensor token({1, 1, 512});
  ASSERT_TRUE(cache->decode(token, token, token).ok());
  {
    const MemoryLimit limit(4 << 20);  // bytes of a copied block
    const Status status = cache->fork().status();
    EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
    EXPECT_EQ(status.message(), "cache: a copy needs 5 MiB, more than is available");
  }
  EXPECT_TRUE(cache->fork().ok());
}

TEST(CacheWithEncoding, EqualsACacheOfTheConfiguration) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    Sizes s = kText;
    s.kv_heads = heads_of_keys(variant.config, s.heads, 2);
    const Inputs in = inputs(s);
    const EncodingDims geometry{.length = s.keys,
                                .dim = s.head_dim,
                                .heads = s.heads,
                                .v_head_dim = s.v_head_dim,
                                .kv_heads = s.kv_heads};
    std::shared_ptr<const Encoding> encoding = value_of(create_encoding(variant.config, geometry));
    CacheConfig cache_config = make_cache_config({}, s);
    ASSERT_OK_AND_ASSIGN(const auto cache, KeyValueCache::create(cache_config, encoding));
    encoding.reset();  // the cache shares its ownership
    expect_same_outputs(*cache, *create_cache(make_cache_config(variant.config, s)), in, 0, 30);
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

TEST(CacheWithEncoding, RejectsEncodingsThatDoNotFit) {
  const auto error_message = [](const char* id, EncodingDims geometry,
                                CacheConfig config = make_cache_config({}, kText)) {
    std::shared_ptr<const Encoding> encoding = value_of(create_encoding({.id = id}, geometry));
    return KeyValueCache::create(config, encoding).status().message();
  };
  const EncodingDims valid_dims{.length = 70, .dim = 8, .heads = 4, .v_head_dim = 5, .kv_heads = 2};
  EXPECT_EQ(error_message("alibi", valid_dims), "");
  EncodingDims dims = valid_dims;
  dims.length = 69;
  EXPECT_EQ(error_message("alibi", dims),
            "encoding: alibi was created for keys: at most 69, but the call has 70");
  dims = valid_dims;
  dims.heads = 8;
  EXPECT_EQ(error_message("alibi", dims),
            "encoding: alibi was created for heads: 8, but the call has 4");
  EXPECT_EQ(error_message("alibi", valid_dims, make_cache_config({.id = "rope"}, kText)),
            "encoding: rope in the configuration cannot be combined with an existing encoding");
  EXPECT_EQ(error_message("sinusoidal", valid_dims),
            "encoding: sinusoidal is added to the embeddings before attention; use self_attention, "
            "or add "
            "its table yourself");
}

}  // namespace
}  // namespace phasor::test
