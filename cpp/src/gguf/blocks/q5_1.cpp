#include "gguf/block_format.h"

namespace phasor {

// float16 d and m, the fifth bits of 32 values q, and 16 bytes with their lower 4 bits. Each
// element is d * q + m.
const BlockFormat kQ5_1{
    "Q5_1", 32, 24, 32,
    [](const std::uint8_t* block, std::int8_t* values, float* scale, float* offset) {
      *scale = read_half(block);
      *offset = read_half(block + 2);
      unpack_nibbles(block + 8, block + 4, 0, values);
    }};

}  // namespace phasor
