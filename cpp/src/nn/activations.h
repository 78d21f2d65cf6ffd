#pragma once
// Activation functions: GELU (Hendrycks and Gimpel 2016, arXiv 1606.08415) and its tanh
// approximation, ReLU, SiLU and SwiGLU.

#include "kernels/isa.h"
#include "phasor/tensor.h"

namespace phasor::nn {

/// Computes y[i] = x Phi(x), with Phi(x) = (1 + erf(x / sqrt 2)) / 2, and overwrites x[i] with the
/// derivative dy/dx for the backward pass. erf is approximated with an error below 1.5e-7
/// (Abramowitz and Stegun 7.1.26).
void gelu(float* x, float* y, int n);
/// GELU with the instructions of `level`, which the processor must support.
void gelu(kernels::IsaLevel level, float* x, float* y, int n);

/// Computes y[i] = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2, and overwrites x[i] with
/// dy/dx.
void gelu_tanh(float* x, float* y, int n);

/// Computes y[i] = max(x, 0), and overwrites x[i] with dy/dx.
void relu(float* x, float* y, int n);

/// Computes y[i] = x sigmoid(x), also called swish, and overwrites x[i] with dy/dx.
void silu(float* x, float* y, int n);

/// Turns dL/dy into dL/dx: d_y[i] *= slope[i]. `slope` is the array x after one of the functions
/// above has overwritten it with dy/dx.
void activation_backward(const float* slope, float* d_y, int n);

/// SwiGLU (Shazeer 2020, arXiv 2002.05202, equation 6), as in LLaMA. Computes y (rows, dim) =
/// silu(gate) * up. A row of x (rows, 2 dim) contains gate (dim), then up (dim).
void swiglu(const ConstMatrixRef& x, const MatrixRef& y);

/// Computes d_x (rows, 2 dim) = dL/dx from d_y (rows, dim) = dL/dy.
void swiglu_backward(const ConstMatrixRef& x, const ConstMatrixRef& d_y, const MatrixRef& d_x);

}  // namespace phasor::nn
