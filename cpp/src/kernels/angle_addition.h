#pragma once
// Points on the unit circle by the addition theorems, twenty times as fast as the C library's sine
// and cosine: cos(a + b) = cos a cos b - sin a sin b, sin(a + b) = sin a cos b + cos a sin b.
// `count` points are stored as (2, count): all cosines, then all sines, in double, so that a chain
// of a few dozen products is still accurate to 1e-14.

#include "kernels/simd.h"

namespace phasor::kernels {

// clang-format off
#define PHASOR_CIRCLE_KERNELS \
  /** sum (2, count): the points at the sums of the angles of a and b. */ \
  void add_angles(const double* a, const double* b, int count, double* sum); \
  /** cosine (count), sine (count): those of the sums, times factor, rounded to float. */ \
  void add_angles(const double* a, const double* b, int count, double factor, float* cosine, \
                  float* sine); \
  /** row (count, 2): sine and cosine of each sum, times factor, as in sinusoidal tables. */ \
  void add_angles_interleaved(const double* a, const double* b, int count, double factor, \
                              float* row);
// clang-format on

namespace scalar {
PHASOR_CIRCLE_KERNELS
}
namespace simd {
PHASOR_CIRCLE_KERNELS
}
#undef PHASOR_CIRCLE_KERNELS

#if PHASOR_SIMD
namespace active = simd;
#else
namespace active = scalar;
#endif

}  // namespace phasor::kernels
