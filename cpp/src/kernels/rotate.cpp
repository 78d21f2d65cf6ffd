// Plane rotations of channel pairs: (x, y) -> (x cos - y sin, x sin + y cos).

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
  int t = 0;
  for (; t + 2 <= pairs; t += 2) {
    const f32x4 v = load(row + 2 * t);  // x0 y0 x1 y1
    const f32x4 swapped = __builtin_shufflevector(v, v, 1, 0, 3, 2) * f32x4{-1, 1, -1, 1};
    const f32x4 c = {cosine[t], cosine[t], cosine[t + 1], cosine[t + 1]};
    const f32x4 s = {sine[t], sine[t], sine[t + 1], sine[t + 1]};
    store(row + 2 * t, v * c + swapped * s);
  }
  for (; t < pairs; ++t) rotate(row[2 * t], row[2 * t + 1], cosine[t], sine[t]);
}

void rotate_half_split(float* row, const float* cosine, const float* sine, int pairs) {
  int t = 0;
  for (; t + kLanes <= pairs; t += kLanes) {
    const f32x4 x = load(row + t), y = load(row + pairs + t), c = load(cosine + t), s = load(sine + t);
    store(row + t, x * c - y * s);
    store(row + pairs + t, x * s + y * c);
  }
  for (; t < pairs; ++t) rotate(row[t], row[t + pairs], cosine[t], sine[t]);
}

}  // namespace simd

}  // namespace phasor::kernels
