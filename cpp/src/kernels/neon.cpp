// The wide kernels of kernels/isa.h in NEON, which every AArch64 processor has. Blocks of six rows
// and one panel use 24 of 32 registers for sums.

#include "kernels/attention_kernels.h"
#include "kernels/kernels.h"
#include "kernels/stored_kernels.h"
#include "kernels/wide.h"

#if defined(__aarch64__)

#include <arm_neon.h>

#include <cstddef>
#include <limits>
#include <utility>

#define PHASOR_TARGET

namespace phasor::kernels::neon {

namespace {

using Vector = float32x4_t;
using Words = uint32x4_t;
constexpr int kVectorLanes = 4, kVectors = 4, kRows = 6, kSums = 24;

inline Vector multiply_add(Vector x, Vector y, Vector z) { return vfmaq_f32(z, x, y); }
inline Vector broadcast(float x) { return vdupq_n_f32(x); }
using Integers = int32x4_t;
using Shorts = int16x8_t;
inline Shorts load_bytes(const std::uint8_t* p) {
  using Bytes = std::int8_t __attribute__((vector_size(8)));
  Bytes bytes;
  __builtin_memcpy(&bytes, p, sizeof bytes);
  return __builtin_convertvector(bytes, Shorts);
}
inline Integers dot_pairs(Shorts a, Shorts b) {
  return vpaddq_s32(vmull_s16(vget_low_s16(a), vget_low_s16(b)), vmull_high_s16(a, b));
}
inline void order(Vector&, Vector&) {}

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
const StoredKernels kStoredKernels{widen, multiply_vector, multiply_split_row, 1};

}  // namespace phasor::kernels::neon

#undef PHASOR_TARGET

#endif
