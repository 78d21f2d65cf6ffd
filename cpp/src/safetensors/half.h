#pragma once
// IEEE 754 binary16 as bits.

#include <cstdint>

namespace phasor {

/// Exact.
float from_half(std::uint16_t bits);
/// The nearest, ties to even; infinity from 65520 on.
std::uint16_t to_half(float x);

}  // namespace phasor
