#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

using Visible = std::vector<std::uint8_t>;

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
  for (const CombineMode how : {CombineMode::add, CombineMode::concatenate}) {
    EXPECT_EQ(combine(bad, x, how).status().message(), "x[1]: NaN is not a finite number");
    EXPECT_EQ(combine(x, endless, how).status().message(),
              "table[0]: Infinity is not a finite number");
  }
}

TEST(Combine, RejectsAnOverflowingSum) {
  const Tensor large({1, 1}, {3e38F});
  EXPECT_EQ(combine(large, large, CombineMode::add).status().message(),
            "x: the sum of x and the table exceeds the float32 maximum, 3.40282e+38");
  EXPECT_TRUE(combine(large, large, CombineMode::concatenate).ok());
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

std::vector<double> ids(const Visible& visible, PositionIdMode how, int padding_idx = 1,
                        int past_length = 0) {
  return value_of(position_ids(visible, how, padding_idx, past_length));
}

using List = std::vector<double>;

TEST(PositionIds, CountOnlyVisibleTokens) {
  const Visible right = {1, 1, 1, 0, 0}, left = {0, 0, 1, 1, 1}, hole = {1, 0, 1, 1, 0};
  EXPECT_EQ(ids(right, PositionIdMode::fairseq), (List{2, 3, 4, 1, 1}));
  EXPECT_EQ(ids(left, PositionIdMode::fairseq), (List{1, 1, 2, 3, 4}));
  EXPECT_EQ(ids(hole, PositionIdMode::fairseq, 0), (List{1, 0, 2, 3, 0}));
  EXPECT_EQ(ids(left, PositionIdMode::opt), (List{-1, -1, 0, 1, 2}));
  EXPECT_EQ(ids(left, PositionIdMode::bloom), (List{0, 0, 0, 1, 2}));
}

// Positions of the second part of a text, continued from a cache, equal those in the whole text.
TEST(PositionIds, ContinueAfterCachedTokens) {
  for (const PositionIdMode how :
       {PositionIdMode::fairseq, PositionIdMode::opt, PositionIdMode::bloom}) {
    const List whole = ids({1, 1, 1, 1, 0, 1}, how), rest = ids({1, 0, 1}, how, 1, 3);
    EXPECT_EQ(rest, List(whole.begin() + 3, whole.end()));
  }
}

// OPT adds 2 to its positions, so padding reads row 1, like padding_idx 1 in fairseq.
TEST(PositionIds, SelectTheSameRowsForOptAndFairseq) {
  const Visible visible = {0, 1, 1, 0, 1};
  const List opt = ids(visible, PositionIdMode::opt),
             fairseq = ids(visible, PositionIdMode::fairseq);
  for (std::size_t t = 0; t < visible.size(); ++t) EXPECT_EQ(opt[t] + 2, fairseq[t]);
}

TEST(PositionIds, RejectInvalidArguments) {
  List out;
  EXPECT_EQ(position_ids({}, PositionIdMode::opt, 0, 0)
                .status()
                .message()
                .rfind("attention_mask: 0 is outside", 0),
            0u);
  const Visible one = {1};
  EXPECT_EQ(position_ids(one, PositionIdMode::opt, -1, 0)
                .status()
                .message()
                .rfind("padding_idx: -1 is outside", 0),
            0u);
  EXPECT_EQ(position_ids(one, PositionIdMode::opt, 0, -1)
                .status()
                .message()
                .rfind("past_length: -1 is outside", 0),
            0u);
}

}  // namespace
}  // namespace phasor::test
