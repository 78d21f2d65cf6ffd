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

// Where x^2 is at most this, a short polynomial is tanh: scores within half of the cap, which is
// most of them.
constexpr float kSmall = 0.25f;

// tanh(x) / x by z = x^2 <= kSmall: minimax for the relative error, 2e-8 before rounding.
f32x4 small_tanh(f32x4 z) {
  f32x4 p = splat(1.724149151e-2f);
  p = p * z + splat(-5.304549428e-2f);
  p = p * z + splat(0.1332587896f);
  p = p * z + splat(-0.3333314390f);
  return p * z + splat(1.0f);
}

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

bool any(f32x4 x, float above) {
  const auto lanes = x > splat(above);
  return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) != 0;
}

// Numbers whose squares are looked at together. What becomes of one follows from it alone, not from
// those beside it: decoding gives the bits of the whole text.
constexpr int kTogether = 4 * kLanes;

// A function of its own, so that a compiler does not write it out for each vector.
[[gnu::noinline]] f32x4 capped(f32x4 score, f32x4 part, f32x4 size) {
  const f32x4 x = score * part, z = x * x;
  return z <= splat(kSmall) ? score * small_tanh(z) : size * tanh_of(x);
}

void softcap_of(float* row, float cap) {
  const f32x4 part = splat(1 / cap);
  f32x4 z[4], largest = splat(0);
  for (int n = 0; n < 4; ++n) {
    const f32x4 x = load(row + n * kLanes) * part;
    z[n] = x * x;
    largest = max(largest, z[n]);
  }
  if (any(largest, kSmall)) {
    for (int i = 0; i < kTogether; i += kLanes)
      store(row + i, capped(load(row + i), part, splat(cap)));
    return;
  }
  for (int n = 0; n < 4; ++n) store(row + n * kLanes, load(row + n * kLanes) * small_tanh(z[n]));
}

}  // namespace

void softcap(float* row, int n, float cap) {
  int i = 0;
  for (; i + kTogether <= n; i += kTogether) softcap_of(row + i, cap);
  if (i == n) return;
  float edge[kTogether] = {};
  std::copy_n(row + i, n - i, edge);
  softcap_of(edge, cap);
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
