// The wide kernels of kernels/isa.h with four lanes and separate rounding of every product.
// Products of several rows call `product` and `accumulate`, which may fuse multiplications and
// additions in WebAssembly (docs/decisions/0010-fused-multiply-add.md).

#include <cstddef>
#include <utility>

#include "kernels/kernels.h"
#include "kernels/stored_kernels.h"
#include "kernels/wide.h"

#define PHASOR_TARGET

namespace phasor::kernels::portable {

namespace {

using Vector = f32x4;
using Words = u32x4;
// A block has one row and two panels, which makes 8 independent sums.
constexpr int kVectorLanes = kLanes, kVectors = 8, kRows = 1, kSums = 8;

inline Vector multiply_add(Vector x, Vector y, Vector z) { return x * y + z; }
inline Vector broadcast(float x) { return splat(x); }
using Integers = std::int32_t __attribute__((vector_size(16)));
using Shorts = std::int16_t __attribute__((vector_size(16)));
inline Shorts load_bytes(const std::uint8_t* p) {
  using Bytes = std::int8_t __attribute__((vector_size(8)));
  Bytes bytes;
  __builtin_memcpy(&bytes, p, sizeof bytes);
  return __builtin_convertvector(bytes, Shorts);
}
inline Integers dot_pairs(Shorts a, Shorts b) {
#if defined(__wasm_simd128__)
  return __builtin_wasm_dot_s_i32x4_i16x8(a, b);
#elif defined(__SSE2__)
  return __builtin_ia32_pmaddwd128(a, b);
#else
  const auto pairs_a = reinterpret_cast<Integers>(a), pairs_b = reinterpret_cast<Integers>(b);
  return ((pairs_a << 16) >> 16) * ((pairs_b << 16) >> 16) + (pairs_a >> 16) * (pairs_b >> 16);
#endif
}
inline void order(Vector&, Vector&) {}

#include "kernels/exponential.h"
#include "kernels/wide_blocks.h"
#include "kernels/wide_gelu.h"
#include "kernels/wide_stored.h"

void multiply_packed(const LeftOperand& a, const RightOperand& b, int inner, float scale,
                     bool adds_to_c, const MatrixRef& c) {
  if (b.row_stride != kPanelColumns || c.rows == 1)
    return multiply(a, b, inner, scale, adds_to_c, c);
  const ConstMatrixRef left{a.data, c.rows, inner, static_cast<int>(a.row_stride)};
  const Panels right{b.data, inner, c.columns, b.panel_stride};
  if (adds_to_c) return active::accumulate(left, right, c);
  active::product(left, right, scale, c);
}

}  // namespace

const WideKernels kWideKernels{multiply_packed, multiply_transposed, active::exp_and_sum, gelu,
                               false};
const StoredKernels kStoredKernels{widen, multiply_vector, multiply_split_row, 1};

}  // namespace phasor::kernels::portable

#undef PHASOR_TARGET
