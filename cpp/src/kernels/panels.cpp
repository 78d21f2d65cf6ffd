// The two matrix products of attention: scores = q k^T and output = weights v.

#include <algorithm>

#include "kernels/register_blocks.h"

namespace phasor::kernels {

namespace scalar {

namespace {

template <class Write>
void for_each_product(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c, Write write) {
  for (int r = 0; r < c.rows; ++r) {
    for (int column = 0; column < c.columns; ++column) {
      const float* panel =
          b.data + column / kPanelColumns * b.panel_stride + column % kPanelColumns;
      float total = 0;
      for (int i = 0; i < b.inner; ++i)
        total += a.row(r)[i] * panel[static_cast<std::ptrdiff_t>(i) * kPanelColumns];
      write(c.row(r)[column], total);
    }
  }
}

}  // namespace

void product(const ConstMatrixRef& a, const Panels& b, float scale, const MatrixRef& c) {
  for_each_product(a, b, c, [scale](float& out, float total) { out = scale * total; });
}

void accumulate(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c) {
  for_each_product(a, b, c, [](float& out, float total) { out += total; });
}

}  // namespace scalar

RegisterBlocks register_blocks = {
    register_block<1, BlockMode::set>, register_block<2, BlockMode::set>,
    register_block<1, BlockMode::add>, register_block<2, BlockMode::add>};

namespace simd {

namespace {

__attribute__((noinline)) void copy_rows(const float* from, std::ptrdiff_t from_stride, int rows,
                                         int columns, float* to, std::ptrdiff_t stride) {
  for (int r = 0; r < rows; ++r, from += from_stride, to += stride) std::copy_n(from, columns, to);
}

__attribute__((noinline)) void multiply_panels(BlockMode mode, const ConstMatrixRef& a,
                                               const Panels& b, float scale, const MatrixRef& c) {
  const bool adds_to_c = mode == BlockMode::add;
  const RegisterBlock one_row_block =
      adds_to_c ? register_blocks.add_1_row : register_blocks.set_1_row;
  const RegisterBlock two_row_block =
      adds_to_c ? register_blocks.add_2_rows : register_blocks.set_2_rows;
  for (int c0 = 0; c0 < c.columns; c0 += kPanelColumns) {
    const float* panel = b.data + c0 / kPanelColumns * b.panel_stride;
    const int columns = std::min(kPanelColumns, c.columns - c0);
    for (int r = 0; r < c.rows; r += 2) {
      const int rows = std::min(2, c.rows - r);
      const RegisterBlock kernel = rows == 2 ? two_row_block : one_row_block;
      if (columns == kPanelColumns) {
        kernel(a.row(r), a.stride, panel, b.inner, scale, c.row(r) + c0, c.stride);
        continue;
      }
      float edge[2 * kPanelColumns] = {};
      copy_rows(c.row(r) + c0, c.stride, rows, columns, edge, kPanelColumns);
      kernel(a.row(r), a.stride, panel, b.inner, scale, edge, kPanelColumns);
      copy_rows(edge, kPanelColumns, rows, columns, c.row(r) + c0, c.stride);
    }
  }
}

}  // namespace

void product(const ConstMatrixRef& a, const Panels& b, float scale, const MatrixRef& c) {
  multiply_panels(BlockMode::set, a, b, scale, c);
}
void accumulate(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c) {
  multiply_panels(BlockMode::add, a, b, 1, c);
}

}  // namespace simd

}  // namespace phasor::kernels
