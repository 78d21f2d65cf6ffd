#pragma once
// GELU (Hendrycks and Gimpel 2016, arXiv 1606.08415), exact or approximated by tanh as in
// torch.nn.GELU, ReLU, SiLU and SwiGLU.

#include "kernels/isa.h"
#include "phasor/tensor.h"

namespace phasor::nn {

/// y[i] = x Phi(x), with Phi(x) = (1 + erf(x / sqrt 2)) / 2. On exit x[i] is the derivative dy/dx
/// for the backward pass. erf is approximated within 1.5e-7 (Abramowitz and Stegun 7.1.26).
void gelu(float* x, float* y, int n);
/// GELU with the instructions of `level`. The processor must support them.
void gelu(kernels::IsaLevel level, float* x, float* y, int n);

/// y[i] = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2; on exit x[i] is dy/dx.
void gelu_tanh(float* x, float* y, int n);

/// y[i] = max(x, 0); on exit x[i] is dy/dx.
void relu(float* x, float* y, int n);

/// y[i] = x sigmoid(x), also called swish; on exit x[i] is dy/dx.
void silu(float* x, float* y, int n);

/// d_y[i] *= slope[i], which turns dL/dy into dL/dx. `slope` is the derivative from a function
/// above.
void activation_backward(const float* slope, float* d_y, int n);

// SwiGLU (Shazeer 2020, arXiv 2002.05202, equation 6), as in LLaMA: silu(gate) * up.

/// y (rows, dim) = silu(gate) * up, with silu(g) = g sigmoid(g). A row of x (rows, 2 dim) contains
/// gate (dim), then up (dim).
void swiglu(const ConstMatrixRef& x, const MatrixRef& y);

/// d_x (rows, 2 dim) = dL/dx. d_y (rows, dim) is dL/dy.
void swiglu_backward(const ConstMatrixRef& x, const ConstMatrixRef& d_y, const MatrixRef& d_x);

}  // namespace phasor::nn
