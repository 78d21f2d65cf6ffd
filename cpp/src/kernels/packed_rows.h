#pragma once
// The rows of a small matrix, packed once so that many vectors can be multiplied with all of them.

#include <vector>

#include "kernels/kernels.h"

namespace phasor::kernels {

class PackedRows {
 public:
  PackedRows() = default;
  explicit PackedRows(ConstMatrixRef rows) : inner_(rows.columns), rows_(rows.rows), panels_(packed_size(rows.columns, rows.rows)) {
    pack_transposed(rows, 0, panels_.data());
  }

  /// x (n, columns) -> scale * x . rows, (n, rows)
  Tensor dot(ConstMatrixRef x, float scale = 1) const {
    Tensor out({x.rows, rows_});
    active::product(x, panels(panels_.data(), inner_, rows_), scale, matrix(out));
    return out;
  }

  /// The same for rows [first, last) only: columns [first, last) of out (n, rows) are right, neighbours may be overwritten.
  void dot(ConstMatrixRef x, float scale, int first, int last, MatrixRef out) const {
    const int from = first / kPanel * kPanel;
    active::product(x, panels(panels_.data(), inner_, rows_).columns_from(from, last - from), scale,
                    {out.data + from, out.rows, last - from, out.stride});
  }

 private:
  int inner_ = 0, rows_ = 0;
  std::vector<float> panels_;
};

}  // namespace phasor::kernels
