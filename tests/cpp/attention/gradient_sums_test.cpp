// Gradients of tables in a long text, where millions of pairs share a row and a sum in float32
// would lose terms.

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::gradient_sums_test {
namespace {

constexpr int kTokens = 2048;

// Values and output gradients of one channel. With equal scores all weights are 1 / n and
// dS(i, j) = dO(i) (v(j) - mean of v) / n.
struct Loss {
  Tensor v{dyadic(1, {1, kTokens, 1})}, d_output{dyadic(2, {1, kTokens, 1})};
  double mean = 0;

  Loss() {
    for (float& x : d_output.data) x = std::fabs(x);
    // Later tokens have larger values, so that the terms of large distances do not cancel.
    for (std::size_t j = 0; j < v.data.size(); ++j)
      v.data[j] += j < v.data.size() / 2 ? -8.0f : 8.0f;
    for (const float x : v.data) mean += static_cast<double>(x) / kTokens;
  }

  // For each row of a table, the sum of dS(i, j) * number(i, j) over its pairs. of_distance maps
  // j - i + kTokens - 1 to a row.
  template <class F>
  std::vector<double> sum_by_row(const std::vector<int>& row_of_distance, int rows,
                                 F&& factor) const {
    std::vector<double> sums(static_cast<std::size_t>(rows));
    for (int i = 0; i < kTokens; ++i) {
      const int* row = row_of_distance.data() + (kTokens - 1 - i);
      const double output_gradient =
          static_cast<double>(d_output.data[static_cast<std::size_t>(i)]) / kTokens;
      for (int j = 0; j < kTokens; ++j) {
        sums[static_cast<std::size_t>(row[j])] +=
            output_gradient * (static_cast<double>(v.data[static_cast<std::size_t>(j)]) - mean) *
            factor(i, j);
      }
    }
    return sums;
  }
};

std::vector<int> list_distances() {
  std::vector<int> values(2 * kTokens - 1);
  for (std::size_t n = 0; n < values.size(); ++n) values[n] = static_cast<int>(n) - (kTokens - 1);
  return values;
}

TEST(GradientSums, T5TableMatchesDoublePrecision) {
  const Loss loss;
  const Tensor zero({1, kTokens, 1});
  AttentionConfig config{.encoding = {.id = "t5", .params = {{"table", Tensor({32, 1})}}}};
  const AttentionGradients actual =
      value_of(attention_backward(zero, zero, loss.v, loss.d_output, config));
  const std::vector<int> rows = value_of(t5_bucket(list_distances(), 32, 128, true));
  const std::vector<double> expected = loss.sum_by_row(rows, 32, [](int, int) { return 1.0; });
  EXPECT_LT(largest_error(actual.parameters.at("table").data, expected), 6e-6);
}

TEST(GradientSums, DebertaTablesMatchDoublePrecision) {
  const Loss loss;
  const Tensor zero({1, kTokens, 1}), table({1, 512, 1});
  Tensor tokens = dyadic(3, {1, kTokens, 1});
  for (float& x : tokens.data) x = std::fabs(x);
  AttentionConfig config{
      .encoding = {.id = "deberta", .params = {{"pos_key", table}, {"pos_query", table}}},
      .scale = 1};
  // DeBERTa uses distances i - j, and row bucket + 256, clipped to the table.
  std::vector<int> rows = value_of(deberta_log_bucket(list_distances(), 256, 512));
  for (int& row : rows) row = std::clamp(-row + 256, 0, 511);
  const auto get_value = [&](int token) {
    return static_cast<double>(tokens.data[static_cast<std::size_t>(token)]);
  };

  const AttentionGradients query_gradients =
      value_of(attention_backward(tokens, zero, loss.v, loss.d_output, config));
  const std::vector<double> expected_by_query =
      loss.sum_by_row(rows, 512, [&](int i, int) { return get_value(i); });
  EXPECT_LT(largest_error(query_gradients.parameters.at("pos_key").data, expected_by_query), 5e-6);

  const AttentionGradients key_gradients =
      value_of(attention_backward(zero, tokens, loss.v, loss.d_output, config));
  const std::vector<double> expected_by_key =
      loss.sum_by_row(rows, 512, [&](int, int j) { return get_value(j); });
  EXPECT_LT(largest_error(key_gradients.parameters.at("pos_query").data, expected_by_key), 5e-6);
}

}  // namespace
}  // namespace phasor::test::gradient_sums_test
