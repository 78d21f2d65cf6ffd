#pragma once
// The inner loops of the library. Every kernel has a readable `scalar` version and a fast `simd`
// version. The library calls `active`. Tests compare both with a reference in double, for all
// lengths around the number of lanes.

#include "kernels/simd.h"
#include "phasor/tensor.h"

namespace phasor::kernels {

/// Columns per panel. They fill four registers of four floats.
inline constexpr int kPanelColumns = 16;

/// A view of a packed matrix (inner, columns). Panel p contains columns [16 p, 16 p + 16) of all
/// rows in one block of memory, so the inner loop of a product reads contiguous memory.
struct Panels {
  const float* data = nullptr;
  int inner = 0;
  int columns = 0;
  std::ptrdiff_t panel_stride = 0;  ///< number of floats from one panel to the next

  /// Returns one element. Too slow for inner loops.
  float at(int row, int column) const {
    return data[column / kPanelColumns * panel_stride +
                static_cast<std::ptrdiff_t>(row) * kPanelColumns + column % kPanelColumns];
  }
  /// Returns `count` columns from `first` on, where `first` is a multiple of kPanelColumns.
  Panels slice_columns(int first, int count) const {
    return {data + first / kPanelColumns * panel_stride, inner, count, panel_stride};
  }
  Panels slice_rows(int first, int count) const {
    return {data + static_cast<std::ptrdiff_t>(first) * kPanelColumns, count, columns,
            panel_stride};
  }
};

inline Panels make_panels(const float* data, int inner, int columns) {
  return {data, inner, columns, static_cast<std::ptrdiff_t>(inner) * kPanelColumns};
}
/// The number of floats in a packed matrix (inner, columns), including padding.
std::size_t packed_size(int inner, int columns);
/// Packs b into a packed matrix (inner, b.columns), starting at row `first`. Fills the unused
/// columns of the last panel with 0.
void pack(const ConstMatrixRef& b, int first, int inner, float* panels);
/// Packs the rows of b as columns of a packed matrix with b.columns rows, starting at column
/// `first`. Columns must be packed in ascending order, because packing the first column of a panel,
/// but not its last, sets the other columns to 0.
void pack_transposed(const ConstMatrixRef& b, int first, float* panels);
/// Writes the transpose of `from` to `to`. The matrices must not overlap.
void transpose(const ConstMatrixRef& from, const MatrixRef& to);

// clang-format off
#define PHASOR_KERNELS \
  /** c (rows, columns) = scale * a (rows, inner) . b (inner, columns) */ \
  void product(const ConstMatrixRef& a, const Panels& b, float scale, const MatrixRef& c); \
  /** c (rows, columns) += a (rows, inner) . b (inner, columns) */ \
  void accumulate(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c); \
  /** The largest of row[0..n). */ \
  float row_max(const float* row, int n); \
  /** row[i] = e^(row[i] - row_max) for i in [0, n), where no row[i] exceeds row_max; returns the */ \
  /** sum. The result of -infinity, and of scores more than 69 below row_max (1e-30), is 0. */ \
  double exp_and_sum(float* row, int n, float row_max); \
  /** row[i] = cap * tanh(row[i] / cap) */ \
  void softcap(float* row, int n, float cap); \
  /** Rotates each pair (row[2t], row[2t+1]) by the angle with cosine[t] and sine[t]. */ \
  void rotate_interleaved(float* row, const float* cosine, const float* sine, int pairs); \
  /** Rotates each pair (row[t], row[t+pairs]). */ \
  void rotate_half_split(float* row, const float* cosine, const float* sine, int pairs);
// clang-format on

namespace scalar {
PHASOR_KERNELS
}
namespace simd {
PHASOR_KERNELS
}
#undef PHASOR_KERNELS

/// Multiplies d_row[i] by the derivative of the soft cap, 1 - (capped_row[i] / cap)^2. capped_row
/// contains the capped scores.
void softcap_backward(float* d_row, const float* capped_row, int n, float cap);

#if PHASOR_SIMD
namespace active = simd;
#else
namespace active = scalar;
#endif

// Weights below 1e-30 times the largest weight become 0. Otherwise their products would be denormal
// numbers, which are a hundred times slower and do not change a float32 output.
inline constexpr float kMinWeightLogit = -69.0f;

}  // namespace phasor::kernels
