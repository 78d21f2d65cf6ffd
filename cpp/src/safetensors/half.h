#pragma once
// Conversions between float32 and the bits of IEEE 754 binary16 and bfloat16.

#include <cstdint>

namespace phasor {

float from_half(std::uint16_t bits);
/// Exact, because a bfloat16 is the upper half of a float32.
float from_bfloat16(std::uint16_t bits);
/// The nearest half-precision number, with ties to even. Magnitudes of 65520 and above become
/// infinity.
std::uint16_t to_half(float x);

}  // namespace phasor
