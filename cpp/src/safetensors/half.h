#pragma once
// IEEE 754 binary16 and bfloat16 as bits.

#include <cstdint>

namespace phasor {

/// Exact.
float from_half(std::uint16_t bits);
/// Exact: bfloat16 is the upper half of a float32.
float from_bfloat16(std::uint16_t bits);
/// The nearest half, ties to even; infinity from 65520 on.
std::uint16_t to_half(float x);

}  // namespace phasor
