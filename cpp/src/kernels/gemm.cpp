#include "kernels/gemm.h"

#include <algorithm>
#include <cstdlib>

#include "kernels/attention_kernels.h"
#include "kernels/vector_ops.h"

namespace phasor::kernels {

namespace {

Buffer copy_operand(Transpose op, float factor, const ConstMatrixRef& m) {
  Buffer out(static_cast<std::size_t>(m.rows) * static_cast<std::size_t>(m.columns));
  if (op == Transpose::yes) {
    const MatrixRef to{out.data(), m.columns, m.rows, m.rows};
    transpose(m, to);
    for (int r = 0; r < to.rows && factor != 1; ++r) multiply(to.row(r), factor, to.columns);
    return out;
  }
  for (int r = 0; r < m.rows; ++r) {
    float* to = out.data() + static_cast<std::ptrdiff_t>(r) * m.columns;
    for (int c = 0; c < m.columns; ++c) to[c] = factor * m.row(r)[c];
  }
  return out;
}

}  // namespace

Panels PackedMatrix::pack(Transpose op, const ConstMatrixRef& m) {
  const bool is_transposed = op == Transpose::yes;
  inner_ = is_transposed ? m.columns : m.rows;
  columns_ = is_transposed ? m.rows : m.columns;
  const std::size_t size = packed_size(inner_, columns_);
  if (buffer_.size() < size) buffer_ = Buffer(size);
  if (is_transposed)
    pack_transposed(m, 0, buffer_.data());
  else
    kernels::pack(m, 0, inner_, buffer_.data());
  return *this;
}

void gemm(Transpose op, float alpha, const ConstMatrixRef& a, const Panels& b, float beta,
          const MatrixRef& c) {
  const bool is_transposed = op == Transpose::yes, adds_to_c = beta != 0;
  if ((is_transposed ? a.columns : a.rows) != c.rows ||
      (is_transposed ? a.rows : a.columns) != b.inner || b.columns != c.columns)
    std::abort();
  // a must be copied if it is transposed, or if it must be multiplied by alpha before the result is
  // added to c.
  Buffer left_copy;
  ConstMatrixRef left = a;
  if (is_transposed || (adds_to_c && alpha != 1)) {
    left_copy = copy_operand(op, adds_to_c ? alpha : 1, a);
    left = {left_copy.data(), c.rows, b.inner, b.inner};
  }
  if (!adds_to_c) return active::product(left, b, alpha, c);
  for (int r = 0; r < c.rows && beta != 1; ++r) multiply(c.row(r), beta, c.columns);
  active::accumulate(left, b, c);
}

void accumulate_in_chunks(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c) {
  attention_kernels(IsaLevel::portable).accumulate_in_chunks(a, b, c);
}

double matrix_bytes(double rows, double columns) { return sizeof(float) * rows * columns; }
double packed_matrix_bytes(double rows, double columns) {
  return matrix_bytes(rows + kPanelColumns, columns + kPanelColumns);
}

void gemm(Transpose op_a, Transpose op_b, float alpha, const ConstMatrixRef& a,
          const ConstMatrixRef& b, float beta, const MatrixRef& c) {
  gemm(op_a, alpha, a, PackedMatrix(op_b, b), beta, c);
}

Tensor gemm(float alpha, const ConstMatrixRef& a, const Panels& b) {
  Tensor c({a.rows, b.columns});
  gemm(Transpose::no, alpha, a, b, 0, matrix(c));
  return c;
}

}  // namespace phasor::kernels
