#pragma once
// Computes matrix products c = alpha op(a) op(b) + beta c, where op is the identity or the
// transpose. The right operand is packed for the kernels `product` and `accumulate`. A PackedMatrix
// can be reused for several products.

#include "core/buffer.h"
#include "kernels/isa.h"
#include "kernels/kernels.h"

namespace phasor::kernels {

enum class Transpose { no, yes };

class PackedMatrix {
 public:
  PackedMatrix() = default;
  PackedMatrix(Transpose op, const ConstMatrixRef& m) { pack(op, m); }

  /// Packs op(m). Allocates memory only if the existing memory is too small.
  Panels pack(Transpose op, const ConstMatrixRef& m);
  operator Panels() const { return make_panels(buffer_.data(), inner_, columns_); }

 private:
  Buffer buffer_;
  int inner_ = 0, columns_ = 0;
};

/// c (rows, columns) = alpha op(a) (rows, inner) . b (inner, columns) + beta c. If beta is 0, c is
/// not read. c must not overlap a or b. Aborts if the sizes do not match.
void gemm(Transpose op, float alpha, const ConstMatrixRef& a, const Panels& b, float beta,
          const MatrixRef& c);
/// c = alpha op_a(a) op_b(b) + beta c. Packs b for this product only.
void gemm(Transpose op_a, Transpose op_b, float alpha, const ConstMatrixRef& a,
          const ConstMatrixRef& b, float beta, const MatrixRef& c);
/// Returns alpha a (rows, inner) . b (inner, columns).
Tensor gemm(float alpha, const ConstMatrixRef& a, const Panels& b);

/// Scratch memory for matrix products on one thread. It grows to the size that the largest product
/// needs, at most 0.8 MB.
class Workspace {
 public:
  /// Aborts if this machine does not support the level. With the default level, results have the
  /// same bits on every machine. Training need not be reproducible and uses best_level().
  explicit Workspace(IsaLevel level = IsaLevel::portable);
  IsaLevel level() const { return level_; }

  /// Returns scratch memory for `size` floats of the left or right operand, valid for one product.
  float* left_memory(std::size_t size) { return reserve(left_, size); }
  float* right_memory(std::size_t size) { return reserve(right_, size); }

 private:
  static float* reserve(Buffer& buffer, std::size_t size);

  IsaLevel level_;
  Buffer left_, right_;
};

/// c (rows, columns) = alpha op_a(a) (rows, inner) . op_b(b) (inner, columns) + beta c, for any
/// sizes and strides. If beta is 0, c is not read. c must not overlap a or b. NaN and infinity
/// propagate as in plain sums. Aborts if the sizes do not match. Sums are computed 256 terms at a
/// time, then added. At IsaLevel::portable, an element has the same bits on every machine and in
/// any matrix, with one exception: for a transposed b, products of one to four rows are summed in
/// another order than products of more rows.
void gemm(Workspace& workspace, Transpose op_a, Transpose op_b, float alpha,
          const ConstMatrixRef& a, const ConstMatrixRef& b, float beta, const MatrixRef& c);

/// c += a b. Adds up 256 terms at a time, because a longer float32 sum loses more digits
/// (docs/reliability.md).
void accumulate_in_chunks(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c);

/// The size of a matrix (rows, columns) in bytes, and an upper bound on the size of its packed copy
/// or its packed transpose.
double matrix_bytes(double rows, double columns);
double packed_matrix_bytes(double rows, double columns);

template <class T>
MatrixView<T> columns_of(MatrixView<T> m, int first, int count) {
  return {m.data + first, m.rows, count, m.stride};
}

}  // namespace phasor::kernels
