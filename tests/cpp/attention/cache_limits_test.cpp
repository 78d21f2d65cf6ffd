// What a cache of keys and values is not made for, in the names of C++.

#include "phasor/cache.h"

#include <gtest/gtest.h>

#include "numbers.h"
#include "results.h"

namespace phasor::test {
namespace {

std::unique_ptr<KeyValueCache> cache_of(const CacheConfig& config) { return value_of(KeyValueCache::create(config)); }

TEST(CacheLimits, SettingsAreNamedAsInCpp) {
  const auto refusal = [](const CacheConfig& config) { return KeyValueCache::create(config).status().message; };
  EXPECT_EQ(refusal({.heads = 4, .kv_heads = 5, .width = 2, .max_length = 4}), "kv_heads: 5 is outside 1 to 4");
  EXPECT_EQ(refusal({.heads = 4, .kv_heads = 3, .width = 2, .max_length = 4}), "kv_heads: 3 do not divide the 4 heads");
  EXPECT_EQ(refusal({.width = 2, .value_width = -1, .max_length = 4}), "value_width: -1 is outside 1 to 1048576");
  EXPECT_EQ(refusal({.width = 2, .max_length = 0}), "max_length: 0 is outside 1 to 1048576");
}

TEST(CacheLimits, MoreTokensThanItMayHoldAreRefused) {
  const auto cache = cache_of({.width = 2, .max_length = 4});
  const Tensor three = dyadic(31, {1, 3, 2}), two = dyadic(32, {1, 2, 2});
  ASSERT_TRUE(cache->decode(three, three, three).ok());
  EXPECT_EQ(cache->decode(two, two, two).status().message, "k: 2 more tokens make 5, but max_length is 4");
  EXPECT_EQ(cache->length(), 3);
}

// Small inputs may ask for large outputs: many heads share one value.
TEST(CacheLimits, AnOutputThatCannotFitIsRefusedAndTheCacheIsAsItWas) {
  constexpr int kHeads = 16384, kTokens = 17, kWide = 1024;
  const auto cache = cache_of({.heads = kHeads, .width = 1, .value_width = kWide, .max_length = 64});
  const Status status = cache->decode(Tensor({kHeads, kTokens, 1}), Tensor({1, kTokens, 1}), Tensor({1, kTokens, kWide})).status();
  EXPECT_EQ(status.code, Code::resource_exhausted);
  EXPECT_EQ(status.message, "output: 16384 x 17 x 1024 numbers need 1088 MiB; at most 1024 MiB can be returned");
  EXPECT_EQ(cache->length(), 0);
  EXPECT_TRUE(cache->decode(Tensor({kHeads, 1, 1}), Tensor({1, 1, 1}), Tensor({1, 1, kWide})).ok());
  EXPECT_EQ(cache->length(), 1);
}

}  // namespace
}  // namespace phasor::test
