#pragma once
// A learned table of projected relative positions per head, and its products with queries or keys,
// as in DeBERTa.

#include <vector>

#include "kernels/gemm.h"
#include "phasor/encoding.h"

namespace phasor {

struct RelativePositionTable {
  RelativePositionTable(const char* name, Tensor value) : parameter{name, std::move(value)} {}

  bool empty() const { return parameter.empty(); }

  /// Must be called after every change of the parameter.
  Status pack();

  /// scale * tokens . table^T for rows [first, last) of a head's table; `first` must start a panel.
  /// tokens (n, dim) -> (n, last - first)
  Tensor products(const ContentTile& tile, const ConstMatrixRef& tokens, int first, int last) const;
  /// The backward pass of tokens . rows^T for the table rows from `first` on. Adds to d_tokens and
  /// to the gradient of the table. grads (n, rows)
  void product_backward(int head, const ConstMatrixRef& grads, const ConstMatrixRef& tokens,
                        int first, const MatrixRef& d_tokens);

  Parameter parameter;  ///< (heads, rows, dim); empty: the term is disabled

 private:
  std::vector<kernels::PackedMatrix> packed_;  // per head, the transposed table
};

}  // namespace phasor
