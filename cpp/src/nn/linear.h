#pragma once
// torch.nn.Linear.

#include "kernels/gemm.h"

namespace phasor::nn {

/// y (rows, out) = x (rows, in) weight^T + bias. weight (out, in); bias (out), or nullptr.
void linear(kernels::Workspace& work, const ConstMatrixRef& x, const ConstMatrixRef& weight,
            const float* bias, const MatrixRef& y);

/// d_x (rows, in) = d_y weight, unless its data is null; adds to d_weight (out, in) and, unless it
/// is nullptr, to d_bias (out). d_y (rows, out) is dL/dy.
void linear_backward(kernels::Workspace& work, const ConstMatrixRef& x,
                     const ConstMatrixRef& weight, const ConstMatrixRef& d_y, const MatrixRef& d_x,
                     const MatrixRef& d_weight, float* d_bias);

}  // namespace phasor::nn
