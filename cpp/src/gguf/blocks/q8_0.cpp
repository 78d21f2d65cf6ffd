#include "gguf/block_format.h"

namespace phasor {

// float16 d, then 32 signed bytes q. Each element is d * q.
const BlockFormat kQ8_0{
    "Q8_0", 32, 34, 32,
    [](const std::uint8_t* block, std::int8_t* values, float* scale, float* offset) {
      *scale = read_half(block);
      *offset = 0;
      for (int i = 0; i < 32; ++i) values[i] = static_cast<std::int8_t>(block[2 + i]);
    }};

}  // namespace phasor
