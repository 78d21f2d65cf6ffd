#include "math/symmetric.h"

#include <Eigen/Eigenvalues>

namespace phasor {

// A lazy product is a plain loop: the blocked product for doubles would be compiled for this line alone.
Eigen::MatrixXd gram(const Eigen::MatrixXd& x) { return x.transpose().lazyProduct(x); }

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  const Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver(matrix);
  return {solver.eigenvalues(), solver.eigenvectors()};
}

}  // namespace phasor
