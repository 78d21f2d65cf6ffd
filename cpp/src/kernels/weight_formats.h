#pragma once
// How the numbers of a stored matrix are placed in a panel.

#include <cstddef>
#include <cstdint>
#include <vector>

#include "kernels/kernels.h"

namespace phasor::kernels {

enum class WeightDType : std::uint8_t {
  f32,
  bf16,
  f16,
  /// Blocks of 32 terms of a row with two float32 of their own: scale * q + offset, q a signed
  /// byte. 1.25 bytes per number; every 8-bit, 5-bit and 4-bit block format of GGUF fits exactly.
  int8_blocks,
  /// The same with blocks of 16 terms, which Q6_K has; 1.5 bytes per number
  int8_blocks_16,
};

/// Terms of a block; 0 of formats without blocks.
constexpr int block_terms(WeightDType dtype) {
  return dtype == WeightDType::int8_blocks ? 32 : dtype == WeightDType::int8_blocks_16 ? 16 : 0;
}
/// Bytes of a row of a panel without blocks. Two columns of 16 bits share a lane of 32: column c is
/// the lower half, column c + 4 the upper one.
constexpr std::size_t row_bytes(WeightDType dtype) {
  return std::size_t{kPanel} * (dtype == WeightDType::f32 ? 4 : 2);
}
/// A block of a panel: the bytes q of 16 columns, terms 2 t and 2 t + 1 of a column beside each
/// other, then their scales and their offsets.
constexpr std::size_t block_numbers(int terms) { return static_cast<std::size_t>(terms) * kPanel; }
constexpr std::size_t block_bytes(int terms) {
  return block_numbers(terms) + 2 * kPanel * sizeof(float);
}

/// A row as blocks of unit * (high + low / 32768), with two integers of 16 bits per number: an
/// error below 3e-7 of the largest number of a block.
struct SplitRow {
  SplitRow(const float* x, int count, int terms);

  int blocks;
  std::vector<std::int16_t> high, low;  ///< zeros behind the last number
  std::vector<float> unit, sum;         ///< of each block
};

}  // namespace phasor::kernels
