#pragma once
// Reads named arrays from safetensors files (huggingface/safetensors, format version 0.4) in F32,
// F16 or BF16, and writes them in F32 or F16.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "phasor/ordered_map.h"
#include "phasor/result.h"
#include "phasor/tensor.h"

namespace phasor {

/// The element type of a written file. F32 is exact; F16 rounds to nearest, ties to even.
enum class DType { f32, f16 };

struct SafetensorsFile {
  OrderedMap<Tensor> tensors{};        ///< in the order of the file
  OrderedMap<std::string> metadata{};  ///< `__metadata__`
};

/// Returns the bytes of a safetensors file. Rejects tensors whose shape and data disagree, values
/// that are not finite, and, for F16, values beyond its maximum of 65504.
Result<std::vector<std::uint8_t>> write_safetensors(const SafetensorsFile& file, DType stored);

/// Reads a safetensors file. Rejects truncated files, headers that are not JSON, bytes that are
/// used by no tensor or by several tensors, element types other than F32, F16 and BF16, and values
/// that are not finite.
Result<SafetensorsFile> read_safetensors(std::span<const std::uint8_t> bytes);

}  // namespace phasor
