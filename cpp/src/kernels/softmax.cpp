// Row softmax. The maximum is subtracted first, so no finite score can overflow.

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.h"

namespace phasor::kernels {

namespace scalar {

void softmax(float* row, int n) {
  float top = -std::numeric_limits<float>::infinity();
  for (int i = 0; i < n; ++i) top = std::max(top, row[i]);
  if (top == -std::numeric_limits<float>::infinity()) {  // nothing is visible
    std::fill_n(row, n, 0.0f);
    return;
  }
  double sum = 0;  // in float a row of 4096 weights would add up to 1 only within 5e-6, one of a million within 1e-3
  for (int i = 0; i < n; ++i) sum += static_cast<double>(row[i] = std::exp(row[i] - top));
  const float total = static_cast<float>(sum);
  for (int i = 0; i < n; ++i) row[i] /= total;
}

}  // namespace scalar

namespace simd {

namespace {

// e^x for x <= 0: x = n ln 2 + r with |r| <= ln 2 / 2, a polynomial of degree 6 for e^r (minimax of Cephes' expf), 2^n by
// the exponent bits. Relative error below 2e-7; below -87 the answer is 0, so -infinity gives exactly 0.
f32x4 exp_nonpositive(f32x4 x) {
  const i32x4 representable = reinterpret_cast<i32x4>(x > splat(-87.0f));
  x = select(representable, x, splat(0.0f));
  const f32x4 shift = splat(12582912.0f);  // 1.5 * 2^23: adding it rounds to a whole number in the low bits
  const f32x4 shifted = x * splat(1.44269504088896341f) + shift;
  const f32x4 n = shifted - shift;
  const f32x4 r = x - n * splat(0.693359375f) + n * splat(2.12194440e-4f);
  f32x4 p = splat(1.9875691500e-4f);
  p = p * r + splat(1.3981999507e-3f);
  p = p * r + splat(8.3334519073e-3f);
  p = p * r + splat(4.1665795894e-2f);
  p = p * r + splat(1.6666665459e-1f);
  p = p * r + splat(5.0000001201e-1f);
  p = p * (r * r) + r + splat(1.0f);
  const i32x4 bits = reinterpret_cast<i32x4>(p) + (reinterpret_cast<i32x4>(shifted) << 23);
  return select(representable, reinterpret_cast<f32x4>(bits), splat(0.0f));
}

constexpr int kStretch = 128;

// The last n % 4 numbers, padded with `fill` so that the vector code serves them too.
f32x4 load_tail(const float* p, int live, float fill) {
  float edge[kLanes] = {fill, fill, fill, fill};
  std::copy_n(p, live, edge);
  return load(edge);
}
void store_tail(float* p, int live, f32x4 v) {
  float edge[kLanes];
  store(edge, v);
  std::copy_n(edge, live, p);
}

}  // namespace

void softmax(float* row, int n) {
  constexpr float kNothing = -std::numeric_limits<float>::infinity();
  const int whole = n / kLanes * kLanes, rest = n - whole;
  f32x4 tops = splat(kNothing);
  for (int i = 0; i < whole; i += kLanes) tops = max(tops, load(row + i));
  if (rest > 0) tops = max(tops, load_tail(row + whole, rest, kNothing));
  const float top = std::max(std::max(tops[0], tops[1]), std::max(tops[2], tops[3]));
  if (top == kNothing) {  // nothing is visible
    std::fill_n(row, n, 0.0f);
    return;
  }
  double exact = 0;  // lanes add up short stretches only, so that the error does not grow with the row
  for (int start = 0; start < whole; start += kStretch) {
    f32x4 totals = splat(0.0f);
    for (int i = start; i < std::min(whole, start + kStretch); i += kLanes) {
      const f32x4 e = exp_nonpositive(load(row + i) - splat(top));
      store(row + i, e);
      totals += e;
    }
    exact += static_cast<double>(sum(totals));
  }
  if (rest > 0) {
    const f32x4 e = exp_nonpositive(load_tail(row + whole, rest, kNothing) - splat(top));
    store_tail(row + whole, rest, e);
    exact += static_cast<double>(sum(e));
  }
  const float total = static_cast<float>(exact);
  for (int i = 0; i < whole; i += kLanes) store(row + i, load(row + i) / splat(total));
  for (int i = whole; i < n; ++i) row[i] /= total;
}

}  // namespace simd

}  // namespace phasor::kernels
