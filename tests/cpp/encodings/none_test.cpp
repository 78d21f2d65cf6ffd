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
  Tensor swapped_x = x;
  for (int c = 0; c < dim; ++c) std::swap(matrix(swapped_x).row(1)[c], matrix(swapped_x).row(4)[c]);
  SelfAttentionConfig config;
  config.heads = 2;
  config.mask = Mask::causal;
  ASSERT_OK_AND_ASSIGN(AttentionResult result, self_attention(x, config));
  ASSERT_OK_AND_ASSIGN(AttentionResult swapped_result, self_attention(swapped_x, config));
  double middle_error = 0;
  for (int c = 0; c < dim; ++c) {
    EXPECT_NEAR(matrix(result.output).row(length - 1)[c],
                matrix(swapped_result.output).row(length - 1)[c], 1e-6);
    middle_error =
        std::max(middle_error, error(static_cast<double>(matrix(result.output).row(3)[c]),
                                     static_cast<double>(matrix(swapped_result.output).row(3)[c])));
  }
  EXPECT_GT(middle_error, 1e-2);  // token 3 now sees token 4 instead of token 1
}

TEST(None, HasNoParameters) {
  EXPECT_TRUE(find_encoding("none")->params.empty());
  EXPECT_EQ(EncodingConfig().id, "none");
}

}  // namespace
}  // namespace phasor::test
