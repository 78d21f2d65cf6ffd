#include "math/symmetric_eigen.h"

#include <gtest/gtest.h>

#include <cmath>

#include "phasor/random.h"

namespace phasor::test {
namespace {

// The matrix is the sum of eigenvalue * v v^T, and the eigenvectors v are orthonormal.
void expect_decomposition(const std::vector<double>& matrix, int n) {
  const SymmetricEigen eigen = symmetric_eigen(matrix, n);
  const std::size_t width = static_cast<std::size_t>(n);
  double largest = 1e-300;
  for (const double x : matrix) largest = std::fmax(largest, std::fabs(x));
  std::vector<double> reconstructed(matrix.size());
  for (int k = 0; k < n; ++k) {
    const auto v = eigen.eigenvector(k);
    for (std::size_t r = 0; r < width; ++r)
      add(eigen.eigenvalues[static_cast<std::size_t>(k)] * v[r], v,
          std::span(reconstructed).subspan(r * width, width));
    for (int column = 0; column <= k; ++column)
      EXPECT_NEAR(dot(v, eigen.eigenvector(column)), column == k ? 1 : 0, 1e-12) << n;
  }
  for (std::size_t i = 0; i < matrix.size(); ++i)
    EXPECT_NEAR(reconstructed[i], matrix[i], 1e-13 * n * largest) << n;
}

TEST(SymmetricEigen, DecomposesGramMatricesOfAnyRank) {
  SplitMix64 random(7);
  for (const int n : {1, 2, 3, 8, 33}) {
    for (const int rows : {1, 2, n, 3 * n}) {
      std::vector<double> x(static_cast<std::size_t>(rows * n));
      for (double& value : x) value = random.uniform() - 0.5;
      expect_decomposition(gram_matrix(x, n), n);
    }
  }
}

TEST(SymmetricEigen, DecomposesDiagonalAndIndefiniteMatrices) {
  expect_decomposition(std::vector<double>(16), 4);
  expect_decomposition({1, 0, 0, 0, 1, 0, 0, 0, 1}, 3);
  expect_decomposition({0, 1, 0, 1, 0, -2, 0, -2, 0}, 3);
  expect_decomposition({-3, 1e-9, 1e6, 1e-9, 2, 5, 1e6, 5, 0}, 3);
}

}  // namespace
}  // namespace phasor::test
