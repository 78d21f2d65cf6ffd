#pragma once

#include <string_view>

#include "phasor/positions.h"
#include "phasor/status.h"

namespace phasor {

/// Rejects positions of several coordinates for an encoding that reads one.
Status check_one_axis(std::string_view id, int axes);
/// Rejects fractional positions, for encodings that index a table or read the digits of a position.
Status check_whole_positions(Positions positions);

}  // namespace phasor
