#pragma once
// torch.nn.RMSNorm over the last axis (Zhang and Sennrich 2019, arXiv 1910.07467).

#include "phasor/tensor.h"

namespace phasor::nn {

/// y (rows, width) = x / sqrt(mean(x^2) + eps) * weight. weight (width); saved (rows) gets
/// 1 / sqrt(mean(x^2) + eps) of each row, for the backward pass.
void rms_norm(const ConstMatrixRef& x, const float* weight, double eps, const MatrixRef& y,
              float* saved);

/// d_x (rows, width) += dL/dx; adds to d_weight (width). d_y (rows, width) is dL/dy.
void rms_norm_backward(const ConstMatrixRef& x, const float* weight, const float* saved,
                       const ConstMatrixRef& d_y, const MatrixRef& d_x, float* d_weight);

}  // namespace phasor::nn
