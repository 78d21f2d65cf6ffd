// The overflow rule of docs/reliability.md in caches and layers.

#include <gtest/gtest.h>

#include "overflow.h"
#include "phasor/cache.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::step_overflow_test {
namespace {

TEST(Overflow, DecodingSupportsOverflowingScores) {
  const CacheConfig config{.heads = 1, .head_dim = 1, .max_length = 4, .encoding = {}};
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KeyValueCache> cache, KeyValueCache::create(config));
  ASSERT_OK_AND_ASSIGN(Tensor output,
                       cache->decode(head(1, 1, {1e30f}), head(1, 1, {-1e30f}), head(1, 1, {5})));
  EXPECT_EQ(output.data, std::vector<float>{5});
  ASSERT_OK_AND_ASSIGN(output, cache->decode(head(2, 1, {-1, 1e30f}), head(2, 1, {1e30f, 1}),
                                             head(2, 1, {3e38f, 3e38f})));
  EXPECT_EQ(output.data, (std::vector<float>{5, 3e38f}));
  // An ordinary query with extreme stored keys.
  ASSERT_OK_AND_ASSIGN(output,
                       cache->decode(head(1, 1, {0}), head(1, 1, {0}), head(1, 1, {3e38f})));
  EXPECT_NEAR(static_cast<double>(output.data[0]), 3e38 / 4 * 3, 1e32);
}

TEST(Overflow, ARejectedTokenLeavesTheCacheUnchanged) {
  const CacheConfig config{
      .heads = 1, .head_dim = 2, .max_length = 4, .encoding = {.id = "shaw", .params = {}}};
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KeyValueCache> cache, KeyValueCache::create(config));
  const Tensor token = head(1, 2, {1, 2}), huge_token = head(1, 2, {1e30f, 1e30f});
  ASSERT_TRUE(cache->decode(token, token, token).ok());
  EXPECT_EQ(cache->decode(huge_token, huge_token, huge_token).status().message(),
            "q: scale * q k^T, an input of shaw, exceeds the float32 maximum, "
            "3.40282e+38");
  EXPECT_EQ(cache->length(), 1);
  ASSERT_OK_AND_ASSIGN(const Tensor output, cache->decode(token, token, token));
  AttentionConfig whole = encoded("shaw");
  whole.mask = Mask::causal;
  // The random tables of Shaw do not depend on the length.
  EXPECT_EQ(
      attended(head(2, 2, {1, 2, 1, 2}), head(2, 2, {1, 2, 1, 2}), head(2, 2, {1, 2, 1, 2}), whole)
          .output.data[2],
      output.data[0]);
}

TEST(Overflow, LayersReturnFiniteResultsOrAnError) {
  const Tensor x({1, 2}, {3e38f, 3e38f}), huge_x({1, 2}, {1e30f, 1e30f}), d_output({1, 2}, {1, 1});
  // A single token has the weight 1 for any score.
  ASSERT_OK_AND_ASSIGN(const AttentionResult result,
                       self_attention(x, {.heads = 1, .encoding = {}}));
  EXPECT_EQ(result.output.data, x.data);
  const SelfAttentionConfig learned_config{
      .heads = 1, .encoding = {.id = "learned", .params = {{"table", Tensor({1, 2}, {3e38f, 0})}}}};
  EXPECT_EQ(self_attention(x, learned_config).status().message(),
            "x: a query, key or value projection exceeds the float32 maximum, 3.40282e+38");
  // Its gradient is that of the value alone, because the weight is constant.
  ASSERT_OK_AND_ASSIGN(const SelfAttentionGradients gradients,
                       self_attention_backward(huge_x, d_output, {.heads = 1, .encoding = {}}));
  EXPECT_EQ(gradients.d_x.data, d_output.data);
}

}  // namespace
}  // namespace phasor::test::step_overflow_test
