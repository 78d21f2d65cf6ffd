#pragma once
// torch.nn.GELU (Hendrycks and Gimpel 2016, arXiv 1606.08415), exact or by tanh, and ReLU.

#include "kernels/isa.h"

namespace phasor::nn {

/// y[i] = x Phi(x), with Phi(x) = (1 + erf(x / sqrt 2)) / 2. On exit x[i] is the slope dy/dx, which
/// is all that the backward pass needs. The error function is that of Abramowitz and Stegun 7.1.26,
/// within 1.5e-7.
void gelu(float* x, float* y, int n);
/// The same, by the instructions of a level that runs here.
void gelu(kernels::Level level, float* x, float* y, int n);

/// y[i] = x (1 + tanh(sqrt(2 / pi) (x + 0.044715 x^3))) / 2; x as above.
void gelu_tanh(float* x, float* y, int n);

/// y[i] = max(x, 0); x as above.
void relu(float* x, float* y, int n);

/// d_y[i] *= slope[i]: dL/dx in place of dL/dy, of any of them.
void slopes_backward(const float* slope, float* d_y, int n);

}  // namespace phasor::nn
