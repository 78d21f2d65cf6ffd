#include "gguf/block_format.h"

namespace phasor {

// half d, 16 bytes with two q of 4 bits: d (q - 8)
const BlockFormat kQ4_0{
    "Q4_0", 32, 18, 32,
    [](const std::uint8_t* block, std::int8_t* values, float* scale, float* offset) {
      *scale = half_at(block);
      *offset = 0;
      unpack_nibbles(block + 2, nullptr, 8, values);
    }};

}  // namespace phasor
