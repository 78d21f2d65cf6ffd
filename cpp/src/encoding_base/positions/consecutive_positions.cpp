#include <cmath>

#include "core/format_error.h"
#include "phasor/positions.h"

namespace phasor {

Result<std::vector<double>> consecutive_positions(double offset, int length) {
  return Result<std::vector<double>>::from([&](std::vector<double>& out) -> Status {
    PHASOR_TRY(check_extent("length", length));
    if (offset != std::floor(offset)) return invalid("offset: {} is not a whole number", offset);
    PHASOR_TRY(check_range("offset", offset, -kMaxPosition, kMaxPosition - (length - 1)));
    PHASOR_TRY(check_memory("length", sizeof(double) * static_cast<double>(length)));
    out.resize(static_cast<std::size_t>(length));
    for (int i = 0; i < length; ++i) out[static_cast<std::size_t>(i)] = offset + i;
    return {};
  });
}

}  // namespace phasor
