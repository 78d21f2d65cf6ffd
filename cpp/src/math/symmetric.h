#pragma once
// Eigenvalues of symmetric matrices, in one place: Eigen's solver is large, so the library contains it once.

#include <Eigen/Core>

namespace phasor {

struct SymmetricEigen {
  Eigen::VectorXd values;   ///< rising
  Eigen::MatrixXd vectors;  ///< one column for each value
};

/// x^T x for x (rows, width), whose symmetric positive semidefinite result is what the solver below is given.
Eigen::MatrixXd gram(const Eigen::MatrixXd& x);

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix);

}  // namespace phasor
