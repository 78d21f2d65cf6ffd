#include "nn/activations.h"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"
#include "kernels/vector_ops.h"
#include "kernels/wide.h"

namespace phasor::nn {

namespace {

// Number of elements per chunk. The buffer of e^x then fits into the L1 cache.
constexpr int kChunk = 256;

template <class Body>
void for_each_chunk(int n, Body body) {
  for (int first = 0; first < n; first += kChunk) body(first, std::min(kChunk, n - first));
}

}  // namespace

void gelu(kernels::IsaLevel level, float* x, float* y, int n) {
  kernels::wide_kernels(level).gelu(x, y, n);
}

void gelu(float* x, float* y, int n) { gelu(kernels::IsaLevel::portable, x, y, n); }

void gelu_tanh(float* x, float* y, int n) {
  constexpr float kSqrtTwoOverPi = 0.79788456080286536f, kCubicCoefficient = 0.044715f;
  for_each_chunk(n, [&](int first, int count) {
    float e[kChunk];
    float* __restrict from = x + first;
    float* __restrict to = y + first;
    for (int i = 0; i < count; ++i)
      e[i] = -2 * std::fabs(kSqrtTwoOverPi *
                            (from[i] + kCubicCoefficient * from[i] * from[i] * from[i]));
    kernels::active::exp_and_sum(e, count, 0);
    for (int i = 0; i < count; ++i) {
      // Computes (1 + tanh(z)) / 2 as 1 / (1 + e^(-2 z)), which avoids cancellation where tanh is
      // close to -1.
      const float inner_slope = kSqrtTwoOverPi * (1 + 3 * kCubicCoefficient * from[i] * from[i]),
                  sum = 1 + e[i];
      const float sigmoid = (from[i] < 0 ? e[i] : 1.0f) / sum;
      to[i] = from[i] * sigmoid;
      from[i] = sigmoid + from[i] * 2 * e[i] / (sum * sum) * inner_slope;
    }
  });
}

void relu(float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    const float slope = x[i] > 0 ? 1.0f : 0.0f;
    y[i] = x[i] * slope;
    x[i] = slope;
  }
}

void silu(float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    const float exp_neg = std::exp(-std::fabs(x[i]));  // does not overflow
    const float sigmoid = (x[i] < 0 ? exp_neg : 1.0f) / (1 + exp_neg);
    y[i] = x[i] * sigmoid;
    x[i] = sigmoid + y[i] * (1 - sigmoid);
  }
}

void activation_backward(const float* slope, float* d_y, int n) {
  kernels::multiply_rows(d_y, slope, n);
}

namespace {

// Computes e^-|x[i]|, from which the sigmoid can be computed without overflow.
void compute_exp_neg(const float* x, float* to, int n) {
  for (int i = 0; i < n; ++i) to[i] = -std::fabs(x[i]);
  kernels::active::exp_and_sum(to, n, 0);
}

float compute_sigmoid(float x, float exp_neg) { return (x < 0 ? exp_neg : 1.0f) / (1 + exp_neg); }

}  // namespace

void swiglu(const ConstMatrixRef& x, const MatrixRef& y) {
  for (int r = 0; r < y.rows; ++r) {
    const float *gate = x.row(r), *up = gate + y.columns;
    float* to = y.row(r);
    compute_exp_neg(gate, to, y.columns);
    for (int c = 0; c < y.columns; ++c) to[c] = gate[c] * compute_sigmoid(gate[c], to[c]) * up[c];
  }
}

void swiglu_backward(const ConstMatrixRef& x, const ConstMatrixRef& d_y, const MatrixRef& d_x) {
  for (int r = 0; r < d_y.rows; ++r) {
    const float *gate = x.row(r), *up = gate + d_y.columns, *d_to = d_y.row(r);
    float *d_gate = d_x.row(r), *d_up = d_gate + d_y.columns;
    compute_exp_neg(gate, d_gate, d_y.columns);
    for (int c = 0; c < d_y.columns; ++c) {
      const float s = compute_sigmoid(gate[c], d_gate[c]), silu = gate[c] * s;
      d_up[c] = d_to[c] * silu;
      d_gate[c] = d_to[c] * up[c] * (s + silu * (1 - s));
    }
  }
}

}  // namespace phasor::nn
