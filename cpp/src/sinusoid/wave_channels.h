#pragma once
// Which channels of a row of sines and cosines belong together.

#include <span>
#include <vector>

#include "phasor/waves.h"

namespace phasor {

/// The waves in a row of `width` channels that SineRows writes.
std::vector<Wave> waves_of(std::span<const double> frequencies, WaveLayout layout, int width);

}  // namespace phasor
