#include <cmath>

#include "core/format_error.h"
#include "phasor/positions.h"

namespace phasor {

Result<std::vector<double>> consecutive_positions(double position_offset, int length) {
  return Result<std::vector<double>>::from([&](std::vector<double>& out) -> Status {
    PHASOR_TRY(check_extent("length", length));
    if (position_offset != std::floor(position_offset))
      return invalid("{}: {} is not a whole number", argument("position_offset"), position_offset);
    PHASOR_TRY(check_range(argument("position_offset"), position_offset, -kMaxPosition,
                           kMaxPosition - (length - 1)));
    PHASOR_TRY(check_memory("length", sizeof(double) * static_cast<double>(length)));
    out.resize(static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i) out[static_cast<std::size_t>(i)] = position_offset + i;
    return {};
  });
}

}  // namespace phasor
