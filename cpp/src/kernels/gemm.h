#pragma once
// The product of two matrices: c = alpha op(a) op(b) + beta c, where op is the identity or the
// transpose. The right operand is packed for the kernels `product` and `accumulate`; a PackedMatrix
// is packed once for several products.

#include "core/buffer.h"
#include "kernels/isa.h"
#include "kernels/kernels.h"

namespace phasor::kernels {

enum class Transpose { no, yes };

/// A packed matrix, used as the right operand of products.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  PackedMatrix(Transpose op, const ConstMatrixRef& m) { pack(op, m); }

  /// Packs op(m) into the existing memory, or into new memory if that is too small.
  Panels pack(Transpose op, const ConstMatrixRef& m);
  /// The matrix that was packed last.
  operator Panels() const { return make_panels(buffer_.data(), inner_, columns_); }

 private:
  Buffer buffer_;
  int inner_ = 0, columns_ = 0;
};

/// c (rows, columns) = alpha op(a) (rows, inner) . b (inner, columns) + beta c. With beta = 0, c is
/// not read. c must not overlap a or b. Aborts on inconsistent sizes.
void gemm(Transpose op, float alpha, const ConstMatrixRef& a, const Panels& b, float beta,
          const MatrixRef& c);
/// c = alpha op_a(a) op_b(b) + beta c, with a right operand that is not reused.
void gemm(Transpose op_a, Transpose op_b, float alpha, const ConstMatrixRef& a,
          const ConstMatrixRef& b, float beta, const MatrixRef& c);
/// alpha a (rows, inner) . b (inner, columns) as a new tensor (rows, columns).
Tensor gemm(float alpha, const ConstMatrixRef& a, const Panels& b);

/// Working memory for the matrix products of one thread. It grows to the size of the largest
/// product, at most 0.8 MB.
class Workspace {
 public:
  /// Aborts if the level does not run here. The default level has the same bits on every machine;
  /// training, which need not be reproducible, uses best_level().
  explicit Workspace(IsaLevel level = IsaLevel::portable);
  IsaLevel level() const { return level_; }

  /// Memory for `size` numbers of an operand, valid for one product.
  float* left_memory(std::size_t size) { return reserve(left_, size); }
  float* right_memory(std::size_t size) { return reserve(right_, size); }

 private:
  static float* reserve(Buffer& buffer, std::size_t size);

  IsaLevel level_;
  Buffer left_, right_;
};

/// c (rows, columns) = alpha op_a(a) (rows, inner) . op_b(b) (inner, columns) + beta c, for any
/// sizes and strides. With beta = 0, c is not read. c must not overlap a or b. NaN and infinity
/// propagate as in plain sums. Aborts on inconsistent sizes. Sums are computed 256 terms at a time,
/// then added. At IsaLevel::portable an element has the same bits on every machine and in any
/// matrix, except that one to four rows times a transposed b are summed in another order than more
/// rows.
void gemm(Workspace& workspace, Transpose op_a, Transpose op_b, float alpha,
          const ConstMatrixRef& a, const ConstMatrixRef& b, float beta, const MatrixRef& c);

/// c += a b, summing 256 terms at a time, because a longer sum in float32 loses more digits
/// (docs/reliability.md).
void accumulate_in_chunks(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c);

/// Bytes of a matrix (rows, columns), and an upper bound for its packed copy, transposed or not.
double matrix_bytes(double rows, double columns);
double packed_matrix_bytes(double rows, double columns);

/// `count` columns of a matrix from `first` on.
template <class T>
MatrixView<T> columns_of(MatrixView<T> m, int first, int count) {
  return {m.data + first, m.rows, count, m.stride};
}

}  // namespace phasor::kernels
