// Rotates channel pairs: (x, y) -> (x cos - y sin, x sin + y cos).

#include "kernels/kernels.h"

namespace phasor::kernels {

namespace {

void rotate(float& x, float& y, float cosine, float sine) {
  const float a = x, b = y;
  x = a * cosine - b * sine;
  y = a * sine + b * cosine;
}

}  // namespace

namespace scalar {

void rotate_interleaved(float* row, const float* cosine, const float* sine, int pairs) {
  for (int t = 0; t < pairs; ++t) rotate(row[2 * t], row[2 * t + 1], cosine[t], sine[t]);
}

void rotate_half_split(float* row, const float* cosine, const float* sine, int pairs) {
  for (int t = 0; t < pairs; ++t) rotate(row[t], row[t + pairs], cosine[t], sine[t]);
}

}  // namespace scalar

namespace simd {

void rotate_interleaved(float* row, const float* cosine, const float* sine, int pairs) {
  constexpr f32x4 kSigns = {-1, 1, -1, 1};
  int t = 0;
  for (; t + kLanes <= pairs; t += kLanes) {
    const f32x4 c = load(cosine + t), s = load(sine + t);
    float* const to = row + 2 * t;
    const f32x4 v = load(to), w = load(to + kLanes);  // x0 y0 x1 y1, x2 y2 x3 y3
    const f32x4 swapped_v = __builtin_shufflevector(v, v, 1, 0, 3, 2) * kSigns,
                swapped_w = __builtin_shufflevector(w, w, 1, 0, 3, 2) * kSigns;
    store(to, v * __builtin_shufflevector(c, c, 0, 0, 1, 1) +
                  swapped_v * __builtin_shufflevector(s, s, 0, 0, 1, 1));
    store(to + kLanes, w * __builtin_shufflevector(c, c, 2, 2, 3, 3) +
                           swapped_w * __builtin_shufflevector(s, s, 2, 2, 3, 3));
  }
  for (; t < pairs; ++t) rotate(row[2 * t], row[2 * t + 1], cosine[t], sine[t]);
}

void rotate_half_split(float* row, const float* cosine, const float* sine, int pairs) {
  int t = 0;
  for (; t + kLanes <= pairs; t += kLanes) {
    const f32x4 x = load(row + t), y = load(row + pairs + t), c = load(cosine + t),
                s = load(sine + t);
    store(row + t, x * c - y * s);
    store(row + pairs + t, x * s + y * c);
  }
  for (; t < pairs; ++t) rotate(row[t], row[t + pairs], cosine[t], sine[t]);
}

}  // namespace simd

}  // namespace phasor::kernels
