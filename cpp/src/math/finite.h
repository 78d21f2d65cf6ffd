#pragma once

#include <cstddef>
#include <span>

namespace phasor {

/// The index of the first NaN or infinity, or values.size(). Every array that comes in is read by it, so it is compiled for speed.
std::size_t first_not_finite(std::span<const float> values);

}  // namespace phasor
