// Overflow outside attention (docs/reliability.md): results are finite and correct, or an error
// names the argument.

#include <gtest/gtest.h>

#include <cmath>
#include <string>
#include <vector>

#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

template <class T>
void expect_error(const Result<T>& result, const std::string& subject) {
  EXPECT_EQ(result.status().code(), StatusCode::invalid_argument) << subject;
  EXPECT_EQ(result.status().message(), subject + " exceeds the float32 maximum, 3.40282e+38");
}

TEST(AnalysisOverflow, SimilarityRejectsDotProductsAndComputesCosines) {
  const Tensor table({2, 2}, {1e30f, 1e30f, 1e-8f, -1e-8f});
  expect_error(similarity(table, SimilarityMetric::dot), "table: a dot product");
  const Tensor cosine = value_of(similarity(table, SimilarityMetric::cosine));
  EXPECT_NEAR(static_cast<double>(cosine.data[0]), 1, 1e-6);
  EXPECT_NEAR(static_cast<double>(cosine.data[1]), 0, 1e-6);
  EXPECT_NEAR(static_cast<double>(cosine.data[3]), 1, 1e-6);
}

TEST(AnalysisOverflow, ApplyRotaryRejectsItsResult) {
  const EncodingConfig rope{.id = "rope", .params = {}};
  expect_error(
      apply_rotary(rope, Role::query, std::vector<double>{1}, Tensor({1, 1, 2}, {3e38f, 3e38f})),
      "x: the result of rope");
  EXPECT_TRUE(
      apply_rotary(rope, Role::query, std::vector<double>{1}, Tensor({1, 1, 2}, {3e38f, 0})).ok());
}

TEST(AnalysisOverflow, AttentionBiasRejectsItsResult) {
  const EncodingConfig t5{.id = "t5",
                          .params = {{"table", Tensor({4, 1}, {3e38f, 1, 1, 1})},
                                     {"num_buckets", 4.0},
                                     {"multiplier", 1000.0}}};
  expect_error(attention_bias(t5, 1, 2, 2, 0), "encoding: the bias of t5");
  const EncodingConfig alibi{.id = "alibi", .params = {{"slopes", Tensor({1}, {3e38f})}}};
  expect_error(attention_bias(alibi, 1, 1, 1, 100), "encoding: the bias of alibi");
  EXPECT_EQ(value_of(attention_bias(alibi, 1, 1, 1, 0)).data, std::vector<float>{0});
}

TEST(AnalysisOverflow, ShiftMatrixRejectsAnglesBeyondDoublePrecision) {
  const std::vector<double> frequencies = {1, 1e300};
  EXPECT_EQ(shift_matrix(frequencies, 1, SinusoidLayout::interleaved).status().message(),
            "frequencies[1]: 1e+300 gives an angle of 1e+300 radians; expected an angle below "
            "9007199254740992");
  EXPECT_FALSE(shift_matrix(std::vector<double>{0x1p52}, 2, SinusoidLayout::interleaved).ok());
  EXPECT_TRUE(shift_matrix(std::vector<double>{0x1p52}, -1.5, SinusoidLayout::interleaved).ok());
}

TEST(AnalysisOverflow, PermutationErrorRejectsDifferences) {
  const Tensor before({1, 1}, {3e38f}), after({1, 1}, {-3e38f});
  expect_error(permutation_error(before, after, std::vector<int>{0}),
               "after: the difference between before and after");
  EXPECT_EQ(value_of(permutation_error(before, before, std::vector<int>{0})).max_abs_diff, 0);
}

// The coordinate of (3e38, 3e38) is its norm, which exceeds the largest float32.
TEST(AnalysisOverflow, PrincipalComponentsRejectCoordinates) {
  expect_error(principal_components(Tensor({2, 2}, {3e38f, 3e38f, -3e38f, -3e38f}), 1),
               "table: a principal component");
  EXPECT_EQ(
      value_of(principal_components(Tensor({2, 2}, {3e38f, 0, -3e38f, 0}), 1)).coordinates.data[0],
      3e38f);
}

TEST(AnalysisOverflow, MeasurementsDoNotDependOnTheScaleOfTheTable) {
  Tensor small_table({6, 2}), huge_table({6, 2});
  for (std::size_t i = 0; i < small_table.data.size(); ++i) {
    small_table.data[i] = (i % 2 == 0 ? 1.0f : -1.0f) / static_cast<float>(1 + i);
    huge_table.data[i] = 0x1p127f * small_table.data[i];
  }
  const PrincipalComponents a = value_of(principal_components(small_table, 2)),
                            b = value_of(principal_components(huge_table, 2));
  EXPECT_NEAR(static_cast<double>(a.explained_variance_ratio.data[1]),
              static_cast<double>(b.explained_variance_ratio.data[1]), 1e-6);
  // Each penalty is negligible beside the squares of the rows.
  EXPECT_NEAR(value_of(linear_probe(small_table, 1e-30)).r_squared,
              value_of(linear_probe(huge_table, 1e-3)).r_squared, 1e-5);
}

TEST(AnalysisOverflow, LinearProbeIgnoresADuplicateColumn) {
  const std::vector<float> column = {-3e38f, -2e38f, -1e38f, 1e38f, 2e38f, 3e38f};
  Tensor single_column({6, 1}, column), duplicate_columns({6, 2});
  for (std::size_t i = 0; i < 12; ++i) duplicate_columns.data[i] = column[i / 2];
  EXPECT_NEAR(value_of(linear_probe(single_column, 1e-3)).r_squared,
              value_of(linear_probe(duplicate_columns, 1e-3)).r_squared, 1e-6);
}

TEST(AnalysisOverflow, CopeBiasRejectsItsProductsAndNaN) {
  const Tensor q({1, 1, 1}, {3e38f}), logits({1, 1, 1}, {0}), embedding({1, 2}, {3e38f, 3e38f});
  expect_error(cope_bias(q, logits, embedding), "q: its product with pos_emb");
  EXPECT_EQ(cope_bias(q, Tensor({1, 1, 1}, {NAN}), embedding).status().message(),
            "gate_logits[0]: NaN is not a finite number");
}

}  // namespace
}  // namespace phasor::test
