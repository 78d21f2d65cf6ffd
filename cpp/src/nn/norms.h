#pragma once
// Layer norm (Ba, Kiros and Hinton 2016, arXiv 1607.06450), equivalent to torch.nn.LayerNorm, and
// RMS norm, over the last axis.

#include "phasor/tensor.h"

namespace phasor::nn {

/// Computes y (rows, dim) = (x - mean) / sqrt(variance + eps) * weight + bias, with weight and bias
/// (dim). Stores the mean and 1 / sqrt(variance + eps) of each row in row_statistics (rows, 2), for
/// the backward pass.
void layer_norm(const ConstMatrixRef& x, const float* weight, const float* bias, double eps,
                const MatrixRef& y, float* row_statistics);

/// Adds dL/dx to d_x (rows, dim), and adds to d_weight and d_bias (dim). d_y (rows, dim) is dL/dy.
void layer_norm_backward(const ConstMatrixRef& x, const float* weight, const float* row_statistics,
                         const ConstMatrixRef& d_y, const MatrixRef& d_x, float* d_weight,
                         float* d_bias);

// torch.nn.RMSNorm over the last axis (Zhang and Sennrich 2019, arXiv 1910.07467).

/// Computes y (rows, dim) = x / sqrt(mean(x^2) + eps) * weight, with weight (dim). Stores 1 /
/// sqrt(mean(x^2) + eps) of each row in row_statistics (rows), for the backward pass.
void rms_norm(const ConstMatrixRef& x, const float* weight, double eps, const MatrixRef& y,
              float* row_statistics);

/// Adds dL/dx to d_x (rows, dim), and adds to d_weight (dim). d_y (rows, dim) is dL/dy.
void rms_norm_backward(const ConstMatrixRef& x, const float* weight, const float* row_statistics,
                       const ConstMatrixRef& d_y, const MatrixRef& d_x, float* d_weight);

enum class NormKind { layer_norm, rms_norm };

/// A norm and its gradients. weight and bias are (dim); an RMS norm has no bias.
struct Norm {
  NormKind kind = NormKind::layer_norm;
  const float *weight = nullptr, *bias = nullptr;
  float *d_weight = nullptr, *d_bias = nullptr;

  static constexpr double kLayerEps = 1e-5, kRmsEps = 1e-6;

  /// row_statistics (rows, 2)
  void forward(const ConstMatrixRef& x, const MatrixRef& y, float* row_statistics) const {
    if (kind == NormKind::layer_norm)
      return layer_norm(x, weight, bias, kLayerEps, y, row_statistics);
    rms_norm(x, weight, kRmsEps, y, row_statistics);
  }
  /// d_x += dL/dx
  void backward(const ConstMatrixRef& x, const float* row_statistics, const ConstMatrixRef& d_y,
                const MatrixRef& d_x) const {
    if (kind == NormKind::layer_norm)
      return layer_norm_backward(x, weight, row_statistics, d_y, d_x, d_weight, d_bias);
    rms_norm_backward(x, weight, row_statistics, d_y, d_x, d_weight);
  }
};

}  // namespace phasor::nn
