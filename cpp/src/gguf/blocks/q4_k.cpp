#include "gguf/block_format.h"

namespace phasor {

void unpack_scales(const std::uint8_t* block, float* scale, float* offset) {
  const float d = read_half(block), d_min = read_half(block + 2);
  const std::uint8_t* packed = block + 4;
  // The lower 6 bits of bytes 0 to 3 are the scale multipliers of the first four sub-blocks, those
  // of bytes 4 to 7 the offset multipliers. The last four sub-blocks have their lower 4 bits in
  // bytes 8 to 11 and their upper 2 bits in bytes 0 to 7.
  for (int i = 0; i < 4; ++i) {
    const int a = packed[i], b = packed[4 + i], c = packed[8 + i];
    scale[i] = d * static_cast<float>(a & 63);
    offset[i] = -(d_min * static_cast<float>(b & 63));
    scale[4 + i] = d * static_cast<float>((c & 15) | (a >> 6) << 4);
    offset[4 + i] = -(d_min * static_cast<float>(c >> 4 | (b >> 6) << 4));
  }
}

// float16 d and d_min, 12 bytes with multipliers s and m, then 128 bytes with two 4-bit values q
// per byte. Each element is d * s * q - d_min * m. Every 32 bytes contain two sub-blocks of 32
// elements, the first in the lower nibbles.
const BlockFormat kQ4_K{
    "Q4_K", 256, 144, 32,
    [](const std::uint8_t* block, std::int8_t* values, float* scale, float* offset) {
      unpack_scales(block, scale, offset);
      for (int i = 0; i < 256; ++i) {
        const int byte = block[16 + i / 64 * 32 + i % 32];
        values[i] = static_cast<std::int8_t>(byte >> (i / 32 % 2 == 0 ? 0 : 4) & 15);
      }
    }};

}  // namespace phasor
