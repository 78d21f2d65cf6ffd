#include <cmath>

#include "analysis/tables.h"
#include "kernels/kernels.h"
#include "math/eigen_map.h"
#include "phasor/analysis.h"

namespace phasor {

Status similarity(const Tensor& table, Measure measure, Tensor& out) {
  PHASOR_TRY(check_table(table));
  const int rows = table.shape[0];
  PHASOR_TRY(check_size("similarity", {rows, rows}));
  RowMajor<float> unit = eigen(matrix(table));
  if (measure == Measure::cosine) {
    for (int r = 0; r < rows; ++r) {
      const float norm = unit.row(r).norm();
      if (norm > 0) unit.row(r) /= norm;
    }
  }
  out = Tensor({rows, rows});
  const ConstMatrixRef rows_of_unit{unit.data(), rows, table.shape[1], table.shape[1]};
  std::vector<float> packed(kernels::packed_size(table.shape[1], rows));
  kernels::pack_transposed(rows_of_unit, packed.data());
  kernels::active::product(rows_of_unit, packed.data(), 1.0f, matrix(out));
  return {};
}

}  // namespace phasor
