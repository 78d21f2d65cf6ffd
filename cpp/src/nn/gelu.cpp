#include "nn/gelu.h"

#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"
#include "kernels/rows.h"

namespace phasor::nn {

namespace {

// So many numbers at a time, for which e^x stands in the nearest cache.
constexpr int kStretch = 256;

template <class Body>
void in_stretches(int n, Body body) {
  for (int first = 0; first < n; first += kStretch) body(first, std::min(kStretch, n - first));
}

}  // namespace

void gelu(float* x, float* y, int n) {
  in_stretches(n, [&](int first, int count) {
    float e[kStretch];
    float* __restrict from = x + first;
    float* __restrict to = y + first;
    for (int i = 0; i < count; ++i) e[i] = -0.5f * from[i] * from[i];
    kernels::active::exp_and_sum(e, count, 0);
    for (int i = 0; i < count; ++i) {
      const float u = std::fabs(from[i]) * 0.70710678118654752f;
      const float t = 1 / (1 + 0.3275911f * u);
      float p = 1.061405429f;
      p = p * t - 1.453152027f;
      p = p * t + 1.421413741f;
      p = p * t - 0.284496736f;
      p = p * t + 0.254829592f;
      const float tail = 0.5f * p * t * e[i];  // (1 - erf(u)) / 2
      const float phi = 0.5f + std::copysign(0.5f - tail, from[i]);
      to[i] = from[i] * phi;
      from[i] = phi + from[i] * 0.39894228040143268f * e[i];
    }
  });
}

void gelu_tanh(float* x, float* y, int n) {
  constexpr float kScale = 0.79788456080286536f, kCube = 0.044715f;
  in_stretches(n, [&](int first, int count) {
    float e[kStretch];
    float* __restrict from = x + first;
    float* __restrict to = y + first;
    for (int i = 0; i < count; ++i)
      e[i] = -2 * std::fabs(kScale * (from[i] + kCube * from[i] * from[i] * from[i]));
    kernels::active::exp_and_sum(e, count, 0);
    for (int i = 0; i < count; ++i) {
      // (1 + tanh(z)) / 2 = 1 / (1 + e^(-2 z)), so that nothing is lost where tanh is near -1
      const float inner = kScale * (1 + 3 * kCube * from[i] * from[i]), sum = 1 + e[i];
      const float half = (from[i] < 0 ? e[i] : 1.0f) / sum;
      to[i] = from[i] * half;
      from[i] = half + from[i] * 2 * e[i] / (sum * sum) * inner;
    }
  });
}

void relu(float* x, float* y, int n) {
  for (int i = 0; i < n; ++i) {
    const float live = x[i] > 0 ? 1.0f : 0.0f;
    y[i] = x[i] * live;
    x[i] = live;
  }
}

void slopes_backward(const float* slope, float* d_y, int n) {
  kernels::multiply_rows(d_y, slope, n);
}

}  // namespace phasor::nn
