#pragma once
// Operations around attention (projections, heads, layer norm) in double, so that comparisons with
// other libraries concern attention and positions only.

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

/// The matrix of an array of rank 2; empty for other ranks.
Matrix matrix_of(const Array& array);
phasor::Tensor tensor_of(const Matrix& m);
Matrix transpose(const Matrix& m);
/// Rows first to first + count - 1.
Matrix slice_rows(const Matrix& m, int first, int count);
/// The rows of a, then those of b.
Matrix concatenate_rows(const Matrix& a, const Matrix& b);
/// x w^T, with weights as layers store them; empty if the dims differ.
Matrix product(const Matrix& x, const Matrix& w);
/// x w^T + offset
Matrix linear(const Matrix& x, const Matrix& w, const std::vector<double>& offset);
/// Applies layer norm without gain and offset.
void normalise_rows(Matrix& m, double eps);
/// (tokens, heads * head_dim) -> (heads, tokens, head_dim) in float32; empty if `heads` does not
/// divide the columns.
phasor::Tensor split_heads(const Matrix& m, int heads);
Matrix join_heads(const phasor::Tensor& t);

}  // namespace golden
