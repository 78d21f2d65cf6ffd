#pragma once

#include <cstddef>
#include <span>

namespace phasor {

/// The index of the first NaN or infinity; values.size() if there is none. Compiled for speed,
/// because every input array is checked.
std::size_t find_first_nonfinite(std::span<const float> values);

/// The largest absolute value. Returns 0 for an empty array and infinity if there is a NaN.
float max_abs(std::span<const float> values);

}  // namespace phasor
