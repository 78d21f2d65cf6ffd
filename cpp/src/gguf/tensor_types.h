#pragma once

#include <cstdint>
#include <string_view>

#include "gguf/block_format.h"

namespace phasor {

/// A tensor type. Each row consists of a whole number of blocks.
struct TensorType {
  std::uint32_t id;
  std::string_view name;
  std::uint16_t block_terms, block_bytes;
  const BlockFormat* format;  ///< nullptr for F32, F16, BF16 and unsupported types
};

/// Finds a tensor type. Returns nullptr if the id or name is unknown.
const TensorType* find_tensor_type(std::uint32_t id);
const TensorType* find_tensor_type(std::string_view name);

inline constexpr std::string_view kSupportedTypes =
    "F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q4_K, Q5_K, Q6_K";

}  // namespace phasor
