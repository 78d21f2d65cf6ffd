// The wide kernels of kernels/isa.h for AVX512. Blocks of four rows and four panels, or of eight
// rows and two panels, use 16 of 32 registers for sums. That keeps two units with a latency of four
// cycles busy. Square blocks need the fewest loads per multiplication.

#include "kernels/attention_kernels.h"
#include "kernels/kernels.h"
#include "kernels/wide.h"

#if defined(__x86_64__) || defined(__i386__)

#include <immintrin.h>

#include <cstddef>
#include <cstdint>
#include <limits>
#include <utility>

#define PHASOR_TARGET __attribute__((target("avx512f")))

namespace phasor::kernels::avx512 {

namespace {

using Vector = float __attribute__((vector_size(64)));
using Words = std::uint32_t __attribute__((vector_size(64)));
constexpr int kVectorLanes = 16, kVectors = 4, kRows = 8, kSums = 16;

PHASOR_TARGET inline Vector multiply_add(Vector x, Vector y, Vector z) {
  return _mm512_fmadd_ps(x, y, z);
}
PHASOR_TARGET inline Vector broadcast(float x) { return _mm512_set1_ps(x); }

#include "kernels/exponential.h"
#include "kernels/wide_blocks.h"
#include "kernels/wide_gelu.h"
#include "kernels/wide_softcap.h"
#include "kernels/wide_softmax.h"
// Must be included last, because it calls functions from the headers above.
#include "kernels/wide_attention.h"

}  // namespace

const WideKernels kWideKernels{multiply, multiply_transposed, exp_and_sum, gelu, true};
const AttentionKernels kAttentionKernels{product, accumulate, row_max, exp_and_sum,
                                         cap_row, 16,         1024};

}  // namespace phasor::kernels::avx512

#undef PHASOR_TARGET

#endif
