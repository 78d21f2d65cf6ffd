#include "math/position_check.h"

#include <cmath>

#include "math/sentence.h"

namespace phasor {

Status check_one_axis(const std::string& id, int axes) {
  if (axes == 1) return {};
  return Status::invalid("positions: " + std::to_string(axes) + " coordinates are more than the 1 that " + id + " reads");
}

Status check_whole(Positions positions) {
  for (std::size_t i = 0; i < positions.values().size(); ++i) {
    const double position = positions.values()[i];
    if (position != std::floor(position)) {
      return Status::invalid("positions[" + std::to_string(i) + "]: " + to_words(position) + " is not a whole number");
    }
  }
  return {};
}

}  // namespace phasor
