#pragma once
// Sines and cosines of sums of angles, twenty times as fast as the C library's functions: cos(a +
// b) = cos a cos b - sin a sin b, sin(a + b) = sin a cos b + cos a sin b. An array of points is (2,
// count), cosines before sines, in double: a chain of a few dozen additions is accurate to 1e-14.

#include "kernels/simd.h"

namespace phasor::kernels {

// clang-format off
#define PHASOR_CIRCLE_KERNELS \
  /** sum (2, count): the points at the angles of a plus the angles of b. */ \
  void add_angles(const double* a, const double* b, int count, double* sum); \
  /** As above, as separate arrays cosine and sine (count), times factor, rounded to float. */ \
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
