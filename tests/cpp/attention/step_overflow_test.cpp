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
  const Tensor one = head(1, 2, {1, 2}), huge = head(1, 2, {1e30f, 1e30f});
  ASSERT_TRUE(cache->decode(one, one, one).ok());
  EXPECT_EQ(cache->decode(huge, huge, huge).status().message(),
            "q: scale * q k^T, an input of shaw, exceeds the float32 maximum, "
            "3.40282e+38");
  EXPECT_EQ(cache->length(), 1);
  ASSERT_OK_AND_ASSIGN(const Tensor second, cache->decode(one, one, one));
  AttentionConfig whole = encoded("shaw");
  whole.mask = Mask::causal;
  // The random tables of Shaw do not depend on the length.
  EXPECT_EQ(
      attended(head(2, 2, {1, 2, 1, 2}), head(2, 2, {1, 2, 1, 2}), head(2, 2, {1, 2, 1, 2}), whole)
          .output.data[2],
      second.data[0]);
}

TEST(Overflow, LayersReturnFiniteResultsOrAnError) {
  const Tensor x({1, 2}, {3e38f, 3e38f}), far({1, 2}, {1e30f, 1e30f}), one({1, 2}, {1, 1});
  // A single token has the weight 1 for any score.
  ASSERT_OK_AND_ASSIGN(const AttentionResult out, self_attention(x, {.heads = 1, .encoding = {}}));
  EXPECT_EQ(out.output.data, x.data);
  const SelfAttentionConfig loud{
      .heads = 1, .encoding = {.id = "learned", .params = {{"table", Tensor({1, 2}, {3e38f, 0})}}}};
  EXPECT_EQ(self_attention(x, loud).status().message(),
            "x: a query, key or value projection exceeds the float32 maximum, 3.40282e+38");
  // Its gradient is that of the value alone, because the weight is constant.
  ASSERT_OK_AND_ASSIGN(const SelfAttentionGradients gradients,
                       self_attention_backward(far, one, {.heads = 1, .encoding = {}}));
  EXPECT_EQ(gradients.d_x.data, one.data);
}

}  // namespace
}  // namespace phasor::test::step_overflow_test
