#pragma once
// Tensor types of GGUF files, by ggml's type numbers.

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

/// The type, or nullptr for an unknown number or name.
const TensorType* find_tensor_type(std::uint32_t id);
const TensorType* find_tensor_type(std::string_view name);

/// The types that can be read, F32 first.
inline constexpr std::string_view kSupportedTypes =
    "F32, F16, BF16, Q8_0, Q4_0, Q4_1, Q5_0, Q5_1, Q4_K, Q5_K, Q6_K";

}  // namespace phasor
