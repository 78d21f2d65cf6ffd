#include "gguf/block_format.h"

namespace phasor {

// float16 d, then 16 bytes with two 4-bit values q per byte. Each element is d * (q - 8).
const BlockFormat kQ4_0{
    "Q4_0", 32, 18, 32,
    [](const std::uint8_t* block, std::int8_t* values, float* scale, float* offset) {
      *scale = read_half(block);
      *offset = 0;
      unpack_nibbles(block + 2, nullptr, 8, values);
    }};

}  // namespace phasor
