#include "gguf/block_format.h"

namespace phasor {

// 128 bytes of the lower 4 bits of q, then 64 bytes of the upper 2 bits, 16 signed multipliers s
// (one per 16 terms) and float16 d; a term is d s (q - 32). Each half of the block has 64 bytes of
// lower bits and 32 bytes of upper bits. The four parts of a half take the lower nibbles of the
// first and second 32 bytes, then the upper nibbles of both, with bits 0, 2, 4 and 6 of the upper
// bits.
const BlockFormat kQ6_K{
    "Q6_K", 256, 210, 16,
    [](const std::uint8_t* block, std::int8_t* values, float* scale, float* offset) {
      const float d = half_at(block + 208);
      for (int i = 0; i < 16; ++i) {
        scale[i] = d * static_cast<float>(static_cast<std::int8_t>(block[192 + i]));
        offset[i] = 0;
      }
      for (int i = 0; i < 256; ++i) {
        const int half = i / 128, part = i / 32 % 4;
        const int low = block[half * 64 + i % 64] >> (part < 2 ? 0 : 4) & 15;
        const int high = block[128 + half * 32 + i % 32] >> 2 * part & 3;
        values[i] = static_cast<std::int8_t>((low | high << 4) - 32);
      }
    }};

}  // namespace phasor
