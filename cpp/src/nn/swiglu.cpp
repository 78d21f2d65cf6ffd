#include "nn/swiglu.h"

#include <cmath>

#include "kernels/kernels.h"

namespace phasor::nn {

namespace {

// to[i] = e^-|x|, from which the sigmoid follows without overflow.
void decays(const float* x, float* to, int n) {
  for (int i = 0; i < n; ++i) to[i] = -std::fabs(x[i]);
  kernels::active::exp_and_sum(to, n, 0);
}

float sigmoid_of(float x, float decay) { return (x < 0 ? decay : 1.0f) / (1 + decay); }

}  // namespace

void swiglu(const ConstMatrixRef& x, const MatrixRef& y) {
  for (int r = 0; r < y.rows; ++r) {
    const float *gate = x.row(r), *up = gate + y.columns;
    float* to = y.row(r);
    decays(gate, to, y.columns);
    for (int c = 0; c < y.columns; ++c) to[c] = gate[c] * sigmoid_of(gate[c], to[c]) * up[c];
  }
}

void swiglu_backward(const ConstMatrixRef& x, const ConstMatrixRef& d_y, const MatrixRef& d_x) {
  for (int r = 0; r < d_y.rows; ++r) {
    const float *gate = x.row(r), *up = gate + d_y.columns, *d_to = d_y.row(r);
    float *d_gate = d_x.row(r), *d_up = d_gate + d_y.columns;
    decays(gate, d_gate, d_y.columns);
    for (int c = 0; c < d_y.columns; ++c) {
      const float s = sigmoid_of(gate[c], d_gate[c]), silu = gate[c] * s;
      d_up[c] = d_to[c] * silu;
      d_gate[c] = d_to[c] * up[c] * (s + silu * (1 - s));
    }
  }
}

}  // namespace phasor::nn
