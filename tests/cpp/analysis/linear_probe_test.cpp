#include <gtest/gtest.h>

#include <cmath>

#include "numbers.h"
#include "phasor/analysis.h"
#include "phasor/random.h"
#include "results.h"

namespace phasor::test {
namespace {

// The probe is fitted to the even rows: values 0, 1, 2 at positions 0, 2, 4. Centred, sum xy = 4
// and sum xx = 2, so with a penalty of 2 it is 2 + 4 / (2 + 2) (x - 1). For the odd rows, 10 and
// -10, it predicts 11 and -9; the positions are 1 and 3.
TEST(LinearProbe, MatchesAHandComputedCase) {
  ASSERT_OK_AND_ASSIGN(const LinearProbe probe,
                       linear_probe(Tensor({5, 1}, {0, 10, 1, -10, 2}), 2));
  EXPECT_EQ(probe.predictions.shape, (std::vector<int>{5}));
  EXPECT_LT(largest_error(probe.predictions.data, std::vector<double>{1, 11, 2, -9, 3}), 1e-6);
  EXPECT_NEAR(probe.mean_absolute_error, 11, 1e-9);
  EXPECT_NEAR(probe.r_squared, 1 - (10 * 10 + 12 * 12) / (1.0 + 1.0), 1e-9);
}

// With as many channels as rows the probe interpolates the fitted rows and predicts nothing
// between them.
TEST(LinearProbe, IsEvaluatedOnRowsItWasNotFittedTo) {
  for (const int rows : {40, 41}) {
    ASSERT_OK_AND_ASSIGN(const Tensor table, random_normal(5, {rows, 48}));
    ASSERT_OK_AND_ASSIGN(const LinearProbe probe, linear_probe(table, 1e-6));
    double residual[2] = {}, total[2] = {}, mean[2] = {}, count[2] = {}, error[2] = {};
    for (int r = 0; r < rows; ++r) {
      mean[r % 2] += r;
      ++count[r % 2];
    }
    for (int r = 0; r < rows; ++r) {
      const double difference =
          static_cast<double>(probe.predictions.data[static_cast<std::size_t>(r)]) - r;
      residual[r % 2] += difference * difference;
      error[r % 2] += std::fabs(difference) / count[r % 2];
      total[r % 2] += (r - mean[r % 2] / count[r % 2]) * (r - mean[r % 2] / count[r % 2]);
    }
    EXPECT_NEAR(probe.r_squared, 1 - residual[1] / total[1], 1e-5) << rows;
    EXPECT_NEAR(probe.mean_absolute_error, error[1], 1e-5) << rows;
    EXPECT_LT(error[0], 1e-3) << "the probe does not reproduce the rows it was fitted to";
    EXPECT_GT(error[1], 1) << "the probe predicts positions from noise";
  }
}

// The penalty applies to the weights alone: an offset of the table does not change predictions, and
// a huge penalty leaves the mean of the fitted positions.
TEST(LinearProbe, DoesNotPenaliseTheMean) {
  Tensor table = value_of(random_normal(6, {20, 3})), shifted_table = table;
  for (int r = 0; r < 20; ++r) {
    matrix(table).row(r)[1] = static_cast<float>(r);
    for (int c = 0; c < 3; ++c) matrix(shifted_table).row(r)[c] = matrix(table).row(r)[c] + 64.0f;
  }
  ASSERT_OK_AND_ASSIGN(const LinearProbe probe, linear_probe(table, 3));
  ASSERT_OK_AND_ASSIGN(const LinearProbe shifted_probe, linear_probe(shifted_table, 3));
  EXPECT_LT(largest_error(probe.predictions.data, shifted_probe.predictions.data), 1e-5);
  ASSERT_OK_AND_ASSIGN(const LinearProbe regularized_probe, linear_probe(table, 1e30));
  for (const float p : regularized_probe.predictions.data)
    EXPECT_FLOAT_EQ(p, 9);  // the mean of 0, 2, ..., 18
}

TEST(LinearProbe, RejectsInvalidArguments) {
  const Tensor t({4, 1}, {0, 1, 2, 3});
  const auto message = [](const Tensor& table, double ridge) {
    return linear_probe(table, ridge).status().message();
  };
  EXPECT_EQ(message(t, 1), "");
  EXPECT_EQ(message(t, 0), "ridge: 0 is not a positive number");
  EXPECT_EQ(message(t, -1), "ridge: -1 is not a positive number");
  EXPECT_EQ(message(t, HUGE_VAL), "ridge: Infinity is not a positive number");
  EXPECT_EQ(message(t, std::nan("")), "ridge: NaN is not a positive number");
  EXPECT_EQ(message(Tensor({3, 1}), 1), "table: has 3 rows; expected at least 4");
  EXPECT_EQ(message(Tensor({4}), 1), "table: has shape 4; expected rows x dim");
  EXPECT_EQ(message(Tensor({4, 1025}), 1), "dim: 1025 is outside 1 to 1024");
  EXPECT_EQ(message(Tensor({4, 1}, {0, 1, HUGE_VALF, 3}), 1),
            "table[2]: Infinity is not a finite number");
  // The slope is 2000 positions per unit, so the prediction for 3e38 is 6e41.
  EXPECT_EQ(message(Tensor({4, 1}, {0, 3e38f, 0.001f, 0}), 1e-12),
            "table: a predicted position exceeds the float32 maximum, 3.40282e+38");
}

}  // namespace
}  // namespace phasor::test
