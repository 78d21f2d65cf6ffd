// The soft cap of scores, c tanh(x / c), and its slopes.

#include <algorithm>
#include <cmath>

#include "kernels/kernels.h"

namespace phasor::kernels {

namespace scalar {

void softcap(float* row, int n, float cap) {
  for (int i = 0; i < n; ++i) row[i] = cap * std::tanh(row[i] / cap);
}

}  // namespace scalar

namespace simd {

namespace {

f32x4 min(f32x4 a, f32x4 b) { return b < a ? b : a; }

// x p(x^2) / q(x^2), minimax for the relative error on [-9, 9], 2e-8 before rounding and 3e-7 with
// it; beyond, tanh is 1 in float32. NaN stays NaN.
f32x4 tanh_of(f32x4 x) {
  x = max(min(x, splat(9.0f)), splat(-9.0f));
  const f32x4 z = x * x;
  f32x4 p = splat(1.333666821e-8f);
  p = p * z + splat(2.059614115e-5f);
  p = p * z + splat(3.49480296e-3f);
  p = p * z + splat(0.1338036481f);
  p = p * z + splat(0.9999999792f);
  f32x4 q = splat(7.769208345e-7f);
  q = q * z + splat(3.28434999e-4f);
  q = q * z + splat(2.587399604e-2f);
  q = q * z + splat(0.4671368023f);
  q = q * z + splat(1.0f);
  return x * p / q;
}

}  // namespace

void softcap(float* row, int n, float cap) {
  const f32x4 size = splat(cap), part = splat(1 / cap);
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) store(row + i, size * tanh_of(load(row + i) * part));
  if (i == n) return;
  float edge[kLanes] = {};
  std::copy_n(row + i, n - i, edge);
  store(edge, size * tanh_of(load(edge) * part));
  std::copy_n(edge, n - i, row + i);
}

}  // namespace simd

void multiply_softcap_slopes(float* d_row, const float* capped, int n, float cap) {
  const f32x4 part = splat(1 / cap), one = splat(1.0f);
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const f32x4 t = load(capped + i) * part;
    store(d_row + i, load(d_row + i) * (one - t * t));
  }
  for (; i < n; ++i) {
    const float t = capped[i] / cap;
    d_row[i] *= 1 - t * t;
  }
}

}  // namespace phasor::kernels
