// Attention with explicit positions: the result does not depend on the order of the tokens.

#include <gtest/gtest.h>

#include <algorithm>
#include <limits>

#include "attention_inputs.h"
#include "learned.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::positions_test {
namespace {

constexpr int kHeads = 2, kTokens = 40, kHeadDim = 8;

const Tensor q = dyadic(401, {kHeads, kTokens, kHeadDim}),
             k = dyadic(402, {kHeads, kTokens, kHeadDim}),
             v = dyadic(403, {kHeads, kTokens, kHeadDim}),
             d_output = dyadic(404, {kHeads, kTokens, kHeadDim});

// x (heads, tokens, head_dim) with token order[t] at index t.
Tensor reordered(const Tensor& x, const std::vector<int>& order) {
  Tensor out({x.shape[0], static_cast<int>(order.size()), x.shape[2]});
  for (int h = 0; h < x.shape[0]; ++h) {
    for (int t = 0; t < out.shape[1]; ++t)
      std::copy_n(matrix(x, h).row(order[static_cast<std::size_t>(t)]), x.shape[2],
                  matrix(out, h).row(t));
  }
  return out;
}

std::vector<int> numbers(int first, int count) {
  std::vector<int> all;
  for (int t = 0; t < count; ++t) all.push_back(first + t);
  return all;
}

// A fixed permutation: steps of 17, which is coprime to the count.
std::vector<int> mixed(int count) {
  std::vector<int> order;
  for (int t = 0; t < count; ++t) order.push_back(t * 17 % count);
  return order;
}

std::vector<double> positions_of(const std::vector<int>& order) {
  return {order.begin(), order.end()};
}

// The error relative to 1 plus the magnitude, because a constant in all scores (b2 of fire) has the
// gradient 0 except for rounding.
double gradient_error(const std::vector<float>& got, const std::vector<float>& expected) {
  double largest = got.size() == expected.size() ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(got.size(), expected.size()); ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(got[i] - expected[i])));
  }
  return largest / (1 + magnitude(expected));
}

TEST(Positions, ExplicitDefaultsChangeNothing) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    SCOPED_TRACE(variant.name);
    if (variant.type->injection == Injection::input) continue;
    AttentionConfig usual = config_at(variant.config, {}, {});
    const auto expected = attention(q, k, v, usual);
    const AttentionConfig provided =
        config_at(variant.config, positions_from(0, kTokens), positions_from(0, kTokens));
    const auto got = attention(q, k, v, provided);
    ASSERT_EQ(got.ok(), expected.ok()) << got.status().message();
    if (!got.ok()) continue;
    EXPECT_EQ(got->output.data, expected->output.data);
    ASSERT_OK_AND_ASSIGN(const AttentionGradients slopes,
                         attention_backward(q, k, v, d_output, provided));
    ASSERT_OK_AND_ASSIGN(const AttentionGradients requested,
                         attention_backward(q, k, v, d_output, usual));
    EXPECT_EQ(slopes.d_q.data, requested.d_q.data);
    EXPECT_EQ(slopes.d_k.data, requested.d_k.data);
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

TEST(Positions, CommonShiftsDoNotAffectRelativeEncodings) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    SCOPED_TRACE(variant.name);
    if (variant.type->injection == Injection::input || !variant.type->relative) continue;
    const auto expected = attention(
        q, k, v, config_at(variant.config, positions_from(0, kTokens), positions_from(0, kTokens)));
    const auto got = attention(
        q, k, v,
        config_at(variant.config, positions_from(32, kTokens), positions_from(32, kTokens)));
    ASSERT_EQ(got.ok(), expected.ok()) << got.status().message();
    if (!got.ok()) continue;
    // A shift of 32 is a whole number of rows for encodings that number patches in rows of 8.
    EXPECT_LT(largest_error(got->output.data, expected->output.data), 2e-5);
    ++compared;
  }
  EXPECT_GT(compared, 25);
}

TEST(Positions, MayBeInAnyOrder) {
  const std::vector<int> order = mixed(kTokens);
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    for (const int window : {0, 7}) {
      AttentionConfig usual = config_at(variant.config, positions_from(0, kTokens),
                                        positions_from(0, kTokens)),
                      other = config_at(variant.config, positions_of(order), positions_of(order));
      if (window > 0) usual.window = other.window = window;
      other.outputs = usual.outputs = {.weights = true, .scores = true};
      const auto expected = attention(q, k, v, usual);
      const auto got =
          attention(reordered(q, order), reordered(k, order), reordered(v, order), other);
      if (expected.ok() && variant.type->id == "cope") {
        EXPECT_EQ(got.status().message(),
                  "key_positions: 11 comes after 34, but cope requires keys in ascending order");
        continue;
      }
      ASSERT_EQ(got.ok(), expected.ok()) << got.status().message();
      if (!got.ok()) break;
      EXPECT_LT(largest_error(got->output.data, reordered(expected->output, order).data), 1e-5);
      for (int h = 0; h < kHeads; ++h) {
        for (int r = 0; r < kTokens; ++r) {
          for (int c = 0; c < kTokens; ++c) {
            const std::size_t i = static_cast<std::size_t>(r), j = static_cast<std::size_t>(c);
            const float score = matrix(got->scores, h).row(r)[c],
                        requested = matrix(expected->scores, h).row(order[i])[order[j]];
            ASSERT_EQ(std::isinf(score), std::isinf(requested)) << r << " " << c;
            ASSERT_TRUE(!std::isinf(score) || matrix(got->weights, h).row(r)[c] == 0)
                << r << " " << c;
          }
        }
      }
      other.outputs = usual.outputs = {};
      ASSERT_OK_AND_ASSIGN(const AttentionGradients slopes,
                           attention_backward(q, k, v, d_output, usual));
      ASSERT_OK_AND_ASSIGN(
          const AttentionGradients moved,
          attention_backward(reordered(q, order), reordered(k, order), reordered(v, order),
                             reordered(d_output, order), other));
      EXPECT_LT(largest_error(moved.d_q.data, reordered(slopes.d_q, order).data), 2e-5);
      EXPECT_LT(largest_error(moved.d_k.data, reordered(slopes.d_k, order).data), 2e-5);
      EXPECT_LT(largest_error(moved.d_v.data, reordered(slopes.d_v, order).data), 2e-5);
      for (const auto& [name, gradient] : moved.parameters)
        EXPECT_LT(gradient_error(gradient.data, slopes.parameters.at(name).data), 5e-5) << name;
      ++compared;
    }
  }
  EXPECT_GT(compared, 60);
}

// A text longer than tiles and blocks of keys, so that hidden tiles are skipped.
TEST(Positions, MayBeInAnyOrderInLongTexts) {
  const int queries = 70, keys = 2100;
  const Tensor long_q = dyadic(405, {1, queries, 4}), long_k = dyadic(406, {1, keys, 4}),
               long_v = dyadic(407, {1, keys, 3});
  const std::vector<int> order = mixed(keys), query_order = mixed(queries);
  for (const Mask mask : {Mask::none, Mask::causal}) {
    for (const std::optional<int> window : {std::optional<int>(), std::optional(300)}) {
      AttentionConfig usual =
          config_at({.id = "alibi", .params = {{"slopes", Tensor({1}, {0.01f})}}},
                    positions_from(1000, queries), positions_from(0, keys));
      usual.mask = mask;
      usual.window = window;
      AttentionConfig other = usual;
      other.key_positions.values = positions_of(order);
      ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                           attention(long_q, long_k, long_v, usual));
      ASSERT_OK_AND_ASSIGN(
          const AttentionResult keys_moved,
          attention(long_q, reordered(long_k, order), reordered(long_v, order), other));
      EXPECT_LT(largest_error(keys_moved.output.data, expected.output.data), 1e-5);
      for (std::size_t t = 0; t < query_order.size(); ++t)
        other.query_positions.values[t] = 1000 + query_order[t];
      ASSERT_OK_AND_ASSIGN(const AttentionResult both_moved,
                           attention(reordered(long_q, query_order), reordered(long_k, order),
                                     reordered(long_v, order), other));
      // A row does not depend on the other rows.
      EXPECT_EQ(both_moved.output.data, reordered(keys_moved.output, query_order).data);
    }
  }
}

// Padding is hidden and has arbitrary positions. Positions of the text start at 0.
TEST(Positions, LeftPaddingDoesNotChangeTheResult) {
  const int padding = 11, length = kTokens - padding;
  std::vector<double> positions(static_cast<std::size_t>(padding), 1.0);
  for (int t = 0; t < length; ++t) positions.push_back(t);
  const std::vector<int> text = numbers(padding, length);
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    const auto expected = attention(reordered(q, text), reordered(k, text), reordered(v, text),
                                    config_at(variant.config, {}, {}));
    AttentionConfig padded = config_at(variant.config, positions, positions);
    padded.key_mask.assign(kTokens, 1);
    std::fill_n(padded.key_mask.begin(), padding, 0);
    const auto got = attention(q, k, v, padded);
    ASSERT_EQ(got.ok(), expected.ok()) << got.status().message();
    if (!got.ok()) continue;
    EXPECT_LT(largest_error(reordered(got->output, text).data, expected->output.data), 1e-5);
    Tensor d_text = d_output;  // without gradients of the padding
    for (int h = 0; h < kHeads; ++h)
      std::fill_n(matrix(d_text, h).row(0), padding * kHeadDim, 0.0f);
    ASSERT_OK_AND_ASSIGN(const AttentionGradients slopes,
                         attention_backward(q, k, v, d_text, padded));
    ASSERT_OK_AND_ASSIGN(
        const AttentionGradients requested,
        attention_backward(reordered(q, text), reordered(k, text), reordered(v, text),
                           reordered(d_output, text), config_at(variant.config, {}, {})));
    EXPECT_LT(largest_error(reordered(slopes.d_k, text).data, requested.d_k.data), 2e-5);
    for (const auto& [name, gradient] : requested.parameters)
      EXPECT_LT(gradient_error(slopes.parameters.at(name).data, gradient.data), 5e-5) << name;
    ++compared;
  }
  EXPECT_GT(compared, 30);
}

// Two texts in one array, with positions that start at 0 in each. One of them is hidden at a time.
TEST(Positions, PackedTextsMatchSeparateCalls) {
  const int first = 15;
  std::vector<double> positions = positions_from(0, first);
  for (int t = first; t < kTokens; ++t) positions.push_back(t - first);
  for (const char* id : {"none", "rope", "alibi", "t5", "shaw", "transformer_xl", "cope"}) {
    SCOPED_TRACE(id);
    for (const auto& [from, count] : {std::pair(0, first), std::pair(first, kTokens - first)}) {
      const std::vector<int> text = numbers(from, count);
      AttentionConfig packed = config_at({.id = id, .params = {}}, positions, positions);
      packed.key_mask.assign(kTokens, 0);
      std::fill_n(packed.key_mask.begin() + from, count, 1);
      ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(q, k, v, packed));
      ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                           attention(reordered(q, text), reordered(k, text), reordered(v, text),
                                     config_at({.id = id, .params = {}}, {}, {})));
      EXPECT_LT(largest_error(reordered(got.output, text).data, expected.output.data), 1e-5);
    }
  }
}

}  // namespace
}  // namespace phasor::test::positions_test
