#pragma once
// A trained table of projected relative positions, one per head, and its products with queries or
// keys, as in DeBERTa.

#include <vector>

#include "kernels/gemm.h"
#include "phasor/encoding.h"

namespace phasor {

struct RelativePositionTable {
  RelativePositionTable(const char* name, Tensor value) : parameter{name, std::move(value)} {}

  bool empty() const { return parameter.empty(); }

  /// Must be called after every change of the values.
  Status pack();

  /// scale * tokens . table^T for the rows [first, last) of the table of a head, where `first`
  /// starts a panel. tokens (n, dim) -> (n, last - first)
  Tensor products(const ContentTile& tile, const ConstMatrixRef& tokens, int first, int last) const;
  /// The backward pass of slopes . (tokens . rows^T), rows of the table from `first` on: adds to
  /// d_tokens and to the gradient of the table. slopes (n, rows)
  void product_backward(int head, const ConstMatrixRef& slopes, const ConstMatrixRef& tokens,
                        int first, const MatrixRef& d_tokens);

  Parameter parameter;  ///< (heads, rows, dim); empty: there is no such table

 private:
  std::vector<kernels::PackedMatrix> packed_;  // the table of each head, transposed
};

}  // namespace phasor
