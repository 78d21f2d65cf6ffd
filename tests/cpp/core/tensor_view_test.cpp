// Views of tensors in any layout, compared with their definition element by element.
// tests/web/strides.contract.ts has the same cases for JavaScript.

#include "phasor/tensor_view.h"

#include <gtest/gtest.h>

#include "numbers.h"
#include "results.h"

namespace phasor::test {
namespace {

const std::vector<float>& consecutive_values() {
  static const std::vector<float> values = [] {
    std::vector<float> result(240);
    for (std::size_t i = 0; i < result.size(); ++i) result[i] = static_cast<float>(i);
    return result;
  }();
  return values;
}

TensorView strided(std::vector<int> shape, std::vector<std::size_t> strides,
                   std::size_t offset = 0) {
  return {.shape = std::move(shape),
          .strides = std::move(strides),
          .offset = offset,
          .data = consecutive_values()};
}

template <class F>
void for_each_index(const std::vector<int>& shape, F&& f) {
  std::vector<int> index(shape.size());
  for (std::size_t n = 0; n < numel(shape); ++n) {
    f(index);
    for (std::size_t axis = shape.size(); axis-- > 0 && ++index[axis] == shape[axis];)
      index[axis] = 0;
  }
}

TEST(Contiguous, CopiesElementsInRowMajorOrder) {
  SplitMix64 random(7);
  const auto random_below = [&](int n) {
    return static_cast<int>(random.next() % static_cast<std::uint64_t>(n));
  };
  int elements = 0;
  for (int trial = 0; trial < 500; ++trial) {
    TensorView x{.shape = {},
                 .strides = {},
                 .offset = static_cast<std::size_t>(random_below(20)),
                 .data = consecutive_values()};
    for (int axis = random_below(5); axis > 0; --axis) {
      x.shape.push_back(random_below(8) == 0 ? 0 : 1 + random_below(4));
      x.strides.push_back(static_cast<std::size_t>(random_below(3) == 0 ? 1 : random_below(17)));
    }
    ASSERT_OK_AND_ASSIGN(const Tensor actual, contiguous(x));
    ASSERT_EQ(actual.shape, x.shape);
    std::size_t n = 0;
    const bool is_row_major = x.strides.empty();
    for_each_index(x.shape, [&](const std::vector<int>& index) {
      std::size_t at = x.offset;
      for (std::size_t axis = 0; !is_row_major && axis < index.size(); ++axis)
        at += static_cast<std::size_t>(index[axis]) * x.strides[axis];
      ASSERT_EQ(actual.data[n++], static_cast<float>(at));
      ++elements;
    });
    ASSERT_EQ(n, actual.data.size());
  }
  EXPECT_GT(elements, 1000);
}

TEST(Contiguous, AssumesRowMajorDataWithoutStrides) {
  ASSERT_OK_AND_ASSIGN(const Tensor actual, contiguous(strided({2, 3}, {}, 5)));
  EXPECT_EQ(actual.data, (std::vector<float>{5, 6, 7, 8, 9, 10}));
  const Tensor x = dyadic(3, {2, 5});
  EXPECT_EQ(value_of(contiguous(view(x))).data, x.data);
}

TEST(Contiguous, RejectsElementsOutsideTheData) {
  const auto message_of = [](const TensorView& x) { return contiguous(x).status().message(); };
  EXPECT_EQ(message_of(strided({2, 3}, {1})), "strides: has 1 entries, but shape has 2");
  EXPECT_EQ(message_of(strided({2, -3}, {3, 1})),
            "shape[1]: -3 is not a whole number from 0 to 2147483647");
  EXPECT_EQ(message_of(strided({2, 3}, {120, 60})),
            "data: has 240 values, but shape, strides and offset reach index 240");
  EXPECT_TRUE(contiguous(strided({2, 3}, {119, 60})).ok());
  EXPECT_EQ(message_of(strided({2, 3}, {}, 235)),
            "data: has 240 values, but shape, strides and offset reach index 240");
  const std::size_t large_offset = SIZE_MAX;  // a product that wrapped around would be in range
  EXPECT_NE(message_of(strided({3}, {large_offset})), "");
  EXPECT_NE(message_of(strided({1}, {1}, large_offset)), "");
  EXPECT_TRUE(contiguous(strided({0, 3}, {large_offset, large_offset}, large_offset)).ok());
  EXPECT_EQ(contiguous(strided({1 << 16, 1 << 16}, {0, 0})).status().code(),
            StatusCode::resource_exhausted);
}

// x.view(T, H, D).transpose(0, 1) in PyTorch
TEST(SplitHeads, ReturnsAViewWithHeadsFirst) {
  ASSERT_OK_AND_ASSIGN(const TensorView heads, split_heads(strided({5, 12}, {}), 3));
  EXPECT_EQ(heads.data.data(), consecutive_values().data());
  ASSERT_OK_AND_ASSIGN(const Tensor actual, contiguous(heads));
  ASSERT_EQ(actual.shape, (std::vector<int>{3, 5, 4}));
  std::size_t n = 0;
  for_each_index(actual.shape, [&](const std::vector<int>& i) {
    EXPECT_EQ(actual.data[n++], static_cast<float>(i[1] * 12 + i[0] * 4 + i[2]));
  });
}

TEST(SplitHeads, KeepsLeadingAxesAndStrides) {
  ASSERT_OK_AND_ASSIGN(const TensorView heads, split_heads(strided({2, 5, 6}, {60, 12, 2}, 7), 2));
  ASSERT_OK_AND_ASSIGN(const Tensor actual, contiguous(heads));
  ASSERT_EQ(actual.shape, (std::vector<int>{2, 2, 5, 3}));
  std::size_t n = 0;
  for_each_index(actual.shape, [&](const std::vector<int>& i) {
    EXPECT_EQ(actual.data[n++],
              static_cast<float>(7 + i[0] * 60 + i[2] * 12 + (i[1] * 3 + i[3]) * 2));
  });
}

void expect_elements(const TensorView& x, const std::vector<int>& shape, auto&& channel) {
  ASSERT_OK_AND_ASSIGN(const Tensor actual, contiguous(x));
  ASSERT_EQ(actual.shape, shape);
  std::size_t n = 0;
  for_each_index(shape, [&](const std::vector<int>& i) {
    ASSERT_EQ(actual.data[n++], static_cast<float>(i[1] * 24 + channel(i[0]) + i[2]));
  });
}

TEST(SplitQkv, SupportsBothLayouts) {
  const TensorView qkv = strided({5, 24}, {});
  for (int part = 0; part < 3; ++part) {
    const auto qkv_shape = [&](const QkvViews& views) {
      return part == 0 ? views.q : part == 1 ? views.k : views.v;
    };
    ASSERT_OK_AND_ASSIGN(const QkvViews by_part,
                         split_qkv(qkv, {.heads = 4, .layout = QkvLayout::qkv_heads_dim}));
    expect_elements(qkv_shape(by_part), {4, 5, 2}, [&](int head) { return (part * 4 + head) * 2; });
    ASSERT_OK_AND_ASSIGN(const QkvViews by_head,
                         split_qkv(qkv, {.heads = 4, .layout = QkvLayout::heads_qkv_dim}));
    expect_elements(qkv_shape(by_head), {4, 5, 2}, [&](int head) { return (head * 3 + part) * 2; });
  }
}

TEST(SplitQkv, SupportsSharedKeysAndValues) {
  ASSERT_OK_AND_ASSIGN(const QkvViews views,
                       split_qkv(strided({5, 24}, {}), {.heads = 8, .kv_heads = 2}));
  expect_elements(views.q, {8, 5, 2}, [](int head) { return head * 2; });
  expect_elements(views.k, {2, 5, 2}, [](int head) { return 16 + head * 2; });
  expect_elements(views.v, {2, 5, 2}, [](int head) { return 20 + head * 2; });
}

TEST(SplitHeadsAndQkv, RejectInvalidArguments) {
  const TensorView x = strided({5, 24}, {});
  EXPECT_EQ(split_heads(x, 5).status().message(),
            "x: has 24 channels, which cannot be split into 5 heads");
  EXPECT_EQ(split_heads(x, 0).status().message(), "heads: 0 is outside 1 to 1048576");
  EXPECT_EQ(split_heads(x, 48).status().message(),
            "x: has 24 channels, which cannot be split into 48 heads");
  EXPECT_EQ(split_heads(strided({24}, {}), 2).status().message(),
            "x: has shape 24; expected tokens x channels");
  EXPECT_EQ(split_heads(strided({5, 0}, {}), 1).status().message(),
            "x: has 0 channels, which cannot be split into 1 heads");
  EXPECT_EQ(split_heads(strided({5, 24}, {1}), 2).status().message(),
            "x.strides: has 1 entries, but shape has 2");
  const auto qkv = [&](const QkvConfig& config) { return split_qkv(x, config).status().message(); };
  EXPECT_EQ(qkv({.heads = 5}), "qkv: has 24 channels, which cannot be split into 15 heads");
  EXPECT_EQ(qkv({.heads = 0}), "heads: 0 is outside 1 to 1048576");
  EXPECT_EQ(qkv({.heads = 4, .kv_heads = 5}), "kv_heads: 5 is outside 1 to 4");
  EXPECT_EQ(qkv({.heads = 4, .kv_heads = -1}), "kv_heads: -1 is outside 1 to 4");
  EXPECT_EQ(qkv({.heads = 4, .kv_heads = 3}),
            "kv_heads: 3 does not divide heads; expected a divisor of 4");
  EXPECT_EQ(qkv({.heads = 4, .kv_heads = 2, .layout = QkvLayout::heads_qkv_dim}),
            "kv_heads: 2 differs from heads; expected 4 for the layout heads_qkv_dim");
  EXPECT_EQ(qkv({.heads = 1 << 20}),
            "qkv: has 24 channels, which cannot be split into 3145728 heads");
}

}  // namespace
}  // namespace phasor::test
