#pragma once
// Operations of other libraries around attention (projections, heads, layer norm), in double, so
// that a comparison concerns attention and positions only.

#include <vector>

#include "golden_case.h"

namespace golden {

class Matrix {
 public:
  Matrix() = default;
  Matrix(int rows, int columns)
      : rows_(rows),
        columns_(columns),
        data_(static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns)) {}
  int rows() const { return rows_; }
  int columns() const { return columns_; }
  const std::vector<double>& data() const { return data_; }
  double& at(int r, int c) {
    return data_[static_cast<std::size_t>(r) * static_cast<std::size_t>(columns_) +
                 static_cast<std::size_t>(c)];
  }
  double at(int r, int c) const { return const_cast<Matrix&>(*this).at(r, c); }

 private:
  int rows_ = 0, columns_ = 0;
  std::vector<double> data_;
};

/// An array of rank 2; empty for any other.
Matrix matrix_of(const Array& array);
phasor::Tensor tensor_of(const Matrix& m);
Matrix transpose(const Matrix& m);
/// Rows first .. first + count.
Matrix part(const Matrix& m, int first, int count);
/// The rows of a, then those of b.
Matrix below(const Matrix& a, const Matrix& b);
/// x w^T, as layers store their weights; empty when the dims differ.
Matrix product(const Matrix& x, const Matrix& w);
/// x w^T + offset
Matrix linear(const Matrix& x, const Matrix& w, const std::vector<double>& offset);
/// Layer norm without gain and offset.
void normalise_rows(Matrix& m, double eps);
/// (tokens, heads * head_dim) -> (heads, tokens, head_dim), in float32; an empty tensor when heads
/// do not divide the columns.
phasor::Tensor split_heads(const Matrix& m, int heads);
Matrix join_heads(const phasor::Tensor& t);

}  // namespace golden
