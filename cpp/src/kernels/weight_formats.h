#pragma once
// Data types of a StoredMatrix, and their layout within a panel.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/kernels.h"

namespace phasor::kernels {

enum class WeightDType : std::uint8_t {
  f32,
  bf16,
  f16,
  /// Blocks of 32 int8 values q of one row, with a float32 scale and offset: each weight is scale *
  /// q + offset. Takes 1.25 bytes per weight. Represents GGUF's 8-bit, 5-bit and 4-bit block
  /// formats exactly.
  int8_blocks,
  /// Like int8_blocks, but with blocks of 16 values, as in GGUF's Q6_K format. Takes 1.5 bytes per
  /// weight.
  int8_blocks_16,
};

/// Returns the number of weights per block, or 0 for formats without blocks.
constexpr int get_block_size(WeightDType dtype) {
  return dtype == WeightDType::int8_blocks ? 32 : dtype == WeightDType::int8_blocks_16 ? 16 : 0;
}
/// Bytes per row of a panel, for formats without blocks. 16-bit values of columns c and c + 4 share
/// a 32-bit lane, with column c in the lower half.
constexpr std::size_t row_bytes(WeightDType dtype) {
  return std::size_t{kPanelColumns} * (dtype == WeightDType::f32 ? 4 : 2);
}
/// The byte offset of the scales within one block of a panel. The block contains the bytes q of 16
/// columns, with rows 2t and 2t + 1 of a column next to each other, then 16 scales, then 16
/// offsets.
constexpr std::size_t scales_offset(int block_size) {
  return static_cast<std::size_t>(block_size) * kPanelColumns;
}
constexpr std::size_t block_bytes(int block_size) {
  return scales_offset(block_size) + 2 * kPanelColumns * sizeof(float);
}

/// A row of x, split into blocks of 16-bit integers. Each element is scale * (high + low / 32768),
/// with an error below 3e-7 of the largest magnitude in its block.
struct SplitRow {
  SplitRow(const float* x, int count, int block_size);

  int block_count;
  std::vector<std::int16_t> high, low;  ///< padded with zeros to whole blocks
  std::vector<float> scale, sum;        ///< per block
};

}  // namespace phasor::kernels
