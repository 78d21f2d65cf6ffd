// Products with the rows of a small matrix, all of them or some.

#include "kernels/packed_rows.h"

#include <gtest/gtest.h>

#include "numbers.h"

namespace phasor::test {
namespace {

constexpr int kInner = 5, kVectors = 3;

double product(const Tensor& x, int v, const Tensor& rows, int r) {
  double sum = 0;
  for (int c = 0; c < kInner; ++c) sum += static_cast<double>(matrix(x).row(v)[c]) * static_cast<double>(matrix(rows).row(r)[c]);
  return sum;
}

TEST(PackedRows, ProductsWithAllRows) {
  const Tensor x = dyadic(51, {kVectors, kInner});
  for (const int count : {1, 15, 16, 17, 255, 256, 257, 600}) {
    const Tensor rows = dyadic(52, {count, kInner});
    const Tensor out = kernels::PackedRows(matrix(rows)).dot(matrix(x), 0.5f);
    ASSERT_EQ(out.shape, (std::vector<int>{kVectors, count}));
    for (int v = 0; v < kVectors; ++v) {
      for (int r = 0; r < count; ++r) ASSERT_LT(error(static_cast<double>(matrix(out).row(v)[r]), 0.5 * product(x, v, rows, r)), 1e-6);
    }
  }
}

TEST(PackedRows, ProductsWithSomeRowsStandWhereTheRowsStand) {
  const int count = 600;
  const Tensor x = dyadic(53, {kVectors, kInner}), rows = dyadic(54, {count, kInner});
  const kernels::PackedRows packed(matrix(rows));
  for (const auto& [first, last] :
       std::vector<std::pair<int, int>>{{0, 600}, {0, 1}, {16, 17}, {20, 31}, {250, 270}, {257, 600}, {599, 600}}) {
    Tensor out({kVectors, count});
    packed.dot(matrix(x), -2, first, last, matrix(out));
    for (int v = 0; v < kVectors; ++v) {
      for (int r = first; r < last; ++r) {
        ASSERT_LT(error(static_cast<double>(matrix(out).row(v)[r]), -2 * product(x, v, rows, r)), 1e-6)
            << first << " to " << last << ": " << r;
      }
      // Neighbours in the same panel may be overwritten, others not.
      for (int r = 0; r < count; ++r) {
        if (r < first / kernels::kPanel * kernels::kPanel || r >= last) {
          ASSERT_EQ(matrix(out).row(v)[r], 0.0f) << first << " to " << last << ": " << r;
        }
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test
