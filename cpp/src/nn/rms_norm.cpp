#include "nn/rms_norm.h"

#include <cmath>

#include "kernels/vector_ops.h"

namespace phasor::nn {

void rms_norm(const ConstMatrixRef& x, const float* weight, double eps, const MatrixRef& y,
              float* saved) {
  const int width = x.columns;
  for (int r = 0; r < x.rows; ++r) {
    const float* from = x.row(r);
    float* to = y.row(r);
    const float square = kernels::dot(from, from, width) / static_cast<float>(width);
    const float rstd = 1 / std::sqrt(square + static_cast<float>(eps));
    for (int c = 0; c < width; ++c) to[c] = from[c] * rstd * weight[c];
    saved[r] = rstd;
  }
}

void rms_norm_backward(const ConstMatrixRef& x, const float* weight, const float* saved,
                       const ConstMatrixRef& d_y, const MatrixRef& d_x, float* d_weight) {
  // With n = x rstd and g = d_y weight:  dx = rstd (g - n mean(g n)).
  const int width = x.columns;
  for (int r = 0; r < x.rows; ++r) {
    const float* from = x.row(r);
    const float* d_to = d_y.row(r);
    float* to = d_x.row(r);
    const float rstd = saved[r];
    float sum = 0;
    for (int c = 0; c < width; ++c) sum += d_to[c] * weight[c] * from[c];
    const float d_scale = sum * rstd / static_cast<float>(width);
    for (int c = 0; c < width; ++c) {
      const float n = from[c] * rstd;
      d_weight[c] += d_to[c] * n;
      to[c] += rstd * (d_to[c] * weight[c] - n * d_scale);
    }
  }
}

}  // namespace phasor::nn
