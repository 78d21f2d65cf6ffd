#include <cmath>

#include "math/eigen_map.h"
#include "math/sentence.h"
#include "phasor/analysis.h"

namespace phasor {

Status similarity(const Tensor& table, Measure measure, Tensor& out) {
  if (table.rank() != 2 || table.empty()) {
    return Status::invalid("table: its shape is " + to_words(table.shape) + "; rows x width is needed");
  }
  PHASOR_TRY(check_finite("table", table.data));
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
  eigen(matrix(out)).noalias() = unit * unit.transpose();
  return {};
}

}  // namespace phasor
