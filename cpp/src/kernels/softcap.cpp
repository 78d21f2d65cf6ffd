#include <cmath>
#include <cstddef>
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

using Vector = f32x4;
constexpr int kVectorLanes = kLanes;
#define PHASOR_TARGET
inline Vector multiply_add(Vector x, Vector y, Vector z) { return x * y + z; }
inline Vector broadcast(float x) { return splat(x); }

#include "kernels/wide_softcap.h"
#undef PHASOR_TARGET

}  // namespace

void softcap(float* row, int n, float cap) { cap_row(row, n, cap); }

}  // namespace simd

void softcap_backward(float* d_row, const float* capped_row, int n, float cap) {
  const f32x4 inverse_cap = splat(1 / cap), one = splat(1.0f);
  int i = 0;
  for (; i + kLanes <= n; i += kLanes) {
    const f32x4 t = load(capped_row + i) * inverse_cap;
    store(d_row + i, load(d_row + i) * (one - t * t));
  }
  for (; i < n; ++i) {
    const float t = capped_row[i] / cap;
    d_row[i] *= 1 - t * t;
  }
}

}  // namespace phasor::kernels
