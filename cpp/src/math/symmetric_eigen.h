#pragma once
// Eigenvalues and eigenvectors of symmetric row-major matrices.

#include <span>
#include <vector>

namespace phasor {

struct SymmetricEigen {
  std::vector<double> eigenvalues;   ///< (n), unordered
  std::vector<double> eigenvectors;  ///< (n, n), row k belongs to eigenvalues[k]

  std::span<const double> eigenvector(int k) const {
    return {eigenvectors.data() + static_cast<std::size_t>(k) * eigenvalues.size(),
            eigenvalues.size()};
  }
};

double dot(std::span<const double> a, std::span<const double> b);
void add(double factor, std::span<const double> x, std::span<double> to);

/// The Gram matrix x^T x (width, width) of x (rows, width).
std::vector<double> gram_matrix(const std::vector<double>& x, int width);

SymmetricEigen symmetric_eigen(std::vector<double> matrix, int n);

}  // namespace phasor
