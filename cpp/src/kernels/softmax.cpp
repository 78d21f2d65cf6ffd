#include <algorithm>
#include <cmath>
#include <limits>

#include "kernels/kernels.h"

namespace phasor::kernels {

namespace {

constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

}  // namespace

namespace scalar {

float row_max(const float* row, int n) {
  float row_max = kMinusInfinity;
  for (int i = 0; i < n; ++i) row_max = std::max(row_max, row[i]);
  return row_max;
}

double exp_and_sum(float* row, int n, float row_max) {
  // The sum is in double, because in float32 its error would be 5e-6 for 4096 weights and 1e-3 for
  // a million.
  double sum = 0;
  for (int i = 0; i < n; ++i) {
    const float x = row[i] - row_max;
    row[i] = x > kMinWeightLogit ? std::exp(x) : std::isnan(x) ? x : 0.0f;
    sum += static_cast<double>(row[i]);
  }
  return sum;
}

}  // namespace scalar

namespace simd {

namespace {

using Vector = f32x4;
using Words = u32x4;
#define PHASOR_TARGET
inline Vector multiply_add(Vector x, Vector y, Vector z) { return x * y + z; }
inline Vector broadcast(float x) { return splat(x); }
#include "kernels/exponential.h"
#undef PHASOR_TARGET

constexpr int kChunkSize = 128;

// Loads the last `count` values of a row and sets the other lanes to `fill`.
f32x4 load_tail(const float* p, int count, float fill) {
  float edge[kLanes] = {fill, fill, fill, fill};
  std::copy_n(p, count, edge);
  return load(edge);
}

// Computes exp_and_sum for a `count` that is a multiple of kLanes.
__attribute__((noinline)) double exp_and_sum_lanes(float* row, int count, float row_max) {
  // Sums in float32 contain only kChunkSize terms, so the error does not grow with the row length.
  double total = 0;
  for (int start = 0; start < count; start += kChunkSize) {
    f32x4 totals = splat(0.0f);
    for (int i = start; i < std::min(count, start + kChunkSize); i += kLanes) {
      const f32x4 e = exp_nonpositive(load(row + i) - splat(row_max));
      store(row + i, e);
      totals += e;
    }
    total += static_cast<double>(sum(totals));
  }
  return total;
}

}  // namespace

float row_max(const float* row, int n) {
  const int lanes_end = n / kLanes * kLanes, tail_count = n - lanes_end;
  f32x4 maxima = tail_count > 0 ? load_tail(row + lanes_end, tail_count, kMinusInfinity)
                                : splat(kMinusInfinity),
        other_maxima = maxima;
  int i = 0;
  // Two independent maxima are faster than one, because each comparison waits for the previous
  // maximum.
  for (; i + 2 * kLanes <= lanes_end; i += 2 * kLanes) {
    maxima = max(maxima, load(row + i));
    other_maxima = max(other_maxima, load(row + i + kLanes));
  }
  if (i < lanes_end) maxima = max(maxima, load(row + i));
  maxima = max(maxima, other_maxima);
  return std::max(std::max(maxima[0], maxima[1]), std::max(maxima[2], maxima[3]));
}

double exp_and_sum(float* row, int n, float row_max) {
  const int lanes_end = n / kLanes * kLanes, tail_count = n - lanes_end;
  const double sum = exp_and_sum_lanes(row, lanes_end, row_max);
  if (tail_count == 0) return sum;
  float edge[kLanes] = {kMinusInfinity, kMinusInfinity, kMinusInfinity, kMinusInfinity};
  std::copy_n(row + lanes_end, tail_count, edge);
  const double tail_sum = exp_and_sum_lanes(edge, kLanes, row_max);
  std::copy_n(edge, tail_count, row + lanes_end);
  return sum + tail_sum;
}

}  // namespace simd

}  // namespace phasor::kernels
