#pragma once

#include <string_view>

#include "phasor/positions.h"
#include "phasor/status.h"

namespace phasor {

/// Rejects positions with more than one coordinate.
Status check_one_axis(std::string_view id, int axes);
/// Rejects fractional positions, for encodings that index a table or read the digits of a position.
Status check_whole_positions(Positions positions);

}  // namespace phasor
