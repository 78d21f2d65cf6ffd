#include "phasor/cache.h"

#include <gtest/gtest.h>

#include "numbers.h"

namespace phasor::test {
namespace {

using CachePointer = std::unique_ptr<KeyValueCache>;

TEST(Cache, SettingsAreNamedAsInCpp) {
  const auto refusal = [](const CacheConfig& config) {
    CachePointer cache;
    return KeyValueCache::create(config, cache).message;
  };
  EXPECT_EQ(refusal({.heads = 4, .kv_heads = 5, .width = 2, .max_length = 4}), "kv_heads: 5 is outside 1 to 4");
  EXPECT_EQ(refusal({.heads = 4, .kv_heads = 3, .width = 2, .max_length = 4}), "kv_heads: 3 do not divide the 4 heads");
  EXPECT_EQ(refusal({.width = 2, .value_width = -1, .max_length = 4}), "value_width: -1 is outside 1 to 1048576");
  EXPECT_EQ(refusal({.width = 2, .max_length = 0}), "max_length: 0 is outside 1 to 1048576");
}

TEST(Cache, MoreTokensThanItMayHoldAreRefused) {
  CachePointer cache;
  ASSERT_TRUE(KeyValueCache::create({.width = 2, .max_length = 4}, cache).ok());
  const Tensor three = dyadic(31, {1, 3, 2}), two = dyadic(32, {1, 2, 2});
  Tensor out;
  ASSERT_TRUE(cache->decode(three, three, three, out).ok());
  EXPECT_EQ(cache->decode(two, two, two, out).message, "k: 2 more tokens make 5, but max_length is 4");
  EXPECT_EQ(cache->length(), 3);
}

}  // namespace
}  // namespace phasor::test
