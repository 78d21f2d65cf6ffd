#include "gemm_peers.h"
#include "kernels/isa.h"

#if defined(__x86_64__)
#include <immintrin.h>
#elif defined(__aarch64__)
#include <arm_neon.h>
#endif

namespace bench {

// Loops read and write it, so that the compiler cannot remove them.
volatile float volatile_sink = 0;

namespace {

// Twelve different sums: enough to hide the latency, and few enough for 16 registers.
#define PEAK(NAME, TARGET, VECTOR, LANES, MULTIPLY_ADD)                                         \
  TARGET void NAME() {                                                                          \
    VECTOR sums[12] = {}, factor = {};                                                          \
    for (int lane = 0; lane < LANES; ++lane) factor[lane] = volatile_sink + 0.9999f;            \
    for (int n = 0; n < 12; ++n) sums[n][0] = volatile_sink + static_cast<float>(n);            \
    for (int round = 0; round < 40000 * 16 / LANES; ++round) {                                  \
      for (VECTOR & sum : sums) sum = MULTIPLY_ADD(sum, factor, factor);                        \
    }                                                                                           \
    VECTOR total = {};                                                                          \
    for (const VECTOR& sum : sums) total += sum;                                                \
    for (int lane = 0; lane < LANES; ++lane) volatile_sink = 0 * (volatile_sink + total[lane]); \
  }

using f32x4 = float __attribute__((vector_size(16)));
f32x4 multiply_add(f32x4 x, f32x4 y, f32x4 z) { return x * y + z; }
PEAK(portable_peak, , f32x4, 4, multiply_add)

#if defined(__x86_64__)
PEAK(avx2_peak, __attribute__((target("avx2,fma"))), __m256, 8, _mm256_fmadd_ps)
PEAK(avx512_peak, __attribute__((target("avx512f"))), __m512, 16, _mm512_fmadd_ps)
#elif defined(__aarch64__)
PEAK(neon_peak, , float32x4_t, 4, vfmaq_f32)
#endif

}  // namespace

std::vector<Peak> list_peaks() {
  using phasor::kernels::IsaLevel;
  std::vector<Peak> supported_peaks = {{"portable", portable_peak}};
#if defined(__x86_64__)
  if (is_level_supported(IsaLevel::avx2)) supported_peaks.push_back({"avx2", avx2_peak});
  if (is_level_supported(IsaLevel::avx512)) supported_peaks.push_back({"avx512", avx512_peak});
#elif defined(__aarch64__)
  supported_peaks.push_back({"neon", neon_peak});
#endif
  return supported_peaks;
}

}  // namespace bench
