#pragma once
// A row of sines and cosines, which every sinusoidal table is made of.

#include <span>

#include "phasor/analysis.h"
#include "phasor/encoding.h"

namespace phasor {

/// row: sine and cosine of position * frequency, times factor, in the places `layout` gives them. Channels past the end of
/// the row are dropped, channels that no wave fills are 0. Angles are formed in double: in float32 an angle would be wrong by
/// about 6e-8 of itself.
void write_waves(double position, std::span<const double> frequencies, WaveLayout layout, std::span<float> row, double factor = 1);

/// What write_waves makes of a row of `width` channels.
std::vector<Wave> waves_of(std::span<const double> frequencies, WaveLayout layout, int width);

inline std::span<float> row_of(MatrixRef m, int r) { return {m.row(r), static_cast<std::size_t>(m.columns)}; }

}  // namespace phasor
