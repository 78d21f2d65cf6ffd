#pragma once
// The layout of numbers within a panel of a stored matrix.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/kernels.h"

namespace phasor::kernels {

enum class WeightDType : std::uint8_t {
  f32,
  bf16,
  f16,
  /// Blocks of 32 terms of a row with two float32 per block: scale * q + offset, q a signed byte.
  /// 1.25 bytes per number; represents all 8-bit, 5-bit and 4-bit block formats of GGUF exactly.
  int8_blocks,
  /// Blocks of 16 terms, for Q6_K; 1.5 bytes per number
  int8_blocks_16,
};

/// Weights per block; 0 for formats without blocks.
constexpr int block_terms(WeightDType dtype) {
  return dtype == WeightDType::int8_blocks ? 32 : dtype == WeightDType::int8_blocks_16 ? 16 : 0;
}
/// Bytes of a row of a panel without blocks. Two columns of 16 bits share a lane of 32 bits: column
/// c has the lower half, column c + 4 the upper half.
constexpr std::size_t row_bytes(WeightDType dtype) {
  return std::size_t{kPanel} * (dtype == WeightDType::f32 ? 4 : 2);
}
/// A block of a panel: the bytes q of 16 columns, with terms 2 t and 2 t + 1 of a column adjacent,
/// then the scales and the offsets of the columns.
constexpr std::size_t block_numbers(int terms) { return static_cast<std::size_t>(terms) * kPanel; }
constexpr std::size_t block_bytes(int terms) {
  return block_numbers(terms) + 2 * kPanel * sizeof(float);
}

/// A row as blocks of unit * (high + low / 32768), two 16-bit integers per number, with an error
/// below 3e-7 of the largest number of a block.
struct SplitRow {
  SplitRow(const float* x, int count, int terms);

  int blocks;
  std::vector<std::int16_t> high, low;  ///< padded with zeros to whole blocks
  std::vector<float> unit, sum;         ///< per block
};

}  // namespace phasor::kernels
