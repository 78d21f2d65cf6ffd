// The wide kernels of kernels/isa.h in AVX2. Blocks of six rows and sixteen columns use 15 of 16
// registers: 12 for sums, 2 for the right operand and 1 for the left.

#include "kernels/attention_kernels.h"
#include "kernels/kernels.h"
#include "kernels/stored_kernels.h"
#include "kernels/wide.h"

#if defined(__x86_64__) || defined(__i386__)

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#define PHASOR_TARGET __attribute__((target("avx2,fma")))

namespace phasor::kernels::avx2 {

namespace {

using Vector = float __attribute__((vector_size(32)));
using Words = std::uint32_t __attribute__((vector_size(32)));
constexpr int kVectorLanes = 8, kVectors = 2, kRows = 6, kSums = 12;

PHASOR_TARGET inline Vector multiply_add(Vector x, Vector y, Vector z) {
  return _mm256_fmadd_ps(x, y, z);
}
PHASOR_TARGET inline Vector broadcast(float x) { return _mm256_set1_ps(x); }
using Integers = std::int32_t __attribute__((vector_size(32)));
using Shorts = std::int16_t __attribute__((vector_size(32)));
PHASOR_TARGET inline Shorts load_bytes(const std::uint8_t* p) {
  return reinterpret_cast<Shorts>(
      _mm256_cvtepi8_epi16(_mm_loadu_si128(reinterpret_cast<const __m128i*>(p))));
}
PHASOR_TARGET inline Integers dot_pairs(Shorts a, Shorts b) {
  return reinterpret_cast<Integers>(
      _mm256_madd_epi16(reinterpret_cast<__m256i>(a), reinterpret_cast<__m256i>(b)));
}
PHASOR_TARGET inline void order(Vector& a, Vector& b) {
  const Vector lower = _mm256_permute2f128_ps(a, b, 0x20);
  b = _mm256_permute2f128_ps(a, b, 0x31);
  a = lower;
}

#include "kernels/exponential.h"
#include "kernels/wide_blocks.h"
#include "kernels/wide_gelu.h"
#include "kernels/wide_softcap.h"
#include "kernels/wide_softmax.h"
#include "kernels/wide_stored.h"
// Must be included last, because it calls functions from the headers above.
#include "kernels/wide_attention.h"

}  // namespace

const WideKernels kWideKernels{multiply, multiply_transposed, exp_and_sum, gelu, true};
const AttentionKernels kAttentionKernels{product, accumulate, row_max, exp_and_sum,
                                         cap_row, 16,         512};
const StoredKernels kStoredKernels{widen, multiply_vector, multiply_split_row, 2};

}  // namespace phasor::kernels::avx2

#undef PHASOR_TARGET

#endif
