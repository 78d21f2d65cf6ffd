#include "nn/layers.h"

#include "kernels/vector_ops.h"

namespace phasor::nn {

using kernels::gemm;
using kernels::Transpose;

void linear(kernels::Workspace& workspace, const ConstMatrixRef& x, const ConstMatrixRef& weight,
            const float* bias, const MatrixRef& y) {
  gemm(workspace, Transpose::no, Transpose::yes, 1, x, weight, 0, y);
  for (int r = 0; bias != nullptr && r < y.rows; ++r) kernels::add_row(y.row(r), bias, y.columns);
}

void linear_backward(kernels::Workspace& workspace, const ConstMatrixRef& x,
                     const ConstMatrixRef& weight, const ConstMatrixRef& d_y, const MatrixRef& d_x,
                     const MatrixRef& d_weight, float* d_bias) {
  if (d_x.data != nullptr) gemm(workspace, Transpose::no, Transpose::no, 1, d_y, weight, 0, d_x);
  gemm(workspace, Transpose::yes, Transpose::no, 1, d_y, x, 1, d_weight);
  for (int r = 0; d_bias != nullptr && r < d_y.rows; ++r)
    kernels::add_row(d_bias, d_y.row(r), d_y.columns);
}

void embedding(std::span<const int> ids, const ConstMatrixRef& weight, float scale,
               const MatrixRef& out) {
  int t = 0;
  for (const int id : ids) {
    const float* from = weight.row(id);
    float* to = out.row(t++);
    for (int c = 0; c < out.columns; ++c) to[c] = scale * from[c];
  }
}

void embedding_backward(std::span<const int> ids, const ConstMatrixRef& d_out, float scale,
                        const MatrixRef& d_weight) {
  int t = 0;
  for (const int id : ids)
    kernels::add_scaled(d_weight.row(id), scale, d_out.row(t++), d_out.columns);
}

void mean_pool(const ConstMatrixRef& x, int tokens, const MatrixRef& y) {
  for (int item = 0; item < y.rows; ++item) {
    float* to = y.row(item);
    kernels::fill(to, 0, y.columns);
    for (int t = 0; t < tokens; ++t) kernels::add_row(to, x.row(item * tokens + t), y.columns);
    kernels::multiply(to, 1 / static_cast<float>(tokens), y.columns);
  }
}

void mean_pool_backward(const ConstMatrixRef& d_y, int tokens, const MatrixRef& d_x) {
  const float inverse_count = 1 / static_cast<float>(tokens);
  for (int r = 0; r < d_x.rows; ++r) {
    const float* from = d_y.row(r / tokens);
    for (int c = 0; c < d_x.columns; ++c) d_x.row(r)[c] = from[c] * inverse_count;
  }
}

}  // namespace phasor::nn
