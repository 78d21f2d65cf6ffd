#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

// The last token sees all others as a set.
TEST(None, LastRowIgnoresTheOrderOfEarlierTokensUnderACausalMask) {
  const int length = 7, dim = 8;
  const Tensor x = dyadic(71, {length, dim});
  Tensor swapped = x;
  for (int c = 0; c < dim; ++c) std::swap(matrix(swapped).row(1)[c], matrix(swapped).row(4)[c]);
  SelfAttentionConfig config;
  config.heads = 2;
  config.mask = Mask::causal;
  ASSERT_OK_AND_ASSIGN(AttentionResult before, self_attention(x, config));
  ASSERT_OK_AND_ASSIGN(AttentionResult after, self_attention(swapped, config));
  double middle = 0;
  for (int c = 0; c < dim; ++c) {
    EXPECT_NEAR(matrix(before.output).row(length - 1)[c], matrix(after.output).row(length - 1)[c],
                1e-6);
    middle = std::max(middle, error(static_cast<double>(matrix(before.output).row(3)[c]),
                                    static_cast<double>(matrix(after.output).row(3)[c])));
  }
  EXPECT_GT(middle, 1e-2);  // token 3 now sees token 4 instead of token 1
}

TEST(None, HasNoParameters) {
  EXPECT_TRUE(find_encoding("none")->params.empty());
  EXPECT_EQ(EncodingConfig().id, "none");
}

}  // namespace
}  // namespace phasor::test
