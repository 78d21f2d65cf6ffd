// What a cache of keys and values is not made for, in the names of C++.

#include <gtest/gtest.h>

#include "core/buffer.h"
#include "numbers.h"
#include "phasor/cache.h"
#include "results.h"

namespace phasor::test {
namespace {

std::unique_ptr<KeyValueCache> cache_of(const CacheConfig& config) { return value_of(KeyValueCache::create(config)); }

TEST(CacheLimits, WhatItCannotBeMadeForIsNamed) {
  const auto refusal = [](CacheConfig config) { return KeyValueCache::create(config).status().message(); };
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
  EXPECT_EQ(cache->decode(two, two, two).status().message(), "k: 2 more tokens make 5, but max_length is 4");
  EXPECT_EQ(cache->length(), 3);
}

// The first position turns nothing; at the second the pair (3e38, 3e38) is longer than the largest float32.
TEST(CacheLimits, ATokenThatCannotBeTurnedIsRefusedAndTheCacheIsAsItWas) {
  const auto cache = cache_of({.width = 2, .max_length = 4, .encoding = {.id = "rope", .params = {}}});
  const Tensor zero({1, 1, 2}), longer({1, 1, 2}, {3e38f, 3e38f});
  ASSERT_TRUE(cache->decode(longer, zero, zero).ok());
  const std::string leaves = ": transformed by rope, it leaves the range of float32, which ends at 3.40282e+38";
  EXPECT_EQ(cache->decode(longer, zero, zero).status().message(), "q" + leaves);
  EXPECT_EQ(cache->decode(zero, longer, zero).status().message(), "k" + leaves);
  EXPECT_EQ(cache->length(), 1);
}

// Small inputs may ask for large outputs: many heads share one value.
TEST(CacheLimits, AnOutputThatCannotFitIsRefusedAndTheCacheIsAsItWas) {
  constexpr int kHeads = 16384, kTokens = 17, kWide = 1024;
  const auto cache = cache_of({.heads = kHeads, .width = 1, .value_width = kWide, .max_length = 64});
  const Status status = cache->decode(Tensor({kHeads, kTokens, 1}), Tensor({1, kTokens, 1}), Tensor({1, kTokens, kWide})).status();
  EXPECT_EQ(status.code(), Code::resource_exhausted);
  EXPECT_EQ(status.message(), "v: an output of 16384 x 17 x 1024 numbers would take 1088 MiB; at most 1024 MiB can be returned");
  EXPECT_EQ(cache->length(), 0);
  EXPECT_TRUE(cache->decode(Tensor({kHeads, 1, 1}), Tensor({1, 1, 1}), Tensor({1, 1, kWide})).ok());
  EXPECT_EQ(cache->length(), 1);
}

// A cache, and how many bytes its next tokens ask for.
struct Growing {
  CacheConfig config;
  std::unique_ptr<KeyValueCache> cache = cache_of(config);

  Status decode(int tokens) {
    const Tensor q = dyadic(34, {config.heads, tokens, config.width}), k = dyadic(35, {config.kv_heads, tokens, config.width}),
                 v = dyadic(36, {config.kv_heads, tokens, config.value_width});
    return cache->decode(q, k, v).status();
  }

  // With one byte less nothing is kept.
  void expect_needs(double bytes, int tokens) {
    const int before = cache->length();
    {
      const MemoryLimit limit(bytes - 1);
      const Status status = decode(tokens);
      ASSERT_EQ(status.code(), Code::resource_exhausted) << bytes << " bytes for " << tokens << " after " << before;
      const double output = 4.0 * config.heads * tokens * config.value_width;  // which is tried by itself before
      if (bytes > output) {
        EXPECT_EQ(status.message(), "k: " + std::to_string(tokens) + " more tokens need 1 MiB, which are not left in this memory");
      }
      ASSERT_EQ(cache->length(), before);
    }
    const MemoryLimit limit(bytes);
    const Status status = decode(tokens);
    ASSERT_TRUE(status.ok()) << status.message() << ": " << bytes << " bytes for " << tokens << " after " << before;
    ASSERT_EQ(cache->length(), before + tokens);
  }
};

constexpr double kBytes = 4;  // of a number
// Blocks of 1024 tokens: keys as columns, values as rows of whole panels of 16.
constexpr double block_of(int width, int value_panels) { return kBytes * 1024 * (width + 16 * value_panels); }

TEST(CacheMemory, IsAskedForOutputsAndForBlocksOfEveryHead) {
  Growing two{{.heads = 4, .kv_heads = 2, .width = 3, .value_width = 5, .max_length = 3000, .encoding = {}}};
  const double blocks = 2 * block_of(3, 1), output = kBytes * 4 * 5;
  two.expect_needs(blocks + 2 * output, 2);
  two.expect_needs(output, 1);
  two.expect_needs(1021 * output, 1021);  // the block is full
  two.expect_needs(blocks + output, 1);
  two.expect_needs(blocks + 1100 * output, 1100);
  Growing one{{.heads = 1, .kv_heads = 1, .width = 3, .value_width = 17, .max_length = 3000, .encoding = {}}};
  one.expect_needs(2 * block_of(3, 2) + kBytes * 1025 * 17, 1025);
}

TEST(CacheMemory, IsNamedInMebibytes) {
  Growing wide{{.heads = 1, .kv_heads = 1, .width = 512, .value_width = 512, .max_length = 8, .encoding = {}}};
  const MemoryLimit limit(4 << 20);
  EXPECT_EQ(wide.decode(1).message(), "k: 1 more tokens need 5 MiB, which are not left in this memory");
}

// Rows beside the blocks move to a place twice as large when theirs is full.
TEST(CacheMemory, IsAskedForRowsOfKeysWhereAnEncodingLooksAtThem) {
  Growing shaw{{.heads = 1, .kv_heads = 1, .width = 3, .value_width = 5, .max_length = 8, .encoding = {.id = "shaw", .params = {}}}};
  const double output = kBytes * 5, row = kBytes * 3;
  shaw.expect_needs(block_of(3, 1) + output + row, 1);
  shaw.expect_needs(output + 2 * row, 1);
  shaw.expect_needs(output + 4 * row, 1);
  shaw.expect_needs(output, 1);
  shaw.expect_needs(3 * output + 8 * row, 3);
}

TEST(CacheMemory, IsAskedForRowsOfValuesAndAPackedCopyWhereAnEncodingLooksAtWholeRows) {
  Growing cope{{.heads = 2, .kv_heads = 2, .width = 3, .value_width = 5, .max_length = 8, .encoding = {.id = "cope", .params = {}}}};
  const double output = kBytes * 2 * 5, rows = kBytes * 2 * (3 + 5);
  const auto packed = [](int keys) { return kBytes * (3 * 16 + keys * 16); };
  cope.expect_needs(2 * block_of(3, 1) + output + rows + packed(1), 1);
  cope.expect_needs(output + 2 * rows + packed(2), 1);
  cope.expect_needs(output + 4 * rows + packed(3), 1);
  cope.expect_needs(output + packed(4), 1);
}

TEST(CacheMemory, IsAskedForUnpackedRowsWhereFloat32IsTooSmall) {
  Growing far{{.heads = 2, .kv_heads = 2, .width = 3, .value_width = 5, .max_length = 32, .encoding = {}, .scale = 1e300}};
  const double output = kBytes * 2 * 5, row = kBytes * (3 + 5);
  far.expect_needs(2 * block_of(3, 1) + 2 * output + kBytes * (3 * 16 + 2 * 16) + 2 * row, 2);
  far.expect_needs(15 * output + kBytes * (3 * 32 + 17 * 16) + 17 * row, 15);
}

}  // namespace
}  // namespace phasor::test
