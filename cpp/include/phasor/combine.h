#pragma once
// Combines position tables with embeddings, and computes position ids of padded sequences.

#include <cstdint>
#include <span>
#include <vector>

#include "phasor/result.h"
#include "phasor/tensor.h"

namespace phasor {

enum class CombineMode {
  add,          ///< x + table; requires equal dims
  concatenate,  ///< [x, table] along the channel axis
};

/// Combines x (length, dim) with table (length, table_dim) into a tensor (length, dim), or (length,
/// dim + table_dim) for `concatenate`. Rejects non-finite inputs and sums.
Result<Tensor> combine(const Tensor& x, const Tensor& table, CombineMode mode);

/// Position id conventions of model families for padded sequences. Tokens whose attention mask is 1
/// are numbered consecutively; all padding has the same id.
enum class PositionIdMode {
  /// Fairseq, RoBERTa, M2M100: cumsum(mask) * mask + padding_idx, so the first token is padding_idx
  /// + 1
  fairseq,
  /// OPT: cumsum(mask) * mask - 1, so padding is -1; OPT's table has an offset of two rows
  /// (`row_offset` of learned)
  opt,
  bloom,  ///< BLOOM: (cumsum(mask) - 1) * mask, so padding is 0 like the first token
};

/// Computes the position ids of a sequence whose attention mask is 1 at tokens and 0 at padding,
/// for position_table() and apply_rotary(). `past_length`: number of unpadded tokens already in a
/// cache. Only fairseq uses `padding_idx`.
Result<std::vector<double>> position_ids(std::span<const std::uint8_t> attention_mask,
                                         PositionIdMode mode, int padding_idx, int past_length);

}  // namespace phasor
