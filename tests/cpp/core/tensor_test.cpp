#include "phasor/tensor.h"

#include <gtest/gtest.h>

#include <limits>

#include "core/buffer.h"
#include "phasor/ordered_map.h"
#include "results.h"

namespace phasor::test {
namespace {

constexpr std::size_t kNone = std::numeric_limits<std::size_t>::max();

TEST(Numel, IsTheProductOfTheExtents) {
  EXPECT_EQ(numel(std::vector<int>{}), 1u);
  EXPECT_EQ(numel(std::vector<int>{2, 3, 4}), 24u);
  EXPECT_EQ(numel(std::vector<int>{2, 0, 4}), 0u);
}

// A product that wrapped around would allocate far too small an array.
TEST(Numel, SaturatesOnOverflowAndNegativeExtents) {
  constexpr int kLarge = std::numeric_limits<int>::max();
  EXPECT_EQ(numel(std::vector<int>{1 << 16, 1 << 16, 1 << 16, 1 << 16}), kNone);
  EXPECT_EQ(numel(std::vector<int>{kLarge, kLarge, kLarge}), kNone);
  EXPECT_EQ(numel(std::vector<int>{-1, 2}), kNone);
  EXPECT_EQ(numel(std::vector<int>{-1, -2}), kNone);
  EXPECT_EQ(numel(std::vector<int>{1 << 16, 1 << 16, 1 << 16, 1 << 16, 0}), 0u);
  EXPECT_EQ(numel(std::vector<int>{0, -1}), kNone);
}

TEST(Zeros, ReturnsAStatusIfTheShapeDoesNotFit) {
  const Tensor column = value_of(zeros({3, 1}));
  EXPECT_EQ(column.shape, (std::vector<int>{3, 1}));
  EXPECT_EQ(column.data, (std::vector<float>{0, 0, 0}));
  EXPECT_EQ(value_of(zeros({})).data.size(), 1u);
  EXPECT_TRUE(value_of(zeros({1 << 30, 0})).empty());
  const Status large_status = zeros({1 << 20, 1 << 20, 1 << 10}).status();
  EXPECT_EQ(large_status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(large_status.message(),
            "shape: an array of 1048576 x 1048576 x 1024 numbers would take 4294967296 MiB; at "
            "most 1024 MiB can be returned");
  EXPECT_EQ(zeros({2, -3}).status().message(), "shape: -3 is outside 0 to 2147483647");
  const MemoryLimit limit(100);
  EXPECT_TRUE(zeros({25}).ok());
  EXPECT_EQ(zeros({26}).status().code(), StatusCode::resource_exhausted);
}

TEST(OrderedMap, FindsExistingNames) {
  const OrderedMap<int> values = {{"a", 1}, {"b", 2}};
  EXPECT_EQ(values.at("b"), 2);
  EXPECT_EQ(values.find("c"), nullptr);
}

#if GTEST_HAS_DEATH_TEST
TEST(OrderedMap, AtTerminatesOnAMissingName) {
  OrderedMap<int> values = {{"a", 1}};
  EXPECT_DEATH((void)values.at("c"), "");
  EXPECT_DEATH((void)std::as_const(values).at("c"), "");
}

TEST(Matrix, TerminatesForFewerThanTwoAxes) {
  Tensor vector({3}), number(std::vector<int>{});
  EXPECT_DEATH((void)matrix(vector), "");
  EXPECT_DEATH((void)matrix(std::as_const(vector)), "");
  EXPECT_DEATH((void)matrix(number), "");
}

TEST(Tensor, TerminatesIfTheShapeDoesNotFitInMemory) {
  EXPECT_DEATH((void)Tensor({1 << 20, 1 << 20, 1 << 10}),
               "a Tensor of 1048576 x 1048576 x 1024 elements does not fit in memory");
  EXPECT_DEATH((void)Tensor({1 << 16, 1 << 16, 1 << 16, 1 << 16}), "does not fit in memory");
  EXPECT_DEATH((void)Tensor({-1, -2}), "does not fit in memory");
}
#endif

}  // namespace
}  // namespace phasor::test
