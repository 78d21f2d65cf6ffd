#include "analysis/tables.h"

namespace phasor {

double directions_bytes(int rows, int width) {
  return sizeof(double) * (static_cast<double>(rows) * width + 3.0 * width * width + 8.0 * width);
}

CentredRows centred_rows(const Tensor& table, int step) {
  const int rows = (table.shape[0] + step - 1) / step, width = table.shape[1];
  const std::size_t columns = static_cast<std::size_t>(width);
  CentredRows out{std::vector<double>(columns),
                  std::vector<double>(static_cast<std::size_t>(rows) * columns)};
  for (int r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c)
      out.mean[c] += static_cast<double>(matrix(table).row(r * step)[c]) / rows;
  }
  for (int r = 0; r < rows; ++r) {
    for (std::size_t c = 0; c < columns; ++c) {
      out.values[static_cast<std::size_t>(r) * columns + c] =
          static_cast<double>(matrix(table).row(r * step)[c]) - out.mean[c];
    }
  }
  return out;
}

Status check_table(const Tensor& table, int rows_needed) {
  if (table.rank() != 2 || table.empty()) {
    return invalid("table: its shape is {}; rows x width is needed", table.shape);
  }
  PHASOR_TRY(check_tensor("table", table));
  if (table.shape[0] < rows_needed) {
    return invalid("table: {} rows are too few; at least {} are needed", aside(table.shape[0]),
                   rows_needed);
  }
  return {};
}

}  // namespace phasor
