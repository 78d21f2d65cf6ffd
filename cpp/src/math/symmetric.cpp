#include "math/symmetric.h"

#include <Eigen/Eigenvalues>
#include <cmath>

namespace phasor {

namespace {

// Reduces `a` to tridiagonal form by one reflection per column and gathers the reflections in q, so that q^T a q is
// tridiagonal. Eigen has this too, but only in a blocked form that alone is as large as all rotary encodings together.
void tridiagonalise(Eigen::MatrixXd& a, Eigen::MatrixXd& q) {
  const Eigen::Index n = a.rows();
  q.setIdentity(n, n);
  for (Eigen::Index k = 0; k + 2 < n; ++k) {
    const Eigen::Index rest = n - k - 1;
    Eigen::VectorXd v = a.col(k).tail(rest);
    const double norm = v.norm();
    if (norm == 0) continue;
    v[0] += v[0] < 0 ? -norm : norm;
    v.normalize();
    // a <- (1 - 2 v v^T) a (1 - 2 v v^T), q <- q (1 - 2 v v^T)
    auto right = a.rightCols(rest);
    right -= (2.0 * right.lazyProduct(v)).eval().lazyProduct(v.transpose());
    auto below = a.bottomRows(rest);
    below -= v.lazyProduct((2.0 * v.transpose().lazyProduct(below)).eval());
    auto turned = q.rightCols(rest);
    turned -= (2.0 * turned.lazyProduct(v)).eval().lazyProduct(v.transpose());
  }
}

}  // namespace

// A lazy product is a plain loop: the blocked product for doubles would be compiled for this line alone.
Eigen::MatrixXd gram(const Eigen::MatrixXd& x) { return x.transpose().lazyProduct(x); }

SymmetricEigen symmetric_eigen(const Eigen::MatrixXd& matrix) {
  Eigen::MatrixXd a = matrix, q;
  tridiagonalise(a, q);
  Eigen::SelfAdjointEigenSolver<Eigen::MatrixXd> solver;
  solver.computeFromTridiagonal(a.diagonal(), a.diagonal(-1));
  return {solver.eigenvalues(), q.lazyProduct(solver.eigenvectors())};
}

}  // namespace phasor
