// Attention of views gives the same bits as attention of row-major copies.

#include <gtest/gtest.h>

#include "attention_inputs.h"
#include "phasor/attention.h"
#include "phasor/tensor_view.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::views_test {
namespace {

AttentionConfig make_config(const EncodingConfig& encoding) {
  AttentionConfig config{.encoding = encoding, .mask = Mask::causal};
  config.outputs = {.weights = true, .softmax_stats = true};
  return config;
}

void expect_same(const Result<AttentionResult>& actual, const Result<AttentionResult>& expected) {
  ASSERT_TRUE(expected.ok()) << expected.status().message();
  ASSERT_TRUE(actual.ok()) << actual.status().message();
  EXPECT_EQ(actual->output.shape, expected->output.shape);
  EXPECT_EQ(actual->output.data, expected->output.data);
  EXPECT_EQ(actual->weights.data, expected->weights.data);
  EXPECT_EQ(actual->row_sum, expected->row_sum);
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
    const AttentionConfig config = make_config(variant.config);
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
    expect_same(attention(views.q, views.k, views.v, make_config({.id = "alibi"})),
                attention(q, k, v, make_config({.id = "alibi"})));
    expect_same(attention(views.q, views.k, views.v, *rope, make_config({})),
                attention(q, k, v, *rope, make_config({})));
    expect_same(attention(view(q), view(k), view(v), make_config({})),
                attention(q, k, v, make_config({})));
  }
}

// Transposed values, values multiplied by 1e37, and one token repeated.
TEST(AttentionOfViews, SupportsAnyStrides) {
  const Inputs in = inputs({2, 2, 5, 7, 4, 3});
  Tensor transposed_v({2, 3, 7}), large_v = in.v;
  for (int h = 0; h < 2; ++h) {
    for (int t = 0; t < 7; ++t) {
      for (int c = 0; c < 3; ++c)
        matrix(transposed_v, h).row(c)[t] = matrix(std::as_const(in.v), h).row(t)[c];
    }
  }
  const TensorView v{
      .shape = {2, 7, 3}, .strides = {21, 1, 7}, .offset = 0, .data = transposed_v.data};
  const AttentionConfig config = make_config({.id = "t5"});
  expect_same(attention(view(in.q), view(in.k), v, config), attention(in.q, in.k, in.v, config));
  for (float& x : large_v.data) x *= 1e37f;
  expect_same(attention(view(in.q), view(in.k), view(large_v), config),
              attention(in.q, in.k, large_v, config));
  const TensorView repeated_v{
      .shape = {2, 7, 3}, .strides = {3, 0, 1}, .offset = 1, .data = in.v.data};
  expect_same(attention(view(in.q), view(in.k), repeated_v, config),
              attention(in.q, in.k, value_of(contiguous(repeated_v)), config));
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
  const auto get_error_message = [&](const TensorView& q, const TensorView& k,
                                     const TensorView& v) {
    return attention(q, k, v, {}).status().message();
  };
  TensorView v = view(in.v), k = view(in.k);
  v.offset = 2;
  EXPECT_EQ(get_error_message(view(in.q), k, v),
            "v.data: has 42 values, but shape, strides and offset reach index 43");
  v = view(in.v);
  v.shape[1] = 6;
  EXPECT_EQ(get_error_message(view(in.q), k, v), "v: has 6 tokens, but k has 7");
  v.shape = {21};
  EXPECT_EQ(get_error_message(view(in.q), k, v), "v: has shape 21; expected heads x tokens x dim");
  v.strides = {2};
  EXPECT_EQ(get_error_message(view(in.q), k, v), "v: has shape 21; expected heads x tokens x dim");
  v = view(in.v);
  v.shape[2] = -3;
  EXPECT_EQ(get_error_message(view(in.q), k, v),
            "v.shape[2]: -3 is not a whole number from 0 to 2147483647");
  k.strides = {1};
  EXPECT_EQ(get_error_message(view(in.q), k, view(in.v)),
            "k.strides: has 1 entries, but shape has 3");
  // The index counts the elements of the view.
  Tensor storage({2, 7, 5}, std::vector<float>(70, 1.0f));
  storage.data[35 + 3 * 5 + 1] = NAN;
  const TensorView v_view{
      .shape = {2, 7, 3}, .strides = {35, 5, 1}, .offset = 0, .data = storage.data};
  EXPECT_EQ(get_error_message(view(in.q), view(in.k), v_view), "v[31]: NaN is not a finite number");
}

}  // namespace
}  // namespace phasor::test::views_test
