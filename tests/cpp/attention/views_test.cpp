// Attention of views gives the same bits as attention of row-major copies.

#include <gtest/gtest.h>

#include "attention_inputs.h"
#include "phasor/attention.h"
#include "phasor/tensor_view.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::views_test {
namespace {

AttentionConfig config_of(const EncodingConfig& encoding) {
  AttentionConfig config{.encoding = encoding, .mask = Mask::causal};
  config.outputs = {.weights = true, .softmax_stats = true};
  return config;
}

void expect_same(const Result<AttentionResult>& got, const Result<AttentionResult>& expected) {
  ASSERT_TRUE(expected.ok()) << expected.status().message();
  ASSERT_TRUE(got.ok()) << got.status().message();
  EXPECT_EQ(got->output.shape, expected->output.shape);
  EXPECT_EQ(got->output.data, expected->output.data);
  EXPECT_EQ(got->weights.data, expected->weights.data);
  EXPECT_EQ(got->row_sum, expected->row_sum);
}

// Views of the heads of one projection, with grouped keys if the encoding supports them.
TEST(AttentionOfViews, MatchesAttentionOfCopies) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    const int heads = 4, kv_heads = heads_of_keys(variant.config, heads, 2), dim = 8;
    const std::vector<int> shape = {13, (heads + 2 * kv_heads) * dim};
    const Tensor qkv = dyadic(81, shape);
    ASSERT_OK_AND_ASSIGN(const QkvViews views,
                         split_qkv(view(qkv), {.heads = heads, .kv_heads = kv_heads}));
    const AttentionConfig config = config_of(variant.config);
    expect_same(attention(views.q, views.k, views.v, config),
                attention(value_of(contiguous(views.q)), value_of(contiguous(views.k)),
                          value_of(contiguous(views.v)), config));
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

TEST(AttentionOfViews, SupportsBatchesAndExistingEncodings) {
  const Tensor qkv = dyadic(82, {3, 13, 4 * 3 * 8});
  const auto rope = value_of(create_encoding({.id = "rope"}, {.length = 13, .dim = 8, .heads = 4}));
  for (const QkvLayout layout : {QkvLayout::qkv_heads_dim, QkvLayout::heads_qkv_dim}) {
    ASSERT_OK_AND_ASSIGN(const QkvViews views,
                         split_qkv(view(qkv), {.heads = 4, .layout = layout}));
    const Tensor q = value_of(contiguous(views.q)), k = value_of(contiguous(views.k)),
                 v = value_of(contiguous(views.v));
    expect_same(attention(views.q, views.k, views.v, config_of({.id = "alibi"})),
                attention(q, k, v, config_of({.id = "alibi"})));
    expect_same(attention(views.q, views.k, views.v, *rope, config_of({})),
                attention(q, k, v, *rope, config_of({})));
    expect_same(attention(view(q), view(k), view(v), config_of({})),
                attention(q, k, v, config_of({})));
  }
}

// Transposed values, values multiplied by 1e37, and one token repeated.
TEST(AttentionOfViews, SupportsAnyStrides) {
  const Inputs in = inputs({2, 2, 5, 7, 4, 3});
  Tensor transposed({2, 3, 7}), large = in.v;
  for (int h = 0; h < 2; ++h) {
    for (int t = 0; t < 7; ++t) {
      for (int c = 0; c < 3; ++c)
        matrix(transposed, h).row(c)[t] = matrix(std::as_const(in.v), h).row(t)[c];
    }
  }
  const TensorView v{
      .shape = {2, 7, 3}, .strides = {21, 1, 7}, .offset = 0, .data = transposed.data};
  const AttentionConfig config = config_of({.id = "t5"});
  expect_same(attention(view(in.q), view(in.k), v, config), attention(in.q, in.k, in.v, config));
  for (float& x : large.data) x *= 1e37f;
  expect_same(attention(view(in.q), view(in.k), view(large), config),
              attention(in.q, in.k, large, config));
  const TensorView repeated{
      .shape = {2, 7, 3}, .strides = {3, 0, 1}, .offset = 1, .data = in.v.data};
  expect_same(attention(view(in.q), view(in.k), repeated, config),
              attention(in.q, in.k, value_of(contiguous(repeated)), config));
}

// A copy of these values would take more than 1 GiB.
TEST(AttentionOfViews, DoesNotCopyValues) {
  const Tensor q({1, 1, 1}), k({1, 1 << 20, 1}), token = dyadic(83, {257});
  const TensorView v{
      .shape = {1, 1 << 20, 257}, .strides = {0, 0, 1}, .offset = 0, .data = token.data};
  EXPECT_EQ(contiguous(v).status().code(), StatusCode::resource_exhausted);
  const Tensor output = value_of(attention(view(q), view(k), v, {})).output;
  ASSERT_EQ(output.shape, (std::vector<int>{1, 1, 257}));
  for (std::size_t c = 0; c < 257; ++c) EXPECT_NEAR(output.data[c], token.data[c], 1e-4);
}

TEST(AttentionOfViews, RejectsInvalidViews) {
  const Inputs in = inputs({2, 2, 5, 7, 4, 3});
  const auto message = [&](const TensorView& q, const TensorView& k, const TensorView& v) {
    return attention(q, k, v, {}).status().message();
  };
  TensorView v = view(in.v), k = view(in.k);
  v.offset = 2;
  EXPECT_EQ(message(view(in.q), k, v),
            "v.data: has 42 values, but shape, strides and offset reach index 43");
  v = view(in.v);
  v.shape[1] = 6;
  EXPECT_EQ(message(view(in.q), k, v), "v: has 6 tokens, but k has 7");
  v.shape = {21};
  EXPECT_EQ(message(view(in.q), k, v), "v: has shape 21; expected heads x tokens x dim");
  v.strides = {2};
  EXPECT_EQ(message(view(in.q), k, v), "v: has shape 21; expected heads x tokens x dim");
  v = view(in.v);
  v.shape[2] = -3;
  EXPECT_EQ(message(view(in.q), k, v), "v.shape[2]: -3 is not a whole number from 0 to 2147483647");
  k.strides = {1};
  EXPECT_EQ(message(view(in.q), k, view(in.v)), "k.strides: has 1 entries, but shape has 3");
  // The index counts the elements of the view.
  Tensor wide({2, 7, 5}, std::vector<float>(70, 1.0f));
  wide.data[35 + 3 * 5 + 1] = NAN;
  const TensorView part{.shape = {2, 7, 3}, .strides = {35, 5, 1}, .offset = 0, .data = wide.data};
  EXPECT_EQ(message(view(in.q), view(in.k), part), "v[31]: NaN is not a finite number");
}

}  // namespace
}  // namespace phasor::test::views_test
