#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

using AttentionMask = std::vector<std::uint8_t>;

TEST(Combine, AddKeepsTheDimAndConcatenateSumsTheDims) {
  const Tensor x({2, 2}, {1, 2, 3, 4}), same({2, 2}, {10, 20, 30, 40}), narrow({2, 1}, {5, 6});
  ASSERT_OK_AND_ASSIGN(Tensor out, combine(x, same, CombineMode::add));
  EXPECT_EQ(out.data, (std::vector<float>{11, 22, 33, 44}));
  ASSERT_OK_AND_ASSIGN(out, combine(x, narrow, CombineMode::concatenate));
  EXPECT_EQ(out.shape, (std::vector<int>{2, 3}));
  EXPECT_EQ(out.data, (std::vector<float>{1, 2, 5, 3, 4, 6}));
}

TEST(Combine, RejectsNonfiniteValuesByIndex) {
  const Tensor x({1, 2}, {1, 2}), bad({1, 2}, {1, std::nanf("")}), endless({1, 2}, {INFINITY, 1});
  for (const CombineMode mode : {CombineMode::add, CombineMode::concatenate}) {
    EXPECT_EQ(combine(bad, x, mode).status().message(), "x[1]: NaN is not a finite number");
    EXPECT_EQ(combine(x, endless, mode).status().message(),
              "table[0]: Infinity is not a finite number");
  }
}

TEST(Combine, RejectsAnOverflowingSum) {
  const Tensor large_tensor({1, 1}, {3e38F});
  EXPECT_EQ(combine(large_tensor, large_tensor, CombineMode::add).status().message(),
            "x: the sum of x and the table exceeds the float32 maximum, 3.40282e+38");
  EXPECT_TRUE(combine(large_tensor, large_tensor, CombineMode::concatenate).ok());
}

TEST(Combine, RejectsMismatchedShapes) {
  const Tensor x({2, 2}), narrow({2, 1}), shorter({1, 2});
  EXPECT_EQ(combine(x, narrow, CombineMode::add).status().message(),
            "table: has dim 1; expected 2, the dim of x");
  EXPECT_EQ(combine(x, shorter, CombineMode::add).status().message(),
            "table: has shape 1 x 2, but x has 2 x 2");
  EXPECT_EQ(combine(Tensor(), x, CombineMode::add).status().message(),
            "x: has no shape and no values");
}

std::vector<double> compute_ids(const AttentionMask& visible, PositionIdMode mode,
                                int padding_idx = 1, int past_length = 0) {
  return value_of(position_ids(visible, mode, padding_idx, past_length));
}

using List = std::vector<double>;

TEST(PositionIds, CountOnlyVisibleTokens) {
  const AttentionMask right_padding = {1, 1, 1, 0, 0}, left_padding = {0, 0, 1, 1, 1},
                      mask_with_hole = {1, 0, 1, 1, 0};
  EXPECT_EQ(compute_ids(right_padding, PositionIdMode::fairseq), (List{2, 3, 4, 1, 1}));
  EXPECT_EQ(compute_ids(left_padding, PositionIdMode::fairseq), (List{1, 1, 2, 3, 4}));
  EXPECT_EQ(compute_ids(mask_with_hole, PositionIdMode::fairseq, 0), (List{1, 0, 2, 3, 0}));
  EXPECT_EQ(compute_ids(left_padding, PositionIdMode::opt), (List{-1, -1, 0, 1, 2}));
  EXPECT_EQ(compute_ids(left_padding, PositionIdMode::bloom), (List{0, 0, 0, 1, 2}));
}

// Positions of the second part of a text, continued from a cache, equal those in the whole text.
TEST(PositionIds, ContinueAfterCachedTokens) {
  for (const PositionIdMode mode :
       {PositionIdMode::fairseq, PositionIdMode::opt, PositionIdMode::bloom}) {
    const List all_ids = compute_ids({1, 1, 1, 1, 0, 1}, mode),
               last_ids = compute_ids({1, 0, 1}, mode, 1, 3);
    EXPECT_EQ(last_ids, List(all_ids.begin() + 3, all_ids.end()));
  }
}

// OPT adds 2 to its positions, so padding reads row 1, like padding_idx 1 in fairseq.
TEST(PositionIds, SelectTheSameRowsForOptAndFairseq) {
  const AttentionMask visible = {0, 1, 1, 0, 1};
  const List opt_ids = compute_ids(visible, PositionIdMode::opt),
             fairseq = compute_ids(visible, PositionIdMode::fairseq);
  for (std::size_t t = 0; t < visible.size(); ++t) EXPECT_EQ(opt_ids[t] + 2, fairseq[t]);
}

TEST(PositionIds, RejectInvalidArguments) {
  List out;
  EXPECT_EQ(position_ids({}, PositionIdMode::opt, 0, 0)
                .status()
                .message()
                .rfind("attention_mask: 0 is outside", 0),
            0u);
  const AttentionMask single_token = {1};
  EXPECT_EQ(position_ids(single_token, PositionIdMode::opt, -1, 0)
                .status()
                .message()
                .rfind("padding_idx: -1 is outside", 0),
            0u);
  EXPECT_EQ(position_ids(single_token, PositionIdMode::opt, 0, -1)
                .status()
                .message()
                .rfind("past_length: -1 is outside", 0),
            0u);
}

}  // namespace
}  // namespace phasor::test
