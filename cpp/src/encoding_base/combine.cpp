#include "phasor/combine.h"

#include <algorithm>

#include "core/format_error.h"

namespace phasor {

Result<Tensor> combine(const Tensor& x, const Tensor& table, CombineMode mode) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_tensor("x", x));
    if (x.rank() != 2 || x.empty())
      return invalid("x: has shape {}; expected length x dim", x.shape);
    PHASOR_TRY(check_tensor("table", table));
    if (table.rank() != 2 || table.empty() || table.shape[0] != x.shape[0]) {
      return invalid("table: has shape {}, but x has {}", table.shape, x.shape);
    }
    const int length = x.shape[0], dim = x.shape[1], table_dim = table.shape[1];
    if (mode == CombineMode::add) {
      if (table_dim != dim) {
        return invalid("table: has dim {}; expected {}, the dim of x", table_dim, dim);
      }
      PHASOR_TRY(check_size("x", "a sum", x.shape));
      out = x;
      for (std::size_t i = 0; i < out.data.size(); ++i) out.data[i] += table.data[i];
      return check_result("x", out.data, "the sum of x and the table");
    }
    PHASOR_TRY(check_range("dim", static_cast<double>(dim) + table_dim, 2, kMaxExtent));
    PHASOR_TRY(check_size("table", "rows", {length, dim + table_dim}));
    Tensor result({length, dim + table_dim});
    for (int p = 0; p < length; ++p) {
      std::copy_n(matrix(x).row(p), dim, matrix(result).row(p));
      std::copy_n(matrix(table).row(p), table_dim, matrix(result).row(p) + dim);
    }
    out = std::move(result);
    return {};
  });
}

}  // namespace phasor
