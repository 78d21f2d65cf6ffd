#pragma once

#include <cstddef>
#include <span>

namespace phasor {

/// The index of the first NaN or infinity, or values.size(). It reads every input array, so it is
/// compiled for speed.
std::size_t first_nonfinite(std::span<const float> values);

/// The largest absolute value, 0 if empty; infinity if there is a NaN.
float max_abs(std::span<const float> values);

}  // namespace phasor
