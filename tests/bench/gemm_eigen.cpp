#include <Eigen/Core>

#include "gemm_peers.h"

namespace bench {

void eigen_product(bool transpose_a, bool transpose_b, const phasor::ConstMatrixRef& a,
                   const phasor::ConstMatrixRef& b, const phasor::MatrixRef& c) {
  using Matrix = Eigen::Matrix<float, Eigen::Dynamic, Eigen::Dynamic, Eigen::RowMajor>;
  const Eigen::Map<const Matrix> left(a.data, a.rows, a.columns), right(b.data, b.rows, b.columns);
  Eigen::Map<Matrix> product(c.data, c.rows, c.columns);
  if (transpose_a)
    product.noalias() = left.transpose() * right;
  else if (transpose_b)
    product.noalias() = left * right.transpose();
  else
    product.noalias() = left * right;
}

}  // namespace bench
