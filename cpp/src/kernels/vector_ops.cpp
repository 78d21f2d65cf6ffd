#include "kernels/vector_ops.h"

#include "kernels/simd.h"

namespace phasor::kernels {

void fill(float* to, float x, int n) {
  for (int i = 0; i < n; ++i) to[i] = x;
}

void add_constant(float* to, float x, int n) {
  for (int i = 0; i < n; ++i) to[i] += x;
}

void add_row(float* __restrict to, const float* __restrict from, int n) {
  for (int i = 0; i < n; ++i) to[i] += from[i];
}

void copy_nonzero(float* __restrict to, const float* __restrict from, int n) {
  for (int i = 0; i < n; ++i) to[i] = from[i] != 0 ? from[i] : to[i];
}

void add_scaled(float* __restrict to, float factor, const float* __restrict from, int n) {
  for (int i = 0; i < n; ++i) to[i] += factor * from[i];
}

void add_scaled(double* __restrict to, double factor, const float* __restrict from, int n) {
  for (int i = 0; i < n; ++i) to[i] += factor * static_cast<double>(from[i]);
}

void multiply(float* to, float x, int n) {
  for (int i = 0; i < n; ++i) to[i] *= x;
}

void multiply_rows(float* __restrict to, const float* __restrict from, int n) {
  for (int i = 0; i < n; ++i) to[i] *= from[i];
}

float dot(const float* a, const float* b, int n) {
  f32x4 sums = {};
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) sums += load(a + i) * load(b + i);
  for (; i < n; ++i) sums[0] += a[i] * b[i];
  return sum(sums);
}

double dot_in_double(const float* a, const float* b, int n) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += static_cast<double>(a[i]) * static_cast<double>(b[i]);
  return sum;
}

float sum(const float* from, int n) {
  f32x4 sums = {};
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) sums += load(from + i);
  // Adds the remaining elements to one lane each, as if the array were padded with zeros.
  for (int lane = 0; i + lane < n; ++lane) sums[lane] += from[i + lane];
  return sum(sums);
}

double dot(const double* a, const double* b, int n) {
  f64x2 even = {}, odd = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    even += load(a + i) * load(b + i);
    odd += load(a + i + 2) * load(b + i + 2);
  }
  for (; i < n; ++i) even[0] += a[i] * b[i];
  even += odd;
  return even[0] + even[1];
}

void widen(double* __restrict to, const float* __restrict from, int n) {
  for (int i = 0; i < n; ++i) to[i] = static_cast<double>(from[i]);
}

void narrow(float* __restrict to, const double* __restrict from, int n) {
  for (int i = 0; i < n; ++i) to[i] = static_cast<float>(from[i]);
}

void multiply_rows(double* __restrict to, double factor, const double* __restrict from, int n) {
  for (int i = 0; i < n; ++i) to[i] *= factor * from[i];
}

}  // namespace phasor::kernels
