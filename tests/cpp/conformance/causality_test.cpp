// Under a causal mask later tokens do not affect earlier ones. The length does not change, so
// encodings that depend on it are included, and the tiles are the same, so results are equal bit
// for bit.

#include <gtest/gtest.h>

#include <algorithm>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::causality_test {
namespace {

constexpr int kLength = 37, kDim = 16, kHeads = 2;  // two whole tiles of queries and a part

// x (.., tokens, dim) with different contents from token `first` on.
Tensor replace_from(int first, const Tensor& x, std::uint64_t seed) {
  Tensor out = x;
  const Tensor replacement = dyadic(seed, x.shape);
  const int tokens = x.shape[x.shape.size() - 2], dim = x.shape.back();
  for (std::size_t i = 0; i < out.data.size(); ++i) {
    if (static_cast<int>(i) / dim % tokens >= first) out.data[i] = replacement.data[i];
  }
  return out;
}

// The largest difference in tokens [first, last) of two tensors (.., tokens, dim).
double difference(const Tensor& a, const Tensor& b, int first, int last) {
  const int tokens = a.shape[a.shape.size() - 2], dim = a.shape.back();
  double largest = 0;
  for (std::size_t i = 0; i < a.data.size(); ++i) {
    const int token = static_cast<int>(i) / dim % tokens;
    if (token >= first && token < last)
      largest = std::max(largest, std::fabs(static_cast<double>(a.data[i] - b.data[i])));
  }
  return largest;
}

TEST(ConformanceCausality, LaterTokensDoNotAffectEarlierTokensOfALayer) {
  const Tensor x = dyadic(31, {kLength, kDim});
  for (const Variant& variant : every_variant_of_dim(kDim)) {
    for (const Projections projections : {Projections::identity, Projections::orthogonal}) {
      SelfAttentionConfig config;
      config.heads = kHeads;
      config.encoding = variant.config;
      config.projections = projections;
      config.outputs = {.weights = true, .scores = true};
      for (const int first : {1, 15, 16, 17, 36}) {
        const Tensor changed_x = replace_from(first, x, 32);
        config.mask = Mask::causal;
        const AttentionResult before = value_of(self_attention(x, config)),
                              after = value_of(self_attention(changed_x, config));
        EXPECT_EQ(difference(before.output, after.output, 0, first), 0)
            << variant.name << " from " << first;
        EXPECT_EQ(difference(before.weights, after.weights, 0, first), 0)
            << variant.name << " from " << first;
        EXPECT_GT(difference(before.output, after.output, first, kLength), 1e-2)
            << variant.name << " does not see the change at all";
        config.mask = Mask::none;  // without the mask the change is visible
        EXPECT_GT(difference(value_of(self_attention(x, config)).output,
                             value_of(self_attention(changed_x, config)).output, 0, first),
                  1e-4)
            << variant.name << " from " << first;
      }
    }
  }
}

// The queries are the last tokens: query r is at position keys - queries + r.
TEST(ConformanceCausality, LaterKeysDoNotAffectEarlierQueries) {
  const int queries = 19, keys = 40, cached_keys = keys - queries;
  const Tensor q = dyadic(33, {kHeads, queries, kDim}), k = dyadic(34, {kHeads, keys, kDim}),
               v = dyadic(35, {kHeads, keys, kDim});
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    for (const int first : {cached_keys, cached_keys + 1, cached_keys + 16, keys - 1}) {
      AttentionConfig config;
      config.encoding = variant.config;
      config.mask = Mask::causal;
      AttentionResult before, after;
      Status status = attention(q, k, v, config).move_to(before);
      if (status.ok())
        status = attention(q, replace_from(first, k, 36), replace_from(first, v, 37), config)
                     .move_to(after);
      ASSERT_TRUE(status.ok()) << variant.name << ": " << status.message();
      EXPECT_EQ(difference(before.output, after.output, 0, first - cached_keys), 0)
          << variant.name << " from " << first;
      EXPECT_GT(difference(before.output, after.output, first - cached_keys, queries), 1e-2)
          << variant.name << " from " << first;
    }
  }
}

}  // namespace
}  // namespace phasor::test::causality_test
