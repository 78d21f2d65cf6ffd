#include "nn/linear.h"

#include "kernels/vector_ops.h"

namespace phasor::nn {

using kernels::gemm;
using kernels::Transpose;

void linear(kernels::Workspace& work, const ConstMatrixRef& x, const ConstMatrixRef& weight,
            const float* bias, const MatrixRef& y) {
  gemm(work, Transpose::no, Transpose::yes, 1, x, weight, 0, y);
  for (int r = 0; bias != nullptr && r < y.rows; ++r) kernels::add_row(y.row(r), bias, y.columns);
}

void linear_backward(kernels::Workspace& work, const ConstMatrixRef& x,
                     const ConstMatrixRef& weight, const ConstMatrixRef& d_y, const MatrixRef& d_x,
                     const MatrixRef& d_weight, float* d_bias) {
  if (d_x.data != nullptr) gemm(work, Transpose::no, Transpose::no, 1, d_y, weight, 0, d_x);
  gemm(work, Transpose::yes, Transpose::no, 1, d_y, x, 1, d_weight);
  for (int r = 0; d_bias != nullptr && r < d_y.rows; ++r)
    kernels::add_row(d_bias, d_y.row(r), d_y.columns);
}

}  // namespace phasor::nn
