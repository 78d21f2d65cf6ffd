#pragma once

#include <cstddef>
#include <span>

namespace phasor {

/// The index of the first NaN or infinity, or values.size(). Every array that comes in is read by
/// it, so it is compiled for speed.
std::size_t first_nonfinite(std::span<const float> values);

/// The largest absolute value, 0 of nothing; infinity where there is a NaN.
float max_abs(std::span<const float> values);

}  // namespace phasor
