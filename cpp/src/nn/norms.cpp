#include "nn/norms.h"

#include <cmath>

#include "kernels/simd.h"
#include "kernels/vector_ops.h"

namespace phasor::nn {

namespace {

float squared_deviations(const float* x, float mean, int n) {
  using kernels::kLanes;
  kernels::f32x4 sums = {};
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const kernels::f32x4 d = kernels::load(x + i) - kernels::splat(mean);
    sums += d * d;
  }
  for (int lane = 0; i < n; ++i, ++lane) sums[lane] += (x[i] - mean) * (x[i] - mean);
  return kernels::sum(sums);
}

// A separate function, so that __restrict parameters allow the compiler to vectorise the loop.
void normalise(int dim, const float* __restrict x, const float* __restrict weight,
               const float* __restrict bias, float mean, float rstd, float* __restrict y) {
  for (int c = 0; c < dim; ++c) y[c] = (x[c] - mean) * rstd * weight[c] + bias[c];
}

// Adds the gradients of one row. mean_gradient and mean_gradient_product are mean(g) and mean(g n),
// as defined in layer_norm_backward.
void add_gradients(int dim, const float* __restrict x, const float* __restrict weight,
                   const float* __restrict d_y, float mean, float rstd, float mean_gradient,
                   float mean_gradient_product, float* __restrict d_x, float* __restrict d_weight,
                   float* __restrict d_bias) {
  for (int c = 0; c < dim; ++c) {
    const float n = (x[c] - mean) * rstd;
    d_weight[c] += d_y[c] * n;
    d_bias[c] += d_y[c];
    d_x[c] += rstd * (d_y[c] * weight[c] - mean_gradient - n * mean_gradient_product);
  }
}

}  // namespace

void layer_norm(const ConstMatrixRef& x, const float* weight, const float* bias, double eps,
                const MatrixRef& y, float* row_statistics) {
  const int dim = x.columns;
  const float inverse_dim = 1 / static_cast<float>(dim);
  for (int r = 0; r < x.rows; ++r) {
    const float* from = x.row(r);
    const float mean = kernels::sum(from, dim) * inverse_dim;
    const float variance = squared_deviations(from, mean, dim) * inverse_dim;
    const float rstd = 1 / std::sqrt(variance + static_cast<float>(eps));
    normalise(dim, from, weight, bias, mean, rstd, y.row(r));
    row_statistics[2 * r] = mean;
    row_statistics[2 * r + 1] = rstd;
  }
}

void layer_norm_backward(const ConstMatrixRef& x, const float* weight, const float* row_statistics,
                         const ConstMatrixRef& d_y, const MatrixRef& d_x, float* d_weight,
                         float* d_bias) {
  // With n = (x - mean) rstd and g = d_y weight: dx = rstd (g - mean(g) - n mean(g n)).
  const int dim = x.columns;
  const float inverse_dim = 1 / static_cast<float>(dim);
  for (int r = 0; r < x.rows; ++r) {
    const float* from = x.row(r);
    const float* row_gradient = d_y.row(r);
    const float mean = row_statistics[2 * r], rstd = row_statistics[2 * r + 1];
    const float mean_gradient = kernels::dot(row_gradient, weight, dim) * inverse_dim;
    kernels::f32x4 sums = {};
    int i = 0;
    for (; i + kernels::kLanes <= dim; i += kernels::kLanes) {
      sums += kernels::load(row_gradient + i) * kernels::load(weight + i) *
              (kernels::load(from + i) - kernels::splat(mean));
    }
    for (int lane = 0; i < dim; ++i, ++lane)
      sums[lane] += row_gradient[i] * weight[i] * (from[i] - mean);
    const float mean_gradient_product = kernels::sum(sums) * rstd * inverse_dim;
    add_gradients(dim, from, weight, row_gradient, mean, rstd, mean_gradient, mean_gradient_product,
                  d_x.row(r), d_weight, d_bias);
  }
}

void rms_norm(const ConstMatrixRef& x, const float* weight, double eps, const MatrixRef& y,
              float* row_statistics) {
  const int dim = x.columns;
  for (int r = 0; r < x.rows; ++r) {
    const float* from = x.row(r);
    float* to = y.row(r);
    const float mean_square = kernels::dot(from, from, dim) / static_cast<float>(dim);
    const float rstd = 1 / std::sqrt(mean_square + static_cast<float>(eps));
    for (int c = 0; c < dim; ++c) to[c] = from[c] * rstd * weight[c];
    row_statistics[r] = rstd;
  }
}

void rms_norm_backward(const ConstMatrixRef& x, const float* weight, const float* row_statistics,
                       const ConstMatrixRef& d_y, const MatrixRef& d_x, float* d_weight) {
  // With n = x rstd and g = d_y weight:  dx = rstd (g - n mean(g n)).
  const int dim = x.columns;
  for (int r = 0; r < x.rows; ++r) {
    const float* from = x.row(r);
    const float* row_gradient = d_y.row(r);
    float* to = d_x.row(r);
    const float rstd = row_statistics[r];
    float sum = 0;
    for (int c = 0; c < dim; ++c) sum += row_gradient[c] * weight[c] * from[c];
    const float mean_gradient_product = sum * rstd / static_cast<float>(dim);
    for (int c = 0; c < dim; ++c) {
      const float n = from[c] * rstd;
      d_weight[c] += row_gradient[c] * n;
      to[c] += rstd * (row_gradient[c] * weight[c] - n * mean_gradient_product);
    }
  }
}

}  // namespace phasor::nn
