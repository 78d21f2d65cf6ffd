#include <algorithm>

#include "kernels/kernels.h"

namespace phasor::kernels {

namespace {

int panel_count(int columns) { return (columns + kPanel - 1) / kPanel; }

}  // namespace

std::size_t packed_size(int inner, int columns) {
  return static_cast<std::size_t>(panel_count(columns)) * kPanel * static_cast<std::size_t>(inner);
}

void pack(ConstMatrixRef b, int first, int inner, float* panels) {
  for (int c0 = 0; c0 < b.columns; c0 += kPanel, panels += static_cast<std::ptrdiff_t>(inner) * kPanel) {
    const int live = std::min(kPanel, b.columns - c0);
    float* to = panels + static_cast<std::ptrdiff_t>(first) * kPanel;
    for (int r = 0; r < b.rows; ++r, to += kPanel) {
      std::copy_n(b.row(r) + c0, live, to);
      std::fill(to + live, to + kPanel, 0.0f);
    }
  }
}

void pack_transposed(ConstMatrixRef b, int first, float* panels) {
  const std::ptrdiff_t step = static_cast<std::ptrdiff_t>(b.columns) * kPanel;
  for (int r = 0; r < b.rows; ++r) {
    const int column = first + r;
    float* to = panels + column / kPanel * step + column % kPanel;
    const float* from = b.row(r);
    for (int i = 0; i < b.columns; ++i) to[static_cast<std::ptrdiff_t>(i) * kPanel] = from[i];
  }
  const int used = (first + b.rows) % kPanel;
  if (used == 0) return;
  float* last = panels + (first + b.rows) / kPanel * step;
  for (int i = 0; i < b.columns; ++i) std::fill(last + i * kPanel + used, last + (i + 1) * kPanel, 0.0f);
}

}  // namespace phasor::kernels
