// Packed panels and the one matrix product that attention needs: scores = q k^T and output = weights v.
// A panel holds 8 columns side by side, so the inner loop reads it as a stream; 4 rows share each load.

#include <algorithm>

#include "kernels/kernels.h"

namespace phasor::kernels {

namespace {

int panel_count(int columns) { return (columns + kPanel - 1) / kPanel; }

}  // namespace

std::size_t packed_size(int inner, int columns) {
  return static_cast<std::size_t>(panel_count(columns)) * kPanel * static_cast<std::size_t>(inner);
}

void pack(ConstMatrixRef b, float* panels) {
  for (int c0 = 0; c0 < b.columns; c0 += kPanel) {
    const int live = std::min(kPanel, b.columns - c0);
    for (int i = 0; i < b.rows; ++i, panels += kPanel) {
      const float* row = b.row(i) + c0;
      for (int c = 0; c < kPanel; ++c) panels[c] = c < live ? row[c] : 0.0f;
    }
  }
}

void pack_transposed(ConstMatrixRef b, float* panels) {
  for (int c0 = 0; c0 < b.rows; c0 += kPanel) {
    const int live = std::min(kPanel, b.rows - c0);
    for (int i = 0; i < b.columns; ++i, panels += kPanel) {
      for (int c = 0; c < kPanel; ++c) panels[c] = c < live ? b.row(c0 + c)[i] : 0.0f;
    }
  }
}

namespace scalar {

void product(ConstMatrixRef a, const float* packed, float scale, MatrixRef c) {
  for (int r = 0; r < c.rows; ++r) {
    for (int column = 0; column < c.columns; ++column) {
      const float* panel = packed + static_cast<std::ptrdiff_t>(column / kPanel) * kPanel * a.columns + column % kPanel;
      float total = 0;
      for (int i = 0; i < a.columns; ++i) total += a.row(r)[i] * panel[static_cast<std::ptrdiff_t>(i) * kPanel];
      c.row(r)[column] = scale * total;
    }
  }
}

}  // namespace scalar

namespace simd {

namespace {

// Rows r0 .. r0+Rows of c against one panel: 2 * Rows accumulators stay in registers.
template <int Rows>
void product_block(ConstMatrixRef a, int r0, const float* panel, int live, float scale, MatrixRef c, int c0) {
  f32x4 low[Rows] = {}, high[Rows] = {};
  const float* rows[Rows];
  for (int r = 0; r < Rows; ++r) rows[r] = a.row(r0 + r);
  for (int i = 0; i < a.columns; ++i) {
    const f32x4 left = load(panel + i * kPanel), right = load(panel + i * kPanel + kLanes);
    for (int r = 0; r < Rows; ++r) {
      const f32x4 x = splat(rows[r][i]);
      low[r] += x * left;
      high[r] += x * right;
    }
  }
  const f32x4 factor = splat(scale);
  for (int r = 0; r < Rows; ++r) {
    float* out = c.row(r0 + r) + c0;
    if (live == kPanel) {
      store(out, low[r] * factor);
      store(out + kLanes, high[r] * factor);
    } else {
      float edge[kPanel];
      store(edge, low[r] * factor);
      store(edge + kLanes, high[r] * factor);
      std::copy_n(edge, live, out);
    }
  }
}

}  // namespace

void product(ConstMatrixRef a, const float* packed, float scale, MatrixRef c) {
  for (int c0 = 0; c0 < c.columns; c0 += kPanel) {
    const float* panel = packed + static_cast<std::ptrdiff_t>(c0) * a.columns;
    const int live = std::min(kPanel, c.columns - c0);
    int r = 0;
    for (; r + 4 <= c.rows; r += 4) product_block<4>(a, r, panel, live, scale, c, c0);
    for (; r < c.rows; ++r) product_block<1>(a, r, panel, live, scale, c, c0);
  }
}

}  // namespace simd

}  // namespace phasor::kernels
