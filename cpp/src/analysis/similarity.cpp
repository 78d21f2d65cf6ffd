#include <cmath>

#include "analysis/tables.h"
#include "kernels/kernels.h"
#include "phasor/analysis.h"

namespace phasor {

namespace {

void normalise(std::span<float> row) {
  double square = 0;
  for (const float x : row) square += static_cast<double>(x) * static_cast<double>(x);
  if (square == 0) return;
  for (float& x : row) x = static_cast<float>(static_cast<double>(x) / std::sqrt(square));
}

}  // namespace

Status similarity(const Tensor& table, Measure measure, Tensor& out) {
  PHASOR_TRY(check_table(table));
  const int rows = table.shape[0];
  PHASOR_TRY(check_size("similarity", {rows, rows}));
  Tensor unit = table;
  if (measure == Measure::cosine) {
    for (int r = 0; r < rows; ++r) normalise({matrix(unit).row(r), static_cast<std::size_t>(table.shape[1])});
  }
  out = Tensor({rows, rows});
  const ConstMatrixRef rows_of_unit = matrix(std::as_const(unit));
  std::vector<float> packed(kernels::packed_size(table.shape[1], rows));
  kernels::pack_transposed(rows_of_unit, packed.data());
  kernels::active::product(rows_of_unit, packed.data(), 1.0f, matrix(out));
  return {};
}

}  // namespace phasor
