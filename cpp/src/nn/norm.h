#pragma once
// Either of the two norms of a layer.

#include "nn/layer_norm.h"
#include "nn/rms_norm.h"

namespace phasor::nn {

enum class NormKind { layer_norm, rms_norm };

/// Weight, bias (nullptr for an RMS norm) and their gradients, (width) each.
struct Norm {
  NormKind kind = NormKind::layer_norm;
  const float *weight = nullptr, *bias = nullptr;
  float *d_weight = nullptr, *d_bias = nullptr;

  static constexpr double kLayerEps = 1e-5, kRmsEps = 1e-6;

  /// saved (rows, 2)
  void forward(const ConstMatrixRef& x, const MatrixRef& y, float* saved) const {
    if (kind == NormKind::layer_norm) return layer_norm(x, weight, bias, kLayerEps, y, saved);
    rms_norm(x, weight, kRmsEps, y, saved);
  }
  /// d_x += dL/dx
  void backward(const ConstMatrixRef& x, const float* saved, const ConstMatrixRef& d_y,
                const MatrixRef& d_x) const {
    if (kind == NormKind::layer_norm)
      return layer_norm_backward(x, weight, saved, d_y, d_x, d_weight, d_bias);
    rms_norm_backward(x, weight, saved, d_y, d_x, d_weight);
  }
};

}  // namespace phasor::nn
