#include <Eigen/Core>

#include "gemm_peers.h"

namespace bench {

void eigen_product(bool turned_a, bool turned_b, const phasor::ConstMatrixRef& a,
                   const phasor::ConstMatrixRef& b, const phasor::MatrixRef& c) {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Matrix> left(a.data, a.rows, a.columns), right(b.data, b.rows, b.columns);
  Eigen::Map<Matrix> out(c.data, c.rows, c.columns);
  if (turned_a)
    out.noalias() = left.transpose() * right;
  else if (turned_b)
    out.noalias() = left * right.transpose();
  else
    out.noalias() = left * right;
}

}  // namespace bench
