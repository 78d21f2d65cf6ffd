// Two steps of a softmax over a part of a row: the maximum, and exp_and_sum relative to a maximum.

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
  // A double: in float a row of 4096 weights would sum to 1 within 5e-6 and a row of a million
  // within 1e-3.
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

using Vector = f32x4;
using Words = u32x4;
#define PHASOR_TARGET
inline Vector multiply_add(Vector x, Vector y, Vector z) { return x * y + z; }
inline Vector spread(float x) { return splat(x); }
#include "kernels/exponential.h"
#undef PHASOR_TARGET

constexpr int kChunk = 128;

// The last `live` numbers of a row, padded with `fill`.
f32x4 load_tail(const float* p, int live, float fill) {
  float edge[kLanes] = {fill, fill, fill, fill};
  std::copy_n(p, live, edge);
  return load(edge);
}

// exp_and_sum of `whole` numbers, where `whole` is a multiple of kLanes.
__attribute__((noinline)) double exp_of_lanes(float* row, int whole, float row_max) {
  // Lanes sum only short blocks, so that the error does not grow with the length of the row.
  double exact = 0;
  for (int start = 0; start < whole; start += kChunk) {
    f32x4 totals = splat(0.0f);
    for (int i = start; i < std::min(whole, start + kChunk); i += kLanes) {
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
  f32x4 tops = rest > 0 ? load_tail(row + whole, rest, kMinusInfinity) : splat(kMinusInfinity),
        others = tops;
  int i = 0;
  // Two chains, because each comparison waits for the one before.
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
  float edge[kLanes] = {kMinusInfinity, kMinusInfinity, kMinusInfinity, kMinusInfinity};
  std::copy_n(row + whole, rest, edge);
  const double sum_of_rest = exp_of_lanes(edge, kLanes, row_max);
  std::copy_n(edge, rest, row + whole);
  return sum + sum_of_rest;
}

}  // namespace simd

}  // namespace phasor::kernels
