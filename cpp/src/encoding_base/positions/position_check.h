#pragma once
// Requirements of encodings on positions beyond being numbers.

#include <string_view>

#include "phasor/positions.h"
#include "phasor/status.h"

namespace phasor {

/// Rejects positions of several coordinates for an encoding that would read only the first.
Status check_one_axis(std::string_view id, int axes);
/// Rejects positions between tokens, for encodings that look numbers up or take them apart.
Status check_whole(Positions positions);

}  // namespace phasor
