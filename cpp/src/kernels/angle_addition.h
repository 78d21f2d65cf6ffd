#pragma once
// Cosines and sines of sums of angles, twenty times as fast as the C library's functions: cos(a +
// b) = cos a cos b - sin a sin b, sin(a + b) = sin a cos b + cos a sin b. Each angle array is (2,
// count) doubles, cosines before sines. A chain of a few dozen additions is accurate to 1e-14.

#include "kernels/simd.h"

namespace phasor::kernels {

// clang-format off
#define PHASOR_CIRCLE_KERNELS \
  /** Adds the angles of a and b. sum is (2, count), cosines before sines. */ \
  void add_angles(const double* a, const double* b, int count, double* sum); \
  /** As above, but multiplies the results by factor and rounds them to float. */ \
  void add_angles(const double* a, const double* b, int count, double factor, float* cosine, \
                  float* sine); \
  /** As above. row is (count, 2), sine before cosine, as in sinusoidal tables. */ \
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
