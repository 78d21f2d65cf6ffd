#include "encoding_base/parts/relative_position_table.h"

#include "core/format_error.h"

namespace phasor {

Status RelativePositionTable::pack() {
  if (empty()) return {};
  const std::vector<int>& shape = parameter.value.shape;
  PHASOR_TRY(check_memory(std::string(parameter.name).c_str(),
                          shape[0] * kernels::packed_matrix_bytes(shape[1], shape[2])));
  packed_tables_.resize(static_cast<std::size_t>(shape[0]));
  for (int h = 0; kernels::PackedMatrix & head_table : packed_tables_)
    head_table.pack(kernels::Transpose::yes, matrix(std::as_const(parameter.value), h++));
  return {};
}

Tensor RelativePositionTable::multiply_rows(const ContentTile& tile, const ConstMatrixRef& tokens,
                                            int begin, int end) const {
  const kernels::Panels head_table = packed_tables_[static_cast<std::size_t>(tile.head)];
  return kernels::gemm(tile.scale, tokens, head_table.slice_columns(begin, end - begin));
}

void RelativePositionTable::product_backward(int head, const ConstMatrixRef& grads,
                                             const ConstMatrixRef& tokens, int first,
                                             const MatrixRef& d_tokens) {
  const ConstMatrixRef values =
      rows_of(matrix(std::as_const(parameter.value), head), first, grads.columns);
  const kernels::PackedMatrix packed_values(kernels::Transpose::no, values);
  kernels::accumulate_in_chunks(grads, packed_values, d_tokens);
  kernels::gemm(kernels::Transpose::yes, kernels::Transpose::no, 1, grads, tokens, 1,
                rows_of(matrix(parameter.gradient(), head), first, grads.columns));
}

}  // namespace phasor
