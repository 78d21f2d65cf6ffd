#include "kernels/rows.h"

namespace phasor::kernels {

void fill(float* to, float x, int n) {
  for (int i = 0; i < n; ++i) to[i] = x;
}

void add_constant(float* to, float x, int n) {
  for (int i = 0; i < n; ++i) to[i] += x;
}

void add_row(float* to, const float* from, int n) {
  for (int i = 0; i < n; ++i) to[i] += from[i];
}

void multiply(float* to, float x, int n) {
  for (int i = 0; i < n; ++i) to[i] *= x;
}

void multiply_rows(float* to, const float* from, int n) {
  for (int i = 0; i < n; ++i) to[i] *= from[i];
}

float dot(const float* a, const float* b, int n) {
  float sums[4] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int lane = 0; lane < 4; ++lane) sums[lane] += a[i + lane] * b[i + lane];
  }
  for (; i < n; ++i) sums[0] += a[i] * b[i];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

float total(const float* from, int n) {
  float sums[4] = {};
  int i = 0;
  for (; i + 4 <= n; i += 4) {
    for (int lane = 0; lane < 4; ++lane) sums[lane] += from[i + lane];
  }
  for (int lane = 0; i + lane < n; ++lane) sums[lane] += from[i + lane];
  return (sums[0] + sums[1]) + (sums[2] + sums[3]);
}

}  // namespace phasor::kernels
