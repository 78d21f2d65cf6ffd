#pragma once
// torch.softmax and torch.log_softmax over the last axis.

#include "phasor/tensor.h"

namespace phasor::nn {

/// x (rows, n) becomes e^x / sum e^x. A -infinity gives exactly 0; a row of only -infinity gives 0.
void softmax(const MatrixRef& x);

/// x (rows, n) becomes x - log sum e^x, in double.
void log_softmax(const MatrixRef& x);

/// d_x (rows, n) = y (d_y - sum d_y y), where y (rows, n) is the result of softmax.
void softmax_backward(const ConstMatrixRef& y, const ConstMatrixRef& d_y, const MatrixRef& d_x);

}  // namespace phasor::nn
