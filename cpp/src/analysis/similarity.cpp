#include <cmath>

#include "analysis/tables.h"
#include "kernels/gemm.h"
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

Result<Tensor> similarity(const Tensor& table, Measure measure) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_table(table));
    const int rows = table.shape[0];
    PHASOR_TRY(check_size("table", "a similarity", {rows, rows}));
    PHASOR_TRY(check_room("table", bytes_of({rows, rows}) + bytes_of(table.shape) +
                                       kernels::packed_matrix_bytes(rows, table.shape[1])));
    Tensor unit = table;
    if (measure == Measure::cosine) {
      for (int r = 0; r < rows; ++r)
        normalise({matrix(unit).row(r), static_cast<std::size_t>(table.shape[1])});
    }
    out = kernels::gemm(1, matrix(unit),
                        kernels::PackedMatrix(kernels::Transpose::yes, matrix(unit)));
    return check_result("table", out.data, "a dot product");
  });
}

}  // namespace phasor
