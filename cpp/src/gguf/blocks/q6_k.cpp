#include "gguf/block_format.h"

namespace phasor {

// 128 bytes with the lower 4 bits of q, 64 bytes with the upper 2 bits, 16 signed multipliers s
// (one per 16 elements) and float16 d. Each element is d * s * (q - 32). Each half of the block has
// four quarters of 32 elements. Quarter p has its lower bits in nibble p / 2 of 32-byte group
// p % 2, and its upper bits at bit 2 p.
const BlockFormat kQ6_K{
    "Q6_K", 256, 210, 16,
    [](const std::uint8_t* block, std::int8_t* values, float* scale, float* offset) {
      const float d = read_half(block + 208);
      for (int i = 0; i < 16; ++i) {
        scale[i] = d * static_cast<float>(static_cast<std::int8_t>(block[192 + i]));
        offset[i] = 0;
      }
      for (int i = 0; i < 256; ++i) {
        const int half = i / 128, quarter = i / 32 % 4;
        const int low_bits = block[half * 64 + i % 64] >> (quarter < 2 ? 0 : 4) & 15;
        const int high_bits = block[128 + half * 32 + i % 32] >> 2 * quarter & 3;
        values[i] = static_cast<std::int8_t>((low_bits | high_bits << 4) - 32);
      }
    }};

}  // namespace phasor
