// The soft cap of scores, c tanh(x / c), and its derivative.

#include <algorithm>
#include <cmath>
#include <limits>

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

// Below this x^2, a short polynomial approximates tanh: most scores are within half of the cap.
constexpr float kSmall = 0.25f;

// Number of scores capped at a time. A result does not depend on its neighbours: decoding has the
// bits of the whole text.
constexpr int kStretch = 64;

// tanh(x) / x as a function of z = x^2 <= kSmall: minimax for the relative error, 2e-8 before
// rounding.
f32x4 small_tanh(f32x4 z) {
  f32x4 p = splat(1.724149151e-2f);
  p = p * z + splat(-5.304549428e-2f);
  p = p * z + splat(0.1332587896f);
  p = p * z + splat(-0.3333314390f);
  return p * z + splat(1.0f);
}

// tanh(x) / x as a function of z = x^2 <= 81, minimax for the relative error, 2e-8 before rounding
// and 3e-7 with it.
f32x4 tanh_of(f32x4 z) {
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
  return p / q;
}

// Two loops in separate functions: V8 computes the constants of a loop once before it, and those
// of a function called per vector each time.

// Caps n scores, a multiple of kLanes, as if all were small, and saves them in `scores`. Returns
// whether all are small.
[[gnu::noinline]] bool cap_small(float* row, int n, float cap, float* scores) {
  const f32x4 part = splat(1 / cap);
  f32x4 largest = splat(0);
  for (int i = 0; i < n; i += kLanes) {
    const f32x4 score = load(row + i), x = score * part, z = x * x;
    store(scores + i, score);
    store(row + i, score * small_tanh(z));
    largest = max(largest, z);
  }
  const auto lanes = largest > splat(kSmall);
  return (lanes[0] | lanes[1] | lanes[2] | lanes[3]) == 0;
}

// Recomputes the scores of cap_small() that are not small. Beyond 9, tanh is 1 in float32. NaN
// stays NaN. V8 needs one instruction for the minimum of two variables, and eight if one is a
// constant: hence scores are bounded, not x.
[[gnu::noinline]] void cap_large(float* row, int n, float cap, const float* scores) {
  const float end = std::min(9 * cap, std::numeric_limits<float>::max());
  const f32x4 part = splat(1 / cap), last = splat(end), first = splat(-end);
  for (int i = 0; i < n; i += kLanes) {
    const f32x4 score = max(min(load(scores + i), last), first), x = score * part, z = x * x;
    store(row + i, z <= splat(kSmall) ? load(row + i) : score * tanh_of(z));
  }
}

void cap_stretch(float* row, int n, float cap) {
  float scores[kStretch];
  if (!cap_small(row, n, cap, scores)) cap_large(row, n, cap, scores);
}

}  // namespace

void softcap(float* row, int n, float cap) {
  const int whole = n / kLanes * kLanes;
  for (int i = 0; i < whole; i += kStretch)
    cap_stretch(row + i, std::min(kStretch, whole - i), cap);
  if (whole == n) return;
  float edge[kLanes] = {};
  std::copy_n(row + whole, n - whole, edge);
  cap_stretch(edge, kLanes, cap);
  std::copy_n(edge, n - whole, row + whole);
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
