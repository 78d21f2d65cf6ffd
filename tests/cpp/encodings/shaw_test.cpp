#include <gtest/gtest.h>

#include "gradients.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

// Equations 3 and 4 of the paper with a vector per pair, without grouping pairs by distance.
void append_reference_output(const Tensor& q, const Tensor& k, const Tensor& v,
                             const Tensor& table_k, const Tensor& table_v, int clip, int h,
                             std::vector<double>& output) {
  const int n = q.shape[1], dim = q.shape[2];
  for (int i = 0; i < n; ++i) {
    std::vector<double> weights;
    double total = 0;
    for (int j = 0; j < n; ++j) {
      const int row = std::min(std::max(j - i, -clip), clip) + clip;
      double s = 0;
      for (int c = 0; c < dim; ++c) {
        s += static_cast<double>(matrix(q, h).row(i)[c]) *
             (static_cast<double>(matrix(k, h).row(j)[c]) +
              static_cast<double>(matrix(table_k).row(row)[c]));
      }
      weights.push_back(std::exp(s / std::sqrt(dim)));
      total += weights.back();
    }
    for (int c = 0; c < dim; ++c) {
      double sum = 0;
      for (int j = 0; j < n; ++j) {
        const int row = std::min(std::max(j - i, -clip), clip) + clip;
        sum += weights[static_cast<std::size_t>(j)] / total *
               (static_cast<double>(matrix(v, h).row(j)[c]) +
                static_cast<double>(matrix(table_v).row(row)[c]));
      }
      output.push_back(sum);
    }
  }
}

const int kClip = 3;
const Tensor kTableK = dyadic(51, {2 * kClip + 1, 4}), kTableV = dyadic(52, {2 * kClip + 1, 4});

EncodingConfig make_shaw_config(Params params = {}) {
  params["clip"] = static_cast<double>(kClip);
  if (!params.contains("table_k")) params["table_k"] = kTableK;
  if (!params.contains("values")) params["table_v"] = kTableV;
  return {.id = "shaw", .params = params};
}

TEST(Shaw, MatchesTheEquationsPairByPair) {
  const Tensor q = dyadic(53, {2, 9, 4}), k = dyadic(54, {2, 9, 4}), v = dyadic(55, {2, 9, 4});
  AttentionConfig config;
  config.encoding = make_shaw_config();
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(q, k, v, config));
  std::vector<double> expected;
  for (int h = 0; h < 2; ++h)
    append_reference_output(q, k, v, kTableK, kTableV, kClip, h, expected);
  EXPECT_LT(largest_error(actual.output.data, expected), 2e-6);
}

TEST(Shaw, ClipsTheIndexOnBothSides) {
  EXPECT_EQ(value_of(shaw_index(0, 2)), 2);
  EXPECT_EQ(value_of(shaw_index(2, 2)), 4);
  EXPECT_EQ(value_of(shaw_index(1e9, 2)), 4);
  EXPECT_EQ(value_of(shaw_index(-1, 2)), 1);
  EXPECT_EQ(value_of(shaw_index(-7, 2)), 0);
}

TEST(Shaw, LeftPositiveEqualsAReversedTable) {
  Tensor reversed_table = kTableK;
  for (int row = 0; row < 2 * kClip + 1; ++row)
    std::copy_n(matrix(kTableK).row(row), 4, matrix(reversed_table).row(2 * kClip - row));
  const Tensor x = dyadic(56, {1, 8, 4});
  AttentionConfig config;
  config.encoding = make_shaw_config({{"values", false}});
  ASSERT_OK_AND_ASSIGN(AttentionResult result, attention(x, x, x, config));
  config.encoding = make_shaw_config({{"values", false},
                                      {"table_k", reversed_table},
                                      {"direction", std::string("left_positive")}});
  ASSERT_OK_AND_ASSIGN(AttentionResult reversed_result, attention(x, x, x, config));
  EXPECT_EQ(result.output.data, reversed_result.output.data);
}

// With one visible key the output is its value plus the vector of its distance.
TEST(Shaw, AddsTheVectorOfTheDistanceToTheValue) {
  const Tensor x = dyadic(57, {1, 6, 4});
  AttentionConfig config;
  config.encoding = make_shaw_config();
  config.key_mask = {0, 0, 0, 0, 1, 0};
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(x, x, x, config));
  for (int i = 0; i < 6; ++i) {
    for (int c = 0; c < 4; ++c)
      EXPECT_FLOAT_EQ(
          matrix(actual.output).row(i)[c],
          matrix(x).row(4)[c] + matrix(kTableV).row(value_of(shaw_index(4 - i, kClip)))[c]);
  }
}

TEST(Shaw, RowWithoutVisibleKeysIsZero) {
  const Tensor x = dyadic(58, {1, 3, 4});
  AttentionConfig config;
  config.encoding = make_shaw_config();
  config.mask = Mask::causal;
  config.key_mask = {0, 1, 1};
  config.outputs.weights = true;
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(x, x, x, config));
  for (int c = 0; c < 4; ++c) EXPECT_EQ(matrix(actual.output).row(0)[c], 0.0f);
  for (int j = 0; j < 3; ++j) EXPECT_EQ(matrix(actual.weights).row(0)[j], 0.0f);
}

TEST(Shaw, GradientsMatchFiniteDifferences) {
  for (const bool per_head : {false, true}) {
    GradientCase c{.config = {.id = "shaw", .params = {{"clip", 2.0}, {"per_head", per_head}}}};
    expect_gradients(c);
    c.queries = {7, 0, 3};
    c.config.params["direction"] = std::string("left_positive");
    expect_gradients(c);
    c.config.params["values"] = false;
    expect_gradients(c);
  }
}

TEST(Shaw, RejectsTablesThatDoNotFit) {
  const Tensor x({1, 3, 4});
  const auto message = [&](const EncodingConfig& encoding) {
    AttentionConfig config;
    config.encoding = encoding;
    return attention(x, x, x, config).status().message();
  };
  EXPECT_EQ(message({.id = "shaw", .params = {{"clip", 2.0}, {"table_k", Tensor({7, 4})}}}),
            "table_k: has shape 7 x 4; expected 5 x 4 ((2 clip + 1) x dim)");
  EXPECT_EQ(message({.id = "shaw", .params = {{"values", false}, {"table_v", Tensor({33, 4})}}}),
            "table_v: has no effect if values is false");
}

}  // namespace
}  // namespace phasor::test
