#pragma once
// Checks positions for encodings that accept only some.

#include <string_view>

#include "phasor/positions.h"
#include "phasor/status.h"

namespace phasor {

/// Rejects positions of several coordinates for an encoding that reads one.
Status check_one_axis(std::string_view id, int axes);
/// Rejects fractional positions, for encodings that index a table or split digits.
Status check_whole(Positions positions);

}  // namespace phasor
