#pragma once
// Quantised block formats as ggml stores them (ggml-common.h). Each format has its own file in
// blocks/.

#include <cstdint>

#include "safetensors/half.h"

namespace phasor {

/// A block contains `terms` elements. Element i is scale[s] * values[i] + offset[s], where s = i /
/// terms_per_scale.
struct BlockFormat {
  const char* name;
  int terms, bytes;
  int terms_per_scale;
  void (*unpack)(const std::uint8_t* block, std::int8_t* values, float* scale, float* offset);
};

extern const BlockFormat kQ8_0, kQ4_0, kQ4_1, kQ5_0, kQ5_1, kQ4_K, kQ5_K, kQ6_K;

/// Reads a little-endian float16.
inline float read_half(const std::uint8_t* bytes) {
  return from_half(static_cast<std::uint16_t>(bytes[0] | bytes[1] << 8));
}

/// Unpacks 32 values from 16 bytes. The lower nibbles contain the first 16 values, the upper
/// nibbles the others. `fifth_bits` contains one more bit per value, or is nullptr. `zero_point` is
/// subtracted from each value.
inline void unpack_nibbles(const std::uint8_t* nibbles, const std::uint8_t* fifth_bits,
                           int zero_point, std::int8_t* values) {
  for (int i = 0; i < 32; ++i) {
    const int bit = fifth_bits == nullptr ? 0 : fifth_bits[i / 8] >> i % 8 & 1;
    const int nibble = nibbles[i % 16] >> (i < 16 ? 0 : 4) & 15;
    values[i] = static_cast<std::int8_t>((nibble | bit << 4) - zero_point);
  }
}

/// Unpacks the eight scales and offsets of a Q4_K or Q5_K block. Each is a float16 value times a
/// 6-bit multiplier.
void unpack_scales(const std::uint8_t* block, float* scale, float* offset);

}  // namespace phasor
