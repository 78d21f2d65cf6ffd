#include <algorithm>

#include "kernels/kernels.h"
#include "kernels/simd.h"

namespace phasor::kernels {

namespace {

int panel_count(int columns) { return (columns + kPanelColumns - 1) / kPanelColumns; }

// Transposes four rows of `count` floats into four adjacent columns. Rows of the result are `step`
// floats apart. Not inlined, to keep its callers small.
[[gnu::noinline]] void transpose_four(const float* from, std::ptrdiff_t stride, int count,
                                      float* to, std::ptrdiff_t step) {
  int i = 0;
#if PHASOR_SIMD
  for (; i + kLanes <= count; i += kLanes, to += kLanes * step) {
    const f32x4 a = load(from + i), b = load(from + stride + i), c = load(from + 2 * stride + i),
                d = load(from + 3 * stride + i);
    const f32x4 ab_low = __builtin_shufflevector(a, b, 0, 4, 1, 5),
                ab_high = __builtin_shufflevector(a, b, 2, 6, 3, 7);
    const f32x4 cd_low = __builtin_shufflevector(c, d, 0, 4, 1, 5),
                cd_high = __builtin_shufflevector(c, d, 2, 6, 3, 7);
    store(to, __builtin_shufflevector(ab_low, cd_low, 0, 1, 4, 5));
    store(to + step, __builtin_shufflevector(ab_low, cd_low, 2, 3, 6, 7));
    store(to + 2 * step, __builtin_shufflevector(ab_high, cd_high, 0, 1, 4, 5));
    store(to + 3 * step, __builtin_shufflevector(ab_high, cd_high, 2, 3, 6, 7));
  }
#endif
  for (; i < count; ++i, to += step) {
    for (int r = 0; r < kLanes; ++r) to[r] = from[r * stride + i];
  }
}

}  // namespace

std::size_t packed_size(int inner, int columns) {
  return static_cast<std::size_t>(panel_count(columns)) * kPanelColumns *
         static_cast<std::size_t>(inner);
}

void pack(const ConstMatrixRef& b, int first, int inner, float* panels) {
  for (int c0 = 0; c0 < b.columns;
       c0 += kPanelColumns, panels += static_cast<std::ptrdiff_t>(inner) * kPanelColumns) {
    const int columns = std::min(kPanelColumns, b.columns - c0);
    float* to = panels + static_cast<std::ptrdiff_t>(first) * kPanelColumns;
    for (int r = 0; r < b.rows; ++r, to += kPanelColumns) {
      const float* from = b.row(r) + c0;
      if (columns == kPanelColumns) {
        // Compilers inline a memcpy of constant size.
        __builtin_memcpy(to, from, kPanelColumns * sizeof(float));
        continue;
      }
      std::copy_n(from, columns, to);
      std::fill(to + columns, to + kPanelColumns, 0.0f);
    }
  }
}

void pack_transposed(const ConstMatrixRef& b, int first, float* panels) {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(b.columns) * kPanelColumns;
  const int end = first + b.rows, last_panel_begin = end / kPanelColumns * kPanelColumns;
  // Zeroes the last panel if it begins among these columns but is not filled by them, so that its
  // unused columns are 0.
  if (first <= last_panel_begin && last_panel_begin < end)
    std::fill_n(panels + last_panel_begin / kPanelColumns * step, step, 0.0f);
  for (int r = 0; r < b.rows;) {
    const int column = first + r;
    float* to = panels + column / kPanelColumns * step + column % kPanelColumns;
    if (column % kLanes == 0 && r + kLanes <= b.rows) {
      transpose_four(b.row(r), b.stride, b.columns, to, kPanelColumns);
      r += kLanes;
      continue;
    }
    const float* from = b.row(r++);
    for (int i = 0; i < b.columns; ++i)
      to[static_cast<std::ptrdiff_t>(i) * kPanelColumns] = from[i];
  }
}

void transpose(const ConstMatrixRef& from, const MatrixRef& to) {
  // Sixteen rows of `from` fill one cache line of `to`. The lines of 128 columns stay in the L1
  // cache until they are full.
  constexpr int kBlockRows = 16, kBlockColumns = 128;
  for (int r0 = 0; r0 < from.rows; r0 += kBlockRows) {
    const int end = std::min(r0 + kBlockRows, from.rows);
    for (int c0 = 0; c0 < from.columns; c0 += kBlockColumns) {
      const int count = std::min(kBlockColumns, from.columns - c0);
      int r = r0;
      for (; r + kLanes <= end; r += kLanes)
        transpose_four(from.row(r) + c0, from.stride, count, to.row(c0) + r, to.stride);
      for (; r < end; ++r) {
        for (int c = c0; c < c0 + count; ++c) to.row(c)[r] = from.row(r)[c];
      }
    }
  }
}

}  // namespace phasor::kernels
