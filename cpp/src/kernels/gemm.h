#pragma once
// The product of two matrices: c = alpha op(a) op(b) + beta c, where op is nothing or the
// transpose. Its right side is packed, once where it is multiplied often; underneath are the
// kernels `product` and `accumulate`.

#include "core/buffer.h"
#include "kernels/isa.h"
#include "kernels/kernels.h"

namespace phasor::kernels {

enum class Transpose { no, yes };

/// A matrix as the right side of products.
class PackedMatrix {
 public:
  PackedMatrix() = default;
  PackedMatrix(Transpose op, const ConstMatrixRef& m) { pack(op, m); }

  /// Packs op(m) into the memory it has, or into more if that is too small.
  Panels pack(Transpose op, const ConstMatrixRef& m);
  /// The last packed matrix.
  operator Panels() const { return panels_; }

 private:
  Buffer buffer_;
  Panels panels_;
};

/// c (rows, columns) = alpha op(a) (rows, inner) . b (inner, columns) + beta c. With beta 0 c is
/// not read. c is apart from a and b. Sizes that disagree end the program.
void gemm(Transpose op, float alpha, const ConstMatrixRef& a, const Panels& b, float beta,
          const MatrixRef& c);
/// The same with a right side that is used once: c = alpha op_a(a) op_b(b) + beta c.
void gemm(Transpose op_a, Transpose op_b, float alpha, const ConstMatrixRef& a,
          const ConstMatrixRef& b, float beta, const MatrixRef& c);
/// alpha a (rows, inner) . b (inner, columns) as a new tensor (rows, columns).
Tensor gemm(float alpha, const ConstMatrixRef& a, const Panels& b);

/// The memory of a product of any size beside its matrices, made once and used for any number of
/// products, by one thread at a time: how it is computed, and memory for copies. The memory grows
/// to what the largest product needs, 0.8 MB at most, and from then on no call allocates.
class Workspace {
 public:
  /// A level that does not run here ends the program. By default a sum has the same bits on every
  /// machine; what need not repeat elsewhere, such as training, takes widest_level().
  explicit Workspace(Level level = Level::portable);
  Level level() const { return level_; }

  /// Room for so many numbers of each side, for the length of a product.
  float* left(std::size_t size) { return room(left_, size); }
  float* right(std::size_t size) { return room(right_, size); }

 private:
  static float* room(Buffer& buffer, std::size_t size);

  Level level_;
  Buffer left_, right_;
};

/// c (rows, columns) = alpha op_a(a) (rows, inner) . op_b(b) (inner, columns) + beta c, for any
/// sizes and strides: cut to the caches, packed only where that pays. With beta 0 c is not read. c
/// is apart from a and b. NaN and infinity come through as in sums written out. Sizes that disagree
/// end the program.
///
/// Sums are formed 256 terms at a time, then added. At Level::portable a number has the same bits
/// on every machine and whatever is beside it, except that one to four rows by a transposed b
/// are summed in another order than more.
void gemm(Workspace& workspace, Transpose op_a, Transpose op_b, float alpha,
          const ConstMatrixRef& a, const ConstMatrixRef& b, float beta, const MatrixRef& c);

/// c += a b, 256 terms of each sum at a time: a longer sum in float32 would lose more digits
/// (docs/reliability.md).
void accumulate_in_stretches(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c);

/// Bytes of a matrix (rows, columns), and at most of its copy as the right side of a product,
/// transposed or not.
double matrix_bytes(double rows, double columns);
double packed_matrix_bytes(double rows, double columns);

/// `count` columns of a matrix from `first` on.
template <class T>
MatrixView<T> columns_of(MatrixView<T> m, int first, int count) {
  return {m.data + first, m.rows, count, m.stride};
}

}  // namespace phasor::kernels
