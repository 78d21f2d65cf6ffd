#include "nn/mean_pool.h"

#include "kernels/vector_ops.h"

namespace phasor::nn {

void mean_pool(const ConstMatrixRef& x, int tokens, const MatrixRef& y) {
  for (int item = 0; item < y.rows; ++item) {
    float* to = y.row(item);
    kernels::fill(to, 0, y.columns);
    for (int t = 0; t < tokens; ++t) kernels::add_row(to, x.row(item * tokens + t), y.columns);
    kernels::multiply(to, 1 / static_cast<float>(tokens), y.columns);
  }
}

void mean_pool_backward(const ConstMatrixRef& d_y, int tokens, const MatrixRef& d_x) {
  const float share = 1 / static_cast<float>(tokens);
  for (int r = 0; r < d_x.rows; ++r) {
    const float* from = d_y.row(r / tokens);
    for (int c = 0; c < d_x.columns; ++c) d_x.row(r)[c] = from[c] * share;
  }
}

}  // namespace phasor::nn
