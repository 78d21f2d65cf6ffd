// Matrix products in blocks that fit the caches, after Goto and van de Geijn 2008 (Anatomy of
// High-Performance Matrix Multiplication). Unlike in the paper, the left operand is not packed,
// because kernels load only one of its elements per 16 to 64 multiplications.

#include <algorithm>
#include <cstdlib>
#include <cstring>

#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "kernels/wide.h"

namespace phasor::kernels {

namespace {

// A block of the right operand (kBlockInner, kBlockColumns) fits into the L2 cache, and so does a
// block of the left operand (kBlockRows, kBlockInner). Sums in float32 are limited to 256 terms for
// accuracy (docs/reliability.md).
constexpr int kBlockInner = 256, kBlockColumns = 512, kBlockRows = 192;
// For matrices with at most this many rows, packing the right operand takes longer than it saves.
constexpr int kMaxDotRows = 4, kMaxDirectRows = 32;

// Returns the row stride of a copy. It is an odd number of cache lines, so that the rows of a block
// are in different cache sets.
int padded_stride(int columns) { return (columns + 31) / 32 * 32 + 16; }

struct Product {
  Workspace& workspace;
  const WideKernels& kernels;
  Transpose op_a, op_b;
  float alpha;
  ConstMatrixRef a, b;
  MatrixRef c;

  // Returns rows [row, row + rows) and terms [first, first + inner) of op_a(a), copied if
  // necessary.
  LeftOperand read_left(int row, int rows, int first, int inner, bool adds_to_c) const {
    const bool is_transposed = op_a == Transpose::yes;
    const std::ptrdiff_t row_step = is_transposed ? 1 : a.stride,
                         column_step = is_transposed ? a.stride : 1;
    const float* data = a.data + row * row_step + first * column_step;
    const bool can_read_in_place =
        kernels.supports_any_left_stride || (column_step == 1 && !(adds_to_c && alpha != 1));
    if (can_read_in_place && !has_set_conflicts()) return {data, row_step, column_step};
    const ConstMatrixRef operand{data, is_transposed ? inner : rows, is_transposed ? rows : inner,
                                 a.stride};
    return copy_left(operand, is_transposed && !kernels.supports_any_left_stride,
                     adds_to_c && !kernels.supports_any_left_stride);
  }

  // If rows begin at multiples of 2048 bytes, they share one or two sets of the L1 cache and evict
  // each other before they are reused. For many columns it is faster to copy them with another
  // stride.
  bool has_set_conflicts() const {
    return kernels.supports_any_left_stride && a.stride % 512 == 0 && c.columns > 64;
  }

  LeftOperand copy_left(const ConstMatrixRef& operand, bool is_transposed,
                        bool applies_alpha) const {
    const int rows = is_transposed ? operand.columns : operand.rows,
              columns = is_transposed ? operand.rows : operand.columns,
              stride = padded_stride(columns);
    const MatrixRef to{
        workspace.left_memory(static_cast<std::size_t>(rows) * static_cast<std::size_t>(stride)),
        rows, columns, stride};
    if (is_transposed) transpose(operand, to);
    for (int r = 0; r < rows; ++r) {
      if (!is_transposed) std::copy_n(operand.row(r), columns, to.row(r));
      if (applies_alpha) multiply(to.row(r), alpha, columns);
    }
    const bool is_column_major = op_a == Transpose::yes && !is_transposed;
    return {to.data, is_column_major ? 1 : stride, is_column_major ? stride : 1};
  }

  // Packs terms [first, first + inner) and columns [column, column + columns) of op_b(b).
  RightOperand pack_right(int first, int inner, int column, int columns) const {
    float* to = workspace.right_memory(packed_size(inner, columns));
    if (op_b == Transpose::yes)
      pack_transposed({b.row(column) + first, columns, inner, b.stride}, 0, to);
    else
      pack({b.row(first) + column, inner, columns, b.stride}, 0, inner, to);
    return {to, kPanelColumns, static_cast<std::ptrdiff_t>(inner) * kPanelColumns};
  }

  void run(bool adds_to_c) const {
    const int inner = op_a == Transpose::yes ? a.rows : a.columns;
    const bool is_direct = op_b == Transpose::no && c.rows <= max_direct_rows();
    for (int column = 0, columns = 0; column < c.columns; column += columns) {
      columns = std::min(kBlockColumns, c.columns - column);
      // Whole panels are read in place. The columns of an incomplete last panel are packed, because
      // reading a whole panel there could read past the end of b.
      if (is_direct && columns >= kPanelColumns) columns -= columns % kPanelColumns;
      for (int first = 0; first < inner; first += kBlockInner) {
        const int terms = std::min(kBlockInner, inner - first);
        const RightOperand right =
            is_direct && columns >= kPanelColumns
                ? RightOperand{b.row(first) + column, b.stride, kPanelColumns}
                : pack_right(first, terms, column, columns);
        const bool adds_block = adds_to_c || first > 0;
        for (int row = 0; row < c.rows; row += kBlockRows) {
          const int rows = std::min(kBlockRows, c.rows - row);
          kernels.multiply(read_left(row, rows, first, terms, adds_block), right, terms,
                           adds_block && !kernels.supports_any_left_stride ? 1 : alpha, adds_block,
                           {c.row(row) + column, rows, columns, c.stride});
        }
      }
    }
  }

  int max_direct_rows() const { return kernels.supports_any_left_stride ? kMaxDirectRows : 1; }

  // Computes each element of c as a dot product. Used if b is transposed and c has few rows.
  void run_dots(bool adds_to_c) const {
    if (op_a == Transpose::no) return kernels.multiply_transposed(a, b, alpha, adds_to_c, c);
    const MatrixRef transposed_a{workspace.left_memory(static_cast<std::size_t>(a.rows) *
                                                       static_cast<std::size_t>(a.columns)),
                                 a.columns, a.rows, a.rows};
    transpose(a, transposed_a);
    kernels.multiply_transposed(transposed_a, b, alpha, adds_to_c, c);
  }
};

}  // namespace

Workspace::Workspace(IsaLevel level) : level_(level) { wide_kernels(level); }

float* Workspace::reserve(Buffer& buffer, std::size_t size) {
  if (buffer.size() < size) buffer = Buffer(size);
  return buffer.data();
}

void gemm(Workspace& workspace, Transpose op_a, Transpose op_b, float alpha,
          const ConstMatrixRef& a, const ConstMatrixRef& b, float beta, const MatrixRef& c) {
  const bool is_a_transposed = op_a == Transpose::yes, is_b_transposed = op_b == Transpose::yes;
  const int inner = is_a_transposed ? a.rows : a.columns;
  if ((is_a_transposed ? a.columns : a.rows) != c.rows ||
      (is_b_transposed ? b.columns : b.rows) != inner ||
      (is_b_transposed ? b.rows : b.columns) != c.columns)
    std::abort();
  if (beta == 0 && inner == 0) {
    for (int r = 0; r < c.rows; ++r) fill(c.row(r), 0, c.columns);
  }
  for (int r = 0; r < c.rows && beta != 0 && beta != 1; ++r) multiply(c.row(r), beta, c.columns);
  const Product product{workspace, wide_kernels(workspace.level()), op_a, op_b, alpha, a, b, c};
  // run_dots copies a transposed left operand into the workspace, so it must fit there.
  if (is_b_transposed && c.rows <= kMaxDotRows &&
      (!is_a_transposed || inner <= kBlockInner * kBlockRows / kMaxDotRows))
    return product.run_dots(beta != 0);
  product.run(beta != 0);
}

}  // namespace phasor::kernels
