#pragma once
// Owning tensors and non-owning matrix views. The data is row-major float32, and sizes are int.

#include <cstddef>
#include <cstdlib>
#include <initializer_list>
#include <span>
#include <utility>
#include <vector>

#include "phasor/result.h"

namespace phasor {

/// Returns the product of the extents, or the largest size_t if the product does not fit in a
/// size_t (32 bits in WebAssembly) or an extent is negative.
std::size_t numel(std::span<const int> shape);

/// Adds a leading axis of this size: (extents) -> (size, extents).
std::vector<int> prepend_dim(int size, std::span<const int> extents);

/// A row-major array that owns its data. `data.size() == numel(shape)`.
struct Tensor {
  std::vector<int> shape;
  std::vector<float> data;

  Tensor() = default;
  /// A tensor of zeros. Negative extents or insufficient memory end the program with a message;
  /// zeros() returns an error instead.
  explicit Tensor(const std::initializer_list<int>& extents);
  explicit Tensor(std::vector<int> extents);
  /// A tensor with these values. Functions that accept a tensor check that the number of values
  /// matches the shape.
  Tensor(std::vector<int> extents, std::vector<float> values);
  // Defined out of line: inlining would grow the WebAssembly by a tenth, because tensors are
  // constructed, moved and destroyed in hundreds of places.
  Tensor(const Tensor& other);
  Tensor(Tensor&& other) noexcept;
  Tensor& operator=(const Tensor& other);
  Tensor& operator=(Tensor&& other) noexcept;
  ~Tensor();

  int rank() const { return static_cast<int>(shape.size()); }
  bool empty() const { return data.empty(); }
};

/// A tensor of zeros. Rejects negative extents, and arrays larger than 1 GiB or than the available
/// memory.
Result<Tensor> zeros(std::vector<int> shape);

/// True if this many bytes and some working memory can be allocated now. Large allocations are
/// checked in advance, because a failed allocation ends the program. `bytes` is a double, because a
/// 32-bit size_t could overflow.
bool can_allocate(double bytes);

/// A non-owning view of a matrix; row r starts at data + r * stride.
template <class T>
struct MatrixView {
  T* data = nullptr;
  int rows = 0;
  int columns = 0;
  int stride = 0;

  T* row(int r) const { return data + static_cast<std::ptrdiff_t>(r) * stride; }
  operator MatrixView<const T>() const { return {data, rows, columns, stride}; }
};

using MatrixRef = MatrixView<float>;
using ConstMatrixRef = MatrixView<const float>;

/// Rows [first, first + count) of a matrix.
template <class T>
MatrixView<T> rows_of(MatrixView<T> m, int first, int count) {
  return {m.row(first), count, m.columns, m.stride};
}

/// A view of a rank-2 tensor, or of slice `slice` along the first axis of a rank-3 tensor. Ends the
/// program if the rank is below 2.
inline MatrixRef matrix(Tensor& t, int slice = 0) {
  if (t.shape.size() < 2) std::abort();
  const int rows = t.shape[t.shape.size() - 2], columns = t.shape.back();
  return {t.data.data() + static_cast<std::size_t>(slice) * static_cast<std::size_t>(rows) *
                              static_cast<std::size_t>(columns),
          rows, columns, columns};
}
inline ConstMatrixRef matrix(const Tensor& t, int slice = 0) {
  return matrix(const_cast<Tensor&>(t), slice);
}

}  // namespace phasor
