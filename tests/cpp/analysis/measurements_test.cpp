#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/analysis.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(Similarity, MatchesAHandComputedCase) {
  const Tensor rows({3, 2}, {3, 4, 6, 8, 0, 0});
  ASSERT_OK_AND_ASSIGN(Tensor similarities, similarity(rows, SimilarityMetric::dot));
  EXPECT_EQ(similarities.shape, (std::vector<int>{3, 3}));
  EXPECT_EQ(similarities.data, (std::vector<float>{25, 50, 0, 50, 100, 0, 0, 0, 0}));
  ASSERT_OK_AND_ASSIGN(similarities, similarity(rows, SimilarityMetric::cosine));
  // A zero row has no direction; its similarity to every row, itself included, is 0.
  EXPECT_LT(largest_error(similarities.data, std::vector<double>{1, 1, 0, 1, 1, 0, 0, 0, 0}), 1e-6);
}

TEST(Similarity, EqualsTheFormula) {
  const int rows = 13, dim = 7;
  const Tensor t = dyadic(61, {rows, dim});
  Tensor dot, cosine;
  ASSERT_OK_AND_ASSIGN(dot, similarity(t, SimilarityMetric::dot));
  ASSERT_OK_AND_ASSIGN(cosine, similarity(t, SimilarityMetric::cosine));
  const auto dot_product = [&](int a, int b) {
    double sum = 0;
    for (int c = 0; c < dim; ++c)
      sum += static_cast<double>(matrix(t).row(a)[c]) * static_cast<double>(matrix(t).row(b)[c]);
    return sum;
  };
  for (int a = 0; a < rows; ++a) {
    for (int b = 0; b < rows; ++b) {
      const double norm_product = std::sqrt(dot_product(a, a) * dot_product(b, b));
      EXPECT_LT(error(static_cast<double>(matrix(dot).row(a)[b]), dot_product(a, b), norm_product),
                1e-6);
      EXPECT_LT(
          error(static_cast<double>(matrix(cosine).row(a)[b]), dot_product(a, b) / norm_product, 1),
          1e-6);
      EXPECT_EQ(matrix(dot).row(a)[b], matrix(dot).row(b)[a]);
    }
  }
}

TEST(Similarity, RejectsInvalidTables) {
  EXPECT_EQ(similarity(Tensor({4}), SimilarityMetric::dot).status().message(),
            "table: has shape 4; expected rows x dim");
  EXPECT_EQ(similarity(Tensor(), SimilarityMetric::dot).status().code(),
            StatusCode::invalid_argument);
  Tensor invalid_tensor({2, 2});
  invalid_tensor.data[3] = -INFINITY;
  EXPECT_EQ(similarity(invalid_tensor, SimilarityMetric::cosine).status().message(),
            "table[3]: -Infinity is not a finite number");
  EXPECT_EQ(similarity(Tensor({40000, 1}), SimilarityMetric::dot).status().code(),
            StatusCode::resource_exhausted);
}

TEST(PermutationError, MatchesAHandComputedCase) {
  const Tensor before({3, 2}, {1, 2, 3, 4, 5, 6}), after({3, 2}, {5, 6, 1, 2.5f, 3, 4});
  ASSERT_OK_AND_ASSIGN(PermutationError actual,
                       permutation_error(before, after, std::vector<int>{2, 0, 1}));
  EXPECT_EQ(actual.max_abs_diff, 0.5);
  EXPECT_EQ(actual.per_token.data, (std::vector<float>{0, 0.5f, 0}));
  ASSERT_OK_AND_ASSIGN(actual, permutation_error(before, after, std::vector<int>{0, 1, 2}));
  EXPECT_EQ(actual.max_abs_diff, 4.0);  // the identity is not the order of after: 5 against 1
  EXPECT_EQ(actual.per_token.shape, (std::vector<int>{3}));
}

TEST(PermutationError, RejectsOrdersThatAreNotPermutations) {
  const Tensor x({3, 1}, {1, 2, 3});
  const auto message = [&](std::vector<int> order) {
    return permutation_error(x, x, order).status().message();
  };
  EXPECT_EQ(message({0, 1}), "order: has 2 entries; expected 3, one per token");
  EXPECT_EQ(message({0, 1, 3}), "order[2]: 3 is outside 0 to 2");
  EXPECT_EQ(message({0, -1, 2}), "order[1]: -1 is outside 0 to 2");
  EXPECT_EQ(message({0, 1, 1}), "order[2]: 1 occurs twice");
}

TEST(PermutationError, RejectsInvalidTensors) {
  const std::vector<int> order = {0, 1};
  EXPECT_EQ(permutation_error(Tensor({2, 2}), Tensor({2, 3}), order).status().message(),
            "after: has shape 2 x 3; expected 2 x 2, the shape of before");
  EXPECT_EQ(permutation_error(Tensor({2}), Tensor({2}), order).status().message(),
            "before: has shape 2; expected length x dim");
  Tensor invalid_tensor({2, 1});
  invalid_tensor.data[1] = NAN;
  EXPECT_EQ(permutation_error(Tensor({2, 1}), invalid_tensor, order).status().message(),
            "after[1]: NaN is not a finite number");
}

TEST(PermutationTest, RunsTheLayerOnBothOrdersAndComparesThem) {
  const Tensor x = dyadic(3, {5, 8});
  const std::vector<int> order = {3, 0, 4, 2, 1};
  Tensor permuted({5, 8});
  for (int p = 0; p < 5; ++p)
    std::copy_n(matrix(x).row(order[static_cast<std::size_t>(p)]), 8, matrix(permuted).row(p));
  SelfAttentionConfig config;
  config.heads = 2;
  config.encoding.id = "alibi";
  config.mask = Mask::causal;
  config.outputs.weights = config.outputs.scores = config.outputs.bias = true;
  ASSERT_OK_AND_ASSIGN(AttentionResult before, self_attention(x, config));
  ASSERT_OK_AND_ASSIGN(AttentionResult after, self_attention(permuted, config));
  ASSERT_OK_AND_ASSIGN(PermutationError error,
                       permutation_error(before.output, after.output, order));
  for (int head = 0; head < 2; ++head) {
    config.outputs.head = head;
    ASSERT_OK_AND_ASSIGN(PermutationTest actual, permutation_test(x, order, config));
    EXPECT_EQ(actual.before.data, before.output.data);
    EXPECT_EQ(actual.result.output.data, after.output.data);
    EXPECT_EQ(actual.error.max_abs_diff, error.max_abs_diff);
    EXPECT_EQ(actual.error.per_token.data, error.per_token.data);
    ASSERT_EQ(actual.result.weights.shape, (std::vector<int>{1, 5, 5}));
    for (int i = 0; i < 25; ++i) {
      EXPECT_EQ(matrix(actual.result.weights, 0).data[i], matrix(after.weights, head).data[i]);
      EXPECT_EQ(matrix(actual.result.scores, 0).data[i], matrix(after.scores, head).data[i]);
      EXPECT_EQ(matrix(actual.result.bias, 0).data[i], matrix(after.bias, head).data[i]);
    }
  }
  ASSERT_OK_AND_ASSIGN(PermutationTest actual,
                       permutation_test(x, std::vector<int>{0, 1, 2, 3, 4}, config));
  EXPECT_EQ(actual.error.max_abs_diff, 0);
  EXPECT_EQ(actual.before.data, actual.result.output.data);
  config.outputs.head = 2;
  EXPECT_EQ(permutation_test(x, order, config).status().message(), "head: 2 is outside 0 to 1");
  EXPECT_EQ(permutation_test(x, std::vector<int>{0, 1, 2, 3, 4}, config).status().message(),
            "head: 2 is outside 0 to 1");
  EXPECT_EQ(permutation_test(Tensor(), order, {}).status().message(),
            "x: has no shape and no values");
  EXPECT_EQ(permutation_test(Tensor({2, 1}), std::vector<int>{0, 1 << 30}, {}).status().message(),
            "order[1]: 1073741824 is outside 0 to 1");
}

// Row 0 of the table plus the second token exceeds float32; plus the first token it does not.
TEST(PermutationTest, RejectsAnOverflowInTheNewOrder) {
  const SelfAttentionConfig config{
      .heads = 1, .encoding = {.id = "learned", .params = {{"table", Tensor({2, 1}, {3e38f, 0})}}}};
  const Tensor x({2, 1}, {0, 3e38f});
  EXPECT_TRUE(permutation_test(x, std::vector<int>{0, 1}, config).ok());
  EXPECT_EQ(permutation_test(x, std::vector<int>{1, 0}, config).status().message(),
            "x: a query, key or value projection exceeds the float32 maximum, 3.40282e+38");
}

}  // namespace
}  // namespace phasor::test
