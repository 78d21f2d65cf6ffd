#pragma once
// SwiGLU (Shazeer 2020, arXiv 2002.05202, equation 6), as in LLaMA: silu(gate) * up.

#include "phasor/tensor.h"

namespace phasor::nn {

/// y (rows, width) = silu(gate) up, with silu(g) = g sigmoid(g); x (rows, 2 width) has the gates,
/// then the ups.
void swiglu(const ConstMatrixRef& x, const MatrixRef& y);

/// d_x (rows, 2 width) = dL/dx. d_y (rows, width) is dL/dy.
void swiglu_backward(const ConstMatrixRef& x, const ConstMatrixRef& d_y, const MatrixRef& d_x);

}  // namespace phasor::nn
