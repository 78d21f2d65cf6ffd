#include "gguf/block_format.h"

namespace phasor {

// halves d and m, fifth bits of 32 q, 16 bytes with their lower 4 bits: d q + m
const BlockFormat kQ5_1{
    "Q5_1", 32, 24, 32,
    [](const std::uint8_t* block, std::int8_t* values, float* scale, float* offset) {
      *scale = half_at(block);
      *offset = half_at(block + 2);
      unpack_nibbles(block + 8, block + 4, 0, values);
    }};

}  // namespace phasor
