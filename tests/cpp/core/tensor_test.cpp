#include "phasor/tensor.h"

#include <gtest/gtest.h>

#include <limits>

#include "phasor/ordered_map.h"

namespace phasor::test {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

TEST(Count, IsTheProductOfTheExtents) {
  EXPECT_EQ(numel(std::vector<int>{}), 1u);
  EXPECT_EQ(numel(std::vector<int>{2, 3, 4}), 24u);
  EXPECT_EQ(numel(std::vector<int>{2, 0, 4}), 0u);
}

// A product that wraps around would be the size of an array that is far too small.
TEST(Count, OfShapesBeyondMemoryIsMoreThanAnyArrayHas) {
  constexpr int kLarge = std::numeric_limits<int>::max();
  EXPECT_EQ(numel(std::vector<int>{1 << 16, 1 << 16, 1 << 16, 1 << 16}), kNone);
  EXPECT_EQ(numel(std::vector<int>{kLarge, kLarge, kLarge}), kNone);
  EXPECT_EQ(numel(std::vector<int>{-1, 2}), kNone);
  EXPECT_EQ(numel(std::vector<int>{-1, -2}), kNone);
  EXPECT_EQ(numel(std::vector<int>{1 << 16, 1 << 16, 1 << 16, 1 << 16, 0}), 0u);
  EXPECT_EQ(numel(std::vector<int>{0, -1}), kNone);
}

TEST(OrderedMap, FindsExistingNames) {
  const OrderedMap<int> values = {{"a", 1}, {"b", 2}};
  EXPECT_EQ(values.at("b"), 2);
  EXPECT_EQ(values.find("c"), nullptr);
}

#if GTEST_HAS_DEATH_TEST
TEST(OrderedMap, ANameThatIsNotThereEndsTheProgram) {
  OrderedMap<int> values = {{"a", 1}};
  EXPECT_DEATH((void)values.at("c"), "");
  EXPECT_DEATH((void)std::as_const(values).at("c"), "");
}

TEST(Matrix, OfAListEndsTheProgram) {
  Tensor list({3}), number(std::vector<int>{});
  EXPECT_DEATH((void)matrix(list), "");
  EXPECT_DEATH((void)matrix(std::as_const(list)), "");
  EXPECT_DEATH((void)matrix(number), "");
}

TEST(Tensor, OfMoreNumbersThanAnyMemoryHoldsEndsTheProgram) {
  EXPECT_DEATH((void)Tensor({1 << 16, 1 << 16, 1 << 16, 1 << 16}), "");
  EXPECT_DEATH((void)Tensor({-1, -2}), "");
}
#endif

}  // namespace
}  // namespace phasor::test
