#pragma once
// The hot loops. Every kernel exists twice with one contract: `scalar` is the readable one, `simd` the fast one, and
// `active` is what the library calls. Tests run both against a double reference at every length around the lane count.

#include "kernels/lanes.h"
#include "phasor/tensor.h"

namespace phasor::kernels {

/// Columns of one panel: two registers of four floats.
inline constexpr int kPanel = 8;

/// Floats needed for a packed matrix of `columns` columns and `inner` rows.
std::size_t packed_size(int inner, int columns);
/// Packs b (inner, columns) into panels of kPanel columns, zero-filled at the edge: panel p is (inner, kPanel).
void pack(ConstMatrixRef b, float* panels);
/// Packs the transpose of b (columns, inner): what q k^T needs.
void pack_transposed(ConstMatrixRef b, float* panels);

// clang-format off
#define PHASOR_KERNELS                                                                                    \
  /** c (rows, columns) = scale * a (rows, inner) . packed (inner, columns) */                             \
  void product(ConstMatrixRef a, const float* packed, float scale, MatrixRef c);                           \
  /** Softmax of row[0..n) in place. -infinity gives exactly 0; a row of only -infinity becomes 0. */      \
  void softmax(float* row, int n);                                                                         \
  /** Turns the pairs (2t, 2t+1) of row by the angles whose cosines and sines are given. */               \
  void rotate_interleaved(float* row, const float* cosine, const float* sine, int pairs);                  \
  /** Turns the pairs (t, t+pairs). */                                                                     \
  void rotate_half_split(float* row, const float* cosine, const float* sine, int pairs);
// clang-format on

namespace scalar {
PHASOR_KERNELS
}
namespace simd {
PHASOR_KERNELS
}
#undef PHASOR_KERNELS

#if PHASOR_SIMD
namespace active = simd;
#else
namespace active = scalar;
#endif

}  // namespace phasor::kernels
