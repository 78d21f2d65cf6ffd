#include <cmath>
#include <limits>

#include "core/format_error.h"
#include "phasor/positions.h"
#include "phasor/rope.h"

namespace phasor {

Result<double> query_temperature(double position, double floor_scale, double attn_scale) {
  return Result<double>::from([&](double& out) -> Status {
    PHASOR_TRY(check_range("position", position, 0, kMaxPosition));
    if (!(floor_scale > 0 && is_finite(floor_scale)))
      return invalid("{}: {} is not a positive number", argument("floor_scale"), floor_scale);
    if (!is_finite(attn_scale))
      return invalid("{}: {} is not a finite number", argument("attn_scale"), attn_scale);
    out = std::log1p(std::floor((position + 1.0) / floor_scale)) * attn_scale + 1.0;
    return check_result("attn_scale", out, "the temperature");
  });
}

}  // namespace phasor
