#include "gguf/block_format.h"

namespace phasor {

// Like Q4_K, with 32 bytes of fifth bits before the 128 bytes of lower bits. Bit p of byte i is the
// fifth bit of element i in sub-block p.
const BlockFormat kQ5_K{
    "Q5_K", 256, 176, 32,
    [](const std::uint8_t* block, std::int8_t* values, float* scale, float* offset) {
      unpack_scales(block, scale, offset);
      for (int i = 0; i < 256; ++i) {
        const int group = i / 32, byte = block[48 + group / 2 * 32 + i % 32];
        const int bit = block[16 + i % 32] >> group & 1;
        values[i] = static_cast<std::int8_t>((byte >> (group % 2 == 0 ? 0 : 4) & 15) | bit << 4);
      }
    }};

}  // namespace phasor
