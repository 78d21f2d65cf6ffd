#pragma once
// torch.nn.LayerNorm over the last axis (Ba, Kiros and Hinton 2016, arXiv 1607.06450): the variance
// is the biased one.

#include "phasor/tensor.h"

namespace phasor::nn {

/// y (rows, width) = (x - mean) / sqrt(variance + eps) * weight + bias. weight, bias (width).
/// saved (rows, 2) gets the mean and 1 / sqrt(variance + eps) of each row, for the backward pass.
void layer_norm(const ConstMatrixRef& x, const float* weight, const float* bias, double eps,
                const MatrixRef& y, float* saved);

/// d_x (rows, width) += dL/dx; adds to d_weight and d_bias (width). d_y (rows, width) is dL/dy.
void layer_norm_backward(const ConstMatrixRef& x, const float* weight, const float* saved,
                         const ConstMatrixRef& d_y, const MatrixRef& d_x, float* d_weight,
                         float* d_bias);

}  // namespace phasor::nn
