// The two steps of a softmax over one stretch of a row: its largest score, and the exp_and_sum
// below it.

#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.h"

namespace phasor::kernels {

namespace {

// Weights below 1e-30 of the largest are 0. Smaller ones would meet values as denormal numbers,
// which processors multiply a hundred times slower, and no float32 output can show them.
constexpr float kNegligible = -69.0f;
constexpr float kNothing = -std::numeric_limits<float>::infinity();

}  // namespace

namespace scalar {

float row_max(const float* row, int n) {
  float row_max = kNothing;
  for (int i = 0; i < n; ++i) row_max = std::max(row_max, row[i]);
  return row_max;
}

double exp_and_sum(float* row, int n, float row_max) {
  // in float a row of 4096 weights would add up to 1 only within 5e-6, one of a million within 1e-3
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const float x = row[i] - row_max;
    row[i] = x > kNegligible ? std::exp(x) : std::isnan(x) ? x : 0.0f;
    sum += static_cast<double>(row[i]);
  }
  return sum;
}

}  // namespace scalar

namespace simd {

namespace {

// e^x = 2^t for x <= 0, t = x / ln 2: 2^round(t) by the exponent bits, times a polynomial of degree
// 6 for the rest in
// [-1/2, 1/2] (minimax for the relative error, 1e-7 in float32). Rounding t adds 6e-8 |x|, as much
// as rounding x itself.
f32x4 exp_nonpositive(f32x4 x) {
  const u32x4 negligible = reinterpret_cast<u32x4>(x <= splat(kNegligible));
  // 1.5 * 2^23: adding it rounds to a whole number in the low bits
  const f32x4 shift = splat(12582912.0f);
  const f32x4 t = x * splat(1.44269504088896341f), shifted = t + shift, f = t - (shifted - shift);
  f32x4 p = splat(1.546973217e-4f);
  p = p * f + splat(1.341000083e-3f);
  p = p * f + splat(9.618030861e-3f);
  p = p * f + splat(5.550297350e-2f);
  p = p * f + splat(2.402265072e-1f);
  p = p * f + splat(6.931472421e-1f);
  p = p * f + splat(1.0f);
  // Unsigned, because far below the row_max the sum wraps around before it is masked.
  const u32x4 bits = reinterpret_cast<u32x4>(p) + (reinterpret_cast<u32x4>(shifted) << 23);
  return reinterpret_cast<f32x4>(bits & ~negligible);
}

constexpr int kStretch = 128;

// The last n % 4 numbers, padded with `fill` so that the vector code serves them too.
f32x4 load_tail(const float* p, int live, float fill) {
  float edge[kLanes] = {fill, fill, fill, fill};
  std::copy_n(p, live, edge);
  return load(edge);
}

// exp_and_sum of `whole` numbers, a multiple of kLanes.
__attribute__((noinline)) double exp_of_lanes(float* row, int whole, float row_max) {
  // lanes add up short stretches only, so that the error does not grow with the row
  double exact = 0;
  for (int start = 0; start < whole; start += kStretch) {
    f32x4 totals = splat(0.0f);
    for (int i = start; i < std::min(whole, start + kStretch); i += kLanes) {
      const f32x4 e = exp_nonpositive(load(row + i) - splat(row_max));
      store(row + i, e);
      totals += e;
    }
    exact += static_cast<double>(sum(totals));
  }
  return exact;
}

}  // namespace

float row_max(const float* row, int n) {
  const int whole = n / kLanes * kLanes, rest = n - whole;
  f32x4 tops = rest > 0 ? load_tail(row + whole, rest, kNothing) : splat(kNothing), others = tops;
  int i = 0;
  // two chains, because each step waits for the one before
  for (; i + 2 * kLanes <= whole; i += 2 * kLanes) {
    tops = max(tops, load(row + i));
    others = max(others, load(row + i + kLanes));
  }
  if (i < whole) tops = max(tops, load(row + i));
  tops = max(tops, others);
  return std::max(std::max(tops[0], tops[1]), std::max(tops[2], tops[3]));
}

double exp_and_sum(float* row, int n, float row_max) {
  const int whole = n / kLanes * kLanes, rest = n - whole;
  const double sum = exp_of_lanes(row, whole, row_max);
  if (rest == 0) return sum;
  float edge[kLanes] = {kNothing, kNothing, kNothing, kNothing};
  std::copy_n(row + whole, rest, edge);
  const double sum_of_rest = exp_of_lanes(edge, kLanes, row_max);
  std::copy_n(edge, rest, row + whole);
  return sum + sum_of_rest;
}

}  // namespace simd

}  // namespace phasor::kernels
