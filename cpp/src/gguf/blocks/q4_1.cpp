#include "gguf/block_format.h"

namespace phasor {

// float16 d and m, then 16 bytes with two 4-bit values q per byte. Each element is d * q + m.
const BlockFormat kQ4_1{
    "Q4_1", 32, 20, 32,
    [](const std::uint8_t* block, std::int8_t* values, float* scale, float* offset) {
      *scale = read_half(block);
      *offset = read_half(block + 2);
      unpack_nibbles(block + 4, nullptr, 0, values);
    }};

}  // namespace phasor
