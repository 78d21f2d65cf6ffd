// A linear probe of positions is evaluated on rows that it was not fitted to.

#include <gtest/gtest.h>

#include <cmath>

#include "numbers.h"
#include "phasor/analysis.h"
#include "phasor/random.h"
#include "results.h"

namespace phasor::test {
namespace {

// One channel whose even rows, 0, 1 and 2, are those at 0, 2 and 4: centred, sum x y = 4 and sum x
// x = 2, so with a penalty of 2 the probe is 2 + 4 / (2 + 2) (x - 1). For the odd rows, 10 and
// -10, it predicts 11 and -9; 1 and 3 are right.
TEST(LinearProbe, WorkedByHand) {
  ASSERT_OK_AND_ASSIGN(const LinearProbe reader,
                       linear_probe(Tensor({5, 1}, {0, 10, 1, -10, 2}), 2));
  EXPECT_EQ(reader.predictions.shape, (std::vector<int>{5}));
  EXPECT_LT(largest_error(reader.predictions.data, std::vector<double>{1, 11, 2, -9, 3}), 1e-6);
  EXPECT_NEAR(reader.mean_absolute_error, 11, 1e-9);
  EXPECT_NEAR(reader.r_squared, 1 - (10 * 10 + 12 * 12) / (1.0 + 1.0), 1e-9);
}

// With as many channels as rows the probe interpolates the fitted rows and predicts nothing
// between them.
TEST(LinearProbe, OnlyRowsThatWereNotSeenCount) {
  for (const int rows : {40, 41}) {
    ASSERT_OK_AND_ASSIGN(const Tensor table, random_normal(5, {rows, 48}));
    ASSERT_OK_AND_ASSIGN(const LinearProbe reader, linear_probe(table, 1e-6));
    double residual[2] = {}, total[2] = {}, mean[2] = {}, count[2] = {}, error[2] = {};
    for (int r = 0; r < rows; ++r) {
      mean[r % 2] += r;
      ++count[r % 2];
    }
    for (int r = 0; r < rows; ++r) {
      const double off =
          static_cast<double>(reader.predictions.data[static_cast<std::size_t>(r)]) - r;
      residual[r % 2] += off * off;
      error[r % 2] += std::fabs(off) / count[r % 2];
      total[r % 2] += (r - mean[r % 2] / count[r % 2]) * (r - mean[r % 2] / count[r % 2]);
    }
    EXPECT_NEAR(reader.r_squared, 1 - residual[1] / total[1], 1e-5) << rows;
    EXPECT_NEAR(reader.mean_absolute_error, error[1], 1e-5) << rows;
    EXPECT_LT(error[0], 1e-3) << "the reader does not know the rows it was trained on";
    EXPECT_GT(error[1], 1) << "noise cannot be read";
  }
}

// The penalty applies to the weights alone: a table far from the origin is probed as well as one
// around it, and an infinite penalty leaves the mean of the fitted positions.
TEST(LinearProbe, TheMeanIsNotPenalised) {
  Tensor table = value_of(random_normal(6, {20, 3})), moved = table;
  for (int r = 0; r < 20; ++r) {
    matrix(table).row(r)[1] = static_cast<float>(r);
    for (int c = 0; c < 3; ++c) matrix(moved).row(r)[c] = matrix(table).row(r)[c] + 64.0f;
  }
  ASSERT_OK_AND_ASSIGN(const LinearProbe here, linear_probe(table, 3));
  ASSERT_OK_AND_ASSIGN(const LinearProbe there, linear_probe(moved, 3));
  EXPECT_LT(largest_error(here.predictions.data, there.predictions.data), 1e-5);
  ASSERT_OK_AND_ASSIGN(const LinearProbe shrunk, linear_probe(table, 1e30));
  for (const float p : shrunk.predictions.data) EXPECT_FLOAT_EQ(p, 9);  // of 0, 2 .. 18
}

TEST(LinearProbe, InvalidInputIsNamed) {
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
  // Fitted rows are 2000 positions apart per unit, so the prediction for the row between is 6e41.
  EXPECT_EQ(message(Tensor({4, 1}, {0, 3e38f, 0.001f, 0}), 1e-12),
            "table: a predicted position exceeds the float32 maximum, 3.40282e+38");
}

}  // namespace
}  // namespace phasor::test
