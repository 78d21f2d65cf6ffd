#include "encoding_base/positions/position_check.h"

#include <cmath>

#include "core/format_error.h"

namespace phasor {

Status check_one_axis(std::string_view id, int axes) {
  if (axes == 1) return {};
  return invalid("positions: have {} coordinates each; expected 1 for {}", axes, id);
}

Status check_whole_positions(Positions positions) {
  for (std::size_t i = 0; i < positions.values().size(); ++i) {
    const double position = positions.values()[i];
    if (position != std::floor(position)) {
      return invalid("positions[{}]: {} is not a whole number", i, position);
    }
  }
  return {};
}

}  // namespace phasor
