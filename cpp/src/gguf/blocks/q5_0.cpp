#include "gguf/block_format.h"

namespace phasor {

// float16 d, the fifth bits of 32 values q, and 16 bytes with their lower 4 bits. Each element is
// d * (q - 16).
const BlockFormat kQ5_0{
    "Q5_0", 32, 22, 32,
    [](const std::uint8_t* block, std::int8_t* values, float* scale, float* offset) {
      *scale = read_half(block);
      *offset = 0;
      unpack_nibbles(block + 6, block + 2, 16, values);
    }};

}  // namespace phasor
