#pragma once
// The mean over the tokens of each item.

#include "phasor/tensor.h"

namespace phasor::nn {

/// y (items, width): row i is the mean of rows [i tokens, (i + 1) tokens) of x (items * tokens,
/// width).
void mean_pool(const ConstMatrixRef& x, int tokens, const MatrixRef& y);

/// d_x (items * tokens, width) = dL/dx. d_y (items, width) is dL/dy.
void mean_pool_backward(const ConstMatrixRef& d_y, int tokens, const MatrixRef& d_x);

}  // namespace phasor::nn
