#pragma once
// torch.softmax and torch.log_softmax over the last axis.

#include "phasor/tensor.h"

namespace phasor::nn {

/// Replaces x (rows, n) with e^x / sum e^x. Entries of -infinity become 0, even if all entries of
/// their row are -infinity.
void softmax(const MatrixRef& x);

/// Replaces x (rows, n) with x - log sum e^x, computed in double.
void log_softmax(const MatrixRef& x);

/// Computes d_x (rows, n) = y (d_y - sum d_y y), where y (rows, n) is the result of softmax().
void softmax_backward(const ConstMatrixRef& y, const ConstMatrixRef& d_y, const MatrixRef& d_x);

}  // namespace phasor::nn
