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
Tensor permute(const Tensor& x, const std::vector<int>& order) {
  Tensor out({x.shape[0], static_cast<int>(order.size()), x.shape[2]});
  for (int h = 0; h < x.shape[0]; ++h) {
    for (int t = 0; t < out.shape[1]; ++t)
      std::copy_n(matrix(x, h).row(order[static_cast<std::size_t>(t)]), x.shape[2],
                  matrix(out, h).row(t));
  }
  return out;
}

std::vector<int> make_range(int first, int count) {
  std::vector<int> values;
  for (int t = 0; t < count; ++t) values.push_back(first + t);
  return values;
}

// A fixed permutation: steps of 17, which is coprime to the count.
std::vector<int> make_permutation(int count) {
  std::vector<int> order;
  for (int t = 0; t < count; ++t) order.push_back(t * 17 % count);
  return order;
}

std::vector<double> to_positions(const std::vector<int>& order) {
  return {order.begin(), order.end()};
}

// The error relative to 1 plus the magnitude, because a constant in all scores (b2 of fire) has the
// gradient 0 except for rounding.
double gradient_error(const std::vector<float>& actual, const std::vector<float>& expected) {
  double largest = actual.size() == expected.size() ? 0 : HUGE_VAL;
  for (std::size_t i = 0; i < std::min(actual.size(), expected.size()); ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(actual[i] - expected[i])));
  }
  return largest / (1 + magnitude(expected));
}

TEST(Positions, ExplicitDefaultsChangeNothing) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    SCOPED_TRACE(variant.name);
    if (variant.type->injection == Injection::input) continue;
    AttentionConfig config = make_config(variant.config, {}, {});
    const auto expected = attention(q, k, v, config);
    const AttentionConfig explicit_config =
        make_config(variant.config, positions_from(0, kTokens), positions_from(0, kTokens));
    const auto actual = attention(q, k, v, explicit_config);
    ASSERT_EQ(actual.ok(), expected.ok()) << actual.status().message();
    if (!actual.ok()) continue;
    EXPECT_EQ(actual->output.data, expected->output.data);
    ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients,
                         attention_backward(q, k, v, d_output, explicit_config));
    ASSERT_OK_AND_ASSIGN(const AttentionGradients expected_gradients,
                         attention_backward(q, k, v, d_output, config));
    EXPECT_EQ(gradients.d_q.data, expected_gradients.d_q.data);
    EXPECT_EQ(gradients.d_k.data, expected_gradients.d_k.data);
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
        q, k, v,
        make_config(variant.config, positions_from(0, kTokens), positions_from(0, kTokens)));
    const auto actual = attention(
        q, k, v,
        make_config(variant.config, positions_from(32, kTokens), positions_from(32, kTokens)));
    ASSERT_EQ(actual.ok(), expected.ok()) << actual.status().message();
    if (!actual.ok()) continue;
    // A shift of 32 is a whole number of rows for encodings that number patches in rows of 8.
    EXPECT_LT(largest_error(actual->output.data, expected->output.data), 2e-5);
    ++compared;
  }
  EXPECT_GT(compared, 25);
}

TEST(Positions, MayBeInAnyOrder) {
  const std::vector<int> order = make_permutation(kTokens);
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    for (const int window : {0, 7}) {
      AttentionConfig config = make_config(variant.config, positions_from(0, kTokens),
                                           positions_from(0, kTokens)),
                      permuted_config =
                          make_config(variant.config, to_positions(order), to_positions(order));
      if (window > 0) config.window = permuted_config.window = window;
      permuted_config.outputs = config.outputs = {.weights = true, .scores = true};
      const auto expected = attention(q, k, v, config);
      const auto actual =
          attention(permute(q, order), permute(k, order), permute(v, order), permuted_config);
      if (expected.ok() && variant.type->id == "cope") {
        EXPECT_EQ(actual.status().message(),
                  "key_positions: 11 comes after 34, but cope requires keys in ascending order");
        continue;
      }
      ASSERT_EQ(actual.ok(), expected.ok()) << actual.status().message();
      if (!actual.ok()) break;
      EXPECT_LT(largest_error(actual->output.data, permute(expected->output, order).data), 1e-5);
      for (int h = 0; h < kHeads; ++h) {
        for (int r = 0; r < kTokens; ++r) {
          for (int c = 0; c < kTokens; ++c) {
            const std::size_t i = static_cast<std::size_t>(r), j = static_cast<std::size_t>(c);
            const float score = matrix(actual->scores, h).row(r)[c],
                        expected_score = matrix(expected->scores, h).row(order[i])[order[j]];
            ASSERT_EQ(std::isinf(score), std::isinf(expected_score)) << r << " " << c;
            ASSERT_TRUE(!std::isinf(score) || matrix(actual->weights, h).row(r)[c] == 0)
                << r << " " << c;
          }
        }
      }
      permuted_config.outputs = config.outputs = {};
      ASSERT_OK_AND_ASSIGN(const AttentionGradients expected_gradients,
                           attention_backward(q, k, v, d_output, config));
      ASSERT_OK_AND_ASSIGN(
          const AttentionGradients gradients,
          attention_backward(permute(q, order), permute(k, order), permute(v, order),
                             permute(d_output, order), permuted_config));
      EXPECT_LT(largest_error(gradients.d_q.data, permute(expected_gradients.d_q, order).data),
                2e-5);
      EXPECT_LT(largest_error(gradients.d_k.data, permute(expected_gradients.d_k, order).data),
                2e-5);
      EXPECT_LT(largest_error(gradients.d_v.data, permute(expected_gradients.d_v, order).data),
                2e-5);
      for (const auto& [name, gradient] : gradients.parameters)
        EXPECT_LT(gradient_error(gradient.data, expected_gradients.parameters.at(name).data), 5e-5)
            << name;
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
  const std::vector<int> order = make_permutation(keys), query_order = make_permutation(queries);
  for (const Mask mask : {Mask::none, Mask::causal}) {
    for (const std::optional<int> window : {std::optional<int>(), std::optional(300)}) {
      AttentionConfig config =
          make_config({.id = "alibi", .params = {{"slopes", Tensor({1}, {0.01f})}}},
                      positions_from(1000, queries), positions_from(0, keys));
      config.mask = mask;
      config.window = window;
      AttentionConfig permuted_config = config;
      permuted_config.key_positions.values = to_positions(order);
      ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                           attention(long_q, long_k, long_v, config));
      ASSERT_OK_AND_ASSIGN(
          const AttentionResult keys_result,
          attention(long_q, permute(long_k, order), permute(long_v, order), permuted_config));
      EXPECT_LT(largest_error(keys_result.output.data, expected.output.data), 1e-5);
      for (std::size_t t = 0; t < query_order.size(); ++t)
        permuted_config.query_positions.values[t] = 1000 + query_order[t];
      ASSERT_OK_AND_ASSIGN(const AttentionResult actual,
                           attention(permute(long_q, query_order), permute(long_k, order),
                                     permute(long_v, order), permuted_config));
      // A row does not depend on the other rows.
      EXPECT_EQ(actual.output.data, permute(keys_result.output, query_order).data);
    }
  }
}

// Padding is hidden and has arbitrary positions. Positions of the text start at 0.
TEST(Positions, LeftPaddingDoesNotChangeTheResult) {
  const int padding = 11, length = kTokens - padding;
  std::vector<double> positions(static_cast<std::size_t>(padding), 1.0);
  for (int t = 0; t < length; ++t) positions.push_back(t);
  const std::vector<int> rows = make_range(padding, length);
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    const auto expected = attention(permute(q, rows), permute(k, rows), permute(v, rows),
                                    make_config(variant.config, {}, {}));
    AttentionConfig config = make_config(variant.config, positions, positions);
    config.key_mask.assign(kTokens, 1);
    std::fill_n(config.key_mask.begin(), padding, 0);
    const auto actual = attention(q, k, v, config);
    ASSERT_EQ(actual.ok(), expected.ok()) << actual.status().message();
    if (!actual.ok()) continue;
    EXPECT_LT(largest_error(permute(actual->output, rows).data, expected->output.data), 1e-5);
    Tensor d_unpadded = d_output;  // without gradients of the padding
    for (int h = 0; h < kHeads; ++h)
      std::fill_n(matrix(d_unpadded, h).row(0), padding * kHeadDim, 0.0f);
    ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients,
                         attention_backward(q, k, v, d_unpadded, config));
    ASSERT_OK_AND_ASSIGN(
        const AttentionGradients expected_gradients,
        attention_backward(permute(q, rows), permute(k, rows), permute(v, rows),
                           permute(d_output, rows), make_config(variant.config, {}, {})));
    EXPECT_LT(largest_error(permute(gradients.d_k, rows).data, expected_gradients.d_k.data), 2e-5);
    for (const auto& [name, gradient] : expected_gradients.parameters)
      EXPECT_LT(gradient_error(gradients.parameters.at(name).data, gradient.data), 5e-5) << name;
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
    for (const auto& [begin, count] : {std::pair(0, first), std::pair(first, kTokens - first)}) {
      const std::vector<int> rows = make_range(begin, count);
      AttentionConfig config = make_config({.id = id, .params = {}}, positions, positions);
      config.key_mask.assign(kTokens, 0);
      std::fill_n(config.key_mask.begin() + begin, count, 1);
      ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(q, k, v, config));
      ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                           attention(permute(q, rows), permute(k, rows), permute(v, rows),
                                     make_config({.id = id, .params = {}}, {}, {})));
      EXPECT_LT(largest_error(permute(actual.output, rows).data, expected.output.data), 1e-5);
    }
  }
}

}  // namespace
}  // namespace phasor::test::positions_test
