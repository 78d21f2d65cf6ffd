#include <cmath>

#include "analysis/tables.h"
#include "kernels/packed_rows.h"
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
  const ConstMatrixRef rows_of_unit{unit.data(), rows, table.shape[1], table.shape[1]};
  out = kernels::PackedRows(rows_of_unit).dot(rows_of_unit);
  return {};
}

}  // namespace phasor
