// Limits of a key/value cache, reported with the argument names of C++.

#include <gtest/gtest.h>

#include "cache_steps.h"
#include "core/buffer.h"
#include "numbers.h"
#include "phasor/cache.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(CacheLimits, RejectUnsupportedConfigurations) {
  const auto error_message = [](CacheConfig config) {
    return KeyValueCache::create(config).status().message();
  };
  const CacheConfig valid_config{
      .heads = 4, .kv_heads = 2, .head_dim = 8, .v_head_dim = 6, .max_length = 12, .encoding = {}};
  EXPECT_EQ(error_message(valid_config), "");
  const auto get_error_after = [&](auto change) {
    CacheConfig config = valid_config;
    change(config);
    return error_message(config);
  };
  EXPECT_EQ(get_error_after([](CacheConfig& c) { c.heads = 0; }),
            "heads: 0 is outside 1 to 1048576");
  EXPECT_EQ(get_error_after([](CacheConfig& c) { c.kv_heads = -1; }),
            "kv_heads: -1 is outside 1 to 4");
  EXPECT_EQ(get_error_after([](CacheConfig& c) { c.kv_heads = 5; }),
            "kv_heads: 5 is outside 1 to 4");
  EXPECT_EQ(get_error_after([](CacheConfig& c) { c.kv_heads = 3; }),
            "kv_heads: 3 does not divide heads; expected a divisor of 4");
  EXPECT_EQ(get_error_after([](CacheConfig& c) { c.head_dim = 0; }),
            "head_dim: 0 is outside 1 to 1048576");
  EXPECT_EQ(get_error_after([](CacheConfig& c) { c.head_dim = c.v_head_dim = 0; }),
            "head_dim: 0 is outside 1 to 1048576");
  EXPECT_EQ(get_error_after([](CacheConfig& c) { c.v_head_dim = -1; }),
            "v_head_dim: -1 is outside 1 to 1048576");
  EXPECT_EQ(get_error_after([](CacheConfig& c) { c.max_length = 0; }),
            "max_length: 0 is outside 1 to 1048576");
  EXPECT_EQ(get_error_after([](CacheConfig& c) { c.window = 0; }),
            "window: 0 is outside 1 to 2147483647");
  EXPECT_EQ(get_error_after([](CacheConfig& c) { c.scale = NAN; }),
            "scale: NaN is not a finite number");
  EXPECT_EQ(get_error_after([](CacheConfig& c) { c.encoding.id = "sinusoidal"; }),
            "encoding: sinusoidal is added to the embeddings before attention; use self_attention, "
            "or add "
            "its table yourself");
  EXPECT_EQ(
      get_error_after([](CacheConfig& c) {
        c.encoding.id = "rope";
        c.head_dim = 7;
      }),
      "head_dim: 7 is odd; expected an even dim per head, because rope rotates channels in pairs");
}

TEST(CacheLimits, DefaultToAsManyKeyHeadsAsQueryHeads) {
  const auto cache = create_cache({.heads = 4, .head_dim = 2, .max_length = 4});
  const Tensor q = dyadic(31, {4, 3, 2}), one_head = dyadic(32, {1, 3, 2});
  EXPECT_EQ(value_of(cache->decode(q, q, q)).shape, (std::vector<int>{4, 3, 2}));
  EXPECT_EQ(cache->decode(q, one_head, one_head).status().message(), "k: has 1 heads; expected 4");
}

TEST(CacheLimits, ReportAChannelCountBeyondInt) {
  CacheConfig config{.heads = 1 << 20, .head_dim = 1 << 20, .max_length = 1};
  config.options.qk_norm = {.over = QkNorm::Over::all_heads, .q_weight = Tensor({8})};
  EXPECT_EQ(KeyValueCache::create(config).status().message(),
            "qk_norm.q_weight: has shape 8 with 8 values; expected one per channel of all heads, "
            "1099511627776");
}

TEST(CacheLimits, RejectTokensBeyondMaxLength) {
  const auto cache = create_cache({.head_dim = 2, .max_length = 4});
  const Tensor three_tokens = dyadic(31, {1, 3, 2}), two_tokens = dyadic(32, {1, 2, 2});
  ASSERT_TRUE(cache->decode(three_tokens, three_tokens, three_tokens).ok());
  EXPECT_EQ(cache->decode(two_tokens, two_tokens, two_tokens).status().message(),
            "k: 2 more tokens give a length of 5; expected at most max_length, 4");
  EXPECT_EQ(cache->length(), 3);
}

// Position 0 is not rotated; at position 1 the pair (3e38, 3e38) exceeds float32.
TEST(CacheLimits, RejectARotationOverflowWithoutChangingTheCache) {
  const auto cache =
      create_cache({.head_dim = 2, .max_length = 4, .encoding = {.id = "rope", .params = {}}});
  const Tensor zeros({1, 1, 2}), large_vector({1, 1, 2}, {3e38f, 3e38f});
  ASSERT_TRUE(cache->decode(large_vector, zeros, zeros).ok());
  const std::string message_suffix =
      ": the result of rope exceeds the float32 maximum, 3.40282e+38";
  EXPECT_EQ(cache->decode(large_vector, zeros, zeros).status().message(), "q" + message_suffix);
  EXPECT_EQ(cache->decode(zeros, large_vector, zeros).status().message(), "k" + message_suffix);
  EXPECT_EQ(cache->length(), 1);
}

// Many query heads share one value, so small inputs have a large output.
TEST(CacheLimits, RejectAnOversizedOutputWithoutChangingTheCache) {
  constexpr int kHeads = 16384, kTokens = 17, kValueDim = 1024;
  const auto cache = create_cache(
      {.heads = kHeads, .kv_heads = 1, .head_dim = 1, .v_head_dim = kValueDim, .max_length = 64});
  const Status status = cache
                            ->decode(Tensor({kHeads, kTokens, 1}), Tensor({1, kTokens, 1}),
                                     Tensor({1, kTokens, kValueDim}))
                            .status();
  EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(status.message(),
            "v: an output of 16384 x 17 x 1024 numbers would take 1088 MiB; at most 1024 MiB can "
            "be returned");
  EXPECT_EQ(cache->length(), 0);
  EXPECT_TRUE(
      cache->decode(Tensor({kHeads, 1, 1}), Tensor({1, 1, 1}), Tensor({1, 1, kValueDim})).ok());
  EXPECT_EQ(cache->length(), 1);
}

// A cache and random tokens for its next steps.
struct GrowingCache {
  CacheConfig config;
  std::unique_ptr<KeyValueCache> cache = create_cache(config);

  Result<AttentionResult> decode(int tokens) {
    const std::uint64_t seed = static_cast<std::uint64_t>(cache->length());
    const Tensor q = dyadic(34 + seed, {config.heads, tokens, config.head_dim}),
                 k = dyadic(35 + seed, {config.kv_heads, tokens, config.head_dim}),
                 v = dyadic(36 + seed, {config.kv_heads, tokens, config.v_head_dim});
    return cache->decode(q, k, v, {.outputs = {.weights = true}});
  }
};

// Each allocation of a step fails once. The cache is unchanged, and the next attempt returns the
// result of an undisturbed cache.
TEST(CacheMemory, FailedAllocationsLeaveTheCacheUnchanged) {
  const CacheConfig default_config{
      .heads = 4, .kv_heads = 2, .head_dim = 4, .v_head_dim = 5, .max_length = 2100};
  std::vector<CacheConfig> configs = {default_config, default_config, default_config,
                                      default_config, default_config};
  configs[1].encoding.id = "shaw";  // allocates rows of keys
  configs[2].encoding.id = "cope";  // also rows of values, all packed in one block
  configs[3].scale = 1e300;         // unpacked and packed again
  configs[4].encoding.id = "rope";
  for (const CacheConfig& config : configs) {
    SCOPED_TRACE(config.encoding.id);
    GrowingCache failing_cache{config}, reference_cache{config};
    for (const int tokens : {2, 1, 7, 1014, 1, 30}) {  // fills a block and starts the next
      const int length_before = failing_cache.cache->length();
      int allocations = 0;
      AttentionResult actual;
      for (bool has_failed = true; has_failed; ++allocations) {
        const MemoryWatch watch(allocations + 1);
        const Status status = failing_cache.decode(tokens).move_to(actual);
        has_failed = watch.has_failed();
        if (!has_failed) break;
        ASSERT_EQ(status.code(), StatusCode::resource_exhausted) << allocations;
        ASSERT_NE(status.message().find(" MiB"), std::string::npos) << status.message();
        ASSERT_EQ(failing_cache.cache->length(), length_before);
      }
      const AttentionResult expected = value_of(reference_cache.decode(tokens));
      ASSERT_EQ(actual.output.data, expected.output.data);
      ASSERT_EQ(actual.weights.data, expected.weights.data);
      EXPECT_GE(allocations, 3);
    }
  }
}

TEST(CacheMemory, ErrorsReportMebibytes) {
  GrowingCache wide_cache{{.heads = 1,
                           .kv_heads = 1,
                           .head_dim = 512,
                           .v_head_dim = 512,
                           .max_length = 8,
                           .encoding = {}}};
  const MemoryLimit limit(4 << 20);
  EXPECT_EQ(wide_cache.decode(1).status().message(),
            "k: 1 more tokens need 5 MiB, more than is available");
}

}  // namespace
}  // namespace phasor::test
