// What a cache of keys and values is not made for, in the names of C++.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/cache.h"
#include "results.h"

namespace phasor::test {
namespace {

std::unique_ptr<KeyValueCache> cache_of(const CacheConfig& config) { return value_of(KeyValueCache::create(config)); }

TEST(CacheLimits, WhatItCannotBeMadeForIsNamed) {
  const auto refusal = [](CacheConfig config) { return KeyValueCache::create(config).status().message; };
  const CacheConfig good{.heads = 4, .kv_heads = 2, .width = 8, .value_width = 6, .max_length = 12, .encoding = {}};
  EXPECT_EQ(refusal(good), "");
  const auto with = [&](auto change) {
    CacheConfig config = good;
    change(config);
    return refusal(config);
  };
  EXPECT_EQ(with([](CacheConfig& c) { c.heads = 0; }), "heads: 0 is outside 1 to 1048576");
  EXPECT_EQ(with([](CacheConfig& c) { c.kv_heads = 0; }), "kv_heads: 0 is outside 1 to 4");
  EXPECT_EQ(with([](CacheConfig& c) { c.kv_heads = 5; }), "kv_heads: 5 is outside 1 to 4");
  EXPECT_EQ(with([](CacheConfig& c) { c.kv_heads = 3; }), "kv_heads: 3 do not divide the 4 heads");
  EXPECT_EQ(with([](CacheConfig& c) { c.width = 0; }), "width: 0 is outside 1 to 1048576");
  EXPECT_EQ(with([](CacheConfig& c) { c.width = c.value_width = 0; }), "width: 0 is outside 1 to 1048576");
  EXPECT_EQ(with([](CacheConfig& c) { c.value_width = -1; }), "value_width: -1 is outside 1 to 1048576");
  EXPECT_EQ(with([](CacheConfig& c) { c.max_length = 0; }), "max_length: 0 is outside 1 to 1048576");
  EXPECT_EQ(with([](CacheConfig& c) { c.window = 0; }), "window: 0 is outside 1 to 2147483647");
  EXPECT_EQ(with([](CacheConfig& c) { c.scale = NAN; }), "scale: NaN is not a finite number");
  EXPECT_EQ(with([](CacheConfig& c) { c.encoding.id = "sinusoidal"; }),
            "encoding: sinusoidal is added to the embeddings before attention; use layer, or add its table yourself");
  EXPECT_EQ(with([](CacheConfig& c) {
              c.encoding.id = "rope";
              c.width = 7;
            }),
            "width: 7 is odd, but rope turns pairs of channels and needs an even width per head");
}

TEST(CacheLimits, MoreTokensThanItMayHoldAreRefused) {
  const auto cache = cache_of({.width = 2, .max_length = 4});
  const Tensor three = dyadic(31, {1, 3, 2}), two = dyadic(32, {1, 2, 2});
  ASSERT_TRUE(cache->decode(three, three, three).ok());
  EXPECT_EQ(cache->decode(two, two, two).status().message, "k: 2 more tokens make 5, but max_length is 4");
  EXPECT_EQ(cache->length(), 3);
}

// The first position turns nothing; at the second the pair (3e38, 3e38) is longer than the largest float32.
TEST(CacheLimits, ATokenThatCannotBeTurnedIsRefusedAndTheCacheIsAsItWas) {
  const auto cache = cache_of({.width = 2, .max_length = 4, .encoding = {.id = "rope", .params = {}}});
  const Tensor zero({1, 1, 2}), longer({1, 1, 2}, {3e38f, 3e38f});
  ASSERT_TRUE(cache->decode(longer, zero, zero).ok());
  const std::string leaves = ": transformed by rope, it leaves the range of float32, which ends at 3.40282e+38";
  EXPECT_EQ(cache->decode(longer, zero, zero).status().message, "q" + leaves);
  EXPECT_EQ(cache->decode(zero, longer, zero).status().message, "k" + leaves);
  EXPECT_EQ(cache->length(), 1);
}

// Small inputs may ask for large outputs: many heads share one value.
TEST(CacheLimits, AnOutputThatCannotFitIsRefusedAndTheCacheIsAsItWas) {
  constexpr int kHeads = 16384, kTokens = 17, kWide = 1024;
  const auto cache = cache_of({.heads = kHeads, .width = 1, .value_width = kWide, .max_length = 64});
  const Status status = cache->decode(Tensor({kHeads, kTokens, 1}), Tensor({1, kTokens, 1}), Tensor({1, kTokens, kWide})).status();
  EXPECT_EQ(status.code, Code::resource_exhausted);
  EXPECT_EQ(status.message, "v: an output of 16384 x 17 x 1024 numbers would take 1088 MiB; at most 1024 MiB can be returned");
  EXPECT_EQ(cache->length(), 0);
  EXPECT_TRUE(cache->decode(Tensor({kHeads, 1, 1}), Tensor({1, 1, 1}), Tensor({1, 1, kWide})).ok());
  EXPECT_EQ(cache->length(), 1);
}

}  // namespace
}  // namespace phasor::test
