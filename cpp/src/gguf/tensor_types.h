#pragma once
// Types of tensors in GGUF files, by the numbers that ggml gives them.

#include <cstdint>
#include <string_view>

#include "gguf/block_format.h"

namespace phasor {

/// Every row of a tensor is a whole number of blocks.
struct TensorType {
  std::uint32_t id;
  std::string_view name;
  std::uint16_t block_terms, block_bytes;
  const BlockFormat* format;  ///< nullptr: F32, F16 and BF16, and what is not read
};

/// nullptr where the number or the name is not known.
const TensorType* find_tensor_type(std::uint32_t id);
const TensorType* find_tensor_type(std::string_view name);

/// Types that can be read, F32 first.
inline constexpr std::string_view kReadTypes =
    "F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q4_K, Q5_K, Q6_K";

}  // namespace phasor
