#pragma once
// Named arrays as files: safetensors (huggingface/safetensors, format of version 0.4), in F32 and
// F16.

#include <cstdint>
#include <span>
#include <string>
#include <vector>

#include "phasor/ordered_map.h"
#include "phasor/result.h"
#include "phasor/tensor.h"

namespace phasor {

/// How numbers are stored: F32 keeps every bit, F16 rounds to the nearest half, ties to even.
enum class DType { f32, f16 };

struct SafetensorsFile {
  OrderedMap<Tensor> tensors{};        ///< in the order of the file
  OrderedMap<std::string> metadata{};  ///< `__metadata__`
};

/// The bytes of a safetensors file. Rejected by name: a tensor whose shape and numbers disagree, a
/// number that is not finite, and one that F16 cannot hold (above 65504).
Result<std::vector<std::uint8_t>> write_safetensors(const SafetensorsFile& file, DType stored);

/// Reads what write_safetensors and others have written. Rejected by one sentence: a file that is
/// truncated or has bytes claimed by no tensor or by two, a header that is not JSON, an element
/// type other than F32 and F16, a number that is not finite.
Result<SafetensorsFile> read_safetensors(std::span<const std::uint8_t> bytes);

}  // namespace phasor
