#pragma once
// DeBERTa's learned table of projected relative positions, one per head, and its products with
// queries or keys.

#include <vector>

#include "kernels/gemm.h"
#include "phasor/encoding.h"

namespace phasor {

struct RelativePositionTable {
  RelativePositionTable(const char* name, Tensor value) : parameter{name, std::move(value)} {}

  bool empty() const { return parameter.empty(); }

  /// Must be called after every change of the parameter.
  Status pack();

  /// Returns scale * tokens . table^T for rows [begin, end) of the table of tile.head. `begin` must
  /// be a multiple of the panel width. tokens (n, dim) -> (n, end - begin)
  Tensor multiply_rows(const ContentTile& tile, const ConstMatrixRef& tokens, int begin,
                       int end) const;
  /// Backward pass of multiply_rows for the table rows from `first` on. `grads` (n, rows) must
  /// already include the scale. Adds to d_tokens and to the table's gradient.
  void product_backward(int head, const ConstMatrixRef& grads, const ConstMatrixRef& tokens,
                        int first, const MatrixRef& d_tokens);

  Parameter parameter;  ///< (heads, rows, dim), or empty if the term is disabled

 private:
  std::vector<kernels::PackedMatrix> packed_tables_;  // per head, the transposed table
};

}  // namespace phasor
