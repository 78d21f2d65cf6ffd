#include "attention/orthogonal.h"

#include <cmath>

#include "core/format_error.h"
#include "kernels/vector_ops.h"
#include "phasor/random.h"

namespace phasor {

Status orthogonal(std::uint32_t seed, int width, Tensor& out) {
  constexpr int kWidest = 1024;  // a second
  if (width > kWidest)
    return invalid(
        "x: its width {} is above {}, the widest for which orthogonal projections are drawn", width,
        kWidest);
  PHASOR_TRY(check_size("x", "a projection", {width, width}));
  PHASOR_TRY(gaussian(seed, {width, width}).move_to(out));
  const MatrixRef rows = matrix(out);
  for (int r = 0; r < width; ++r) {
    for (int pass = 0; pass < 2; ++pass) {
      float* row = rows.row(r);
      for (int before = 0; before < r; ++before) {
        const float* unit = rows.row(before);
        kernels::add_scaled(row, -kernels::dot(row, unit, width), unit, width);
      }
      kernels::multiply(row, 1 / std::sqrt(kernels::dot(row, row, width)), width);
    }
  }
  return {};
}

}  // namespace phasor
