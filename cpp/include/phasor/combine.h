#pragma once
// How a table of positions meets the embeddings, and which position each token of a padded text has.

#include <cstdint>
#include <span>
#include <vector>

#include "phasor/result.h"
#include "phasor/tensor.h"

namespace phasor {

enum class Combination {
  add,          ///< x + table: the width stays, and word and position share it
  concatenate,  ///< x beside table: the widths are summed; it doubles only when both are the same
};

/// x (length, width) with table (length, table width) -> (length, width) or (length, width + table width).
/// Adding needs both to be of the same width. Numbers and sums that are not finite are refused.
Result<Tensor> combine(const Tensor& x, const Tensor& table, Combination how);

/// How model families count positions when some tokens are padding. `visible` tokens count up, the others stand still.
enum class PositionIdMode {
  fairseq,  ///< fairseq, RoBERTa, M2M100: cumsum(visible) * visible + padding_idx, so the first token is padding_idx + 1
  opt,      ///< OPT: cumsum(visible) * visible - 1, so padding is -1; its table is read two rows further (`row_offset` of learned)
  bloom,    ///< BLOOM: (cumsum(visible) - 1) * visible, so padding is 0 like the first token
};

/// The positions of a text whose tokens are visible (1) or padding (0), as `table` and `rotate` take them.
/// `past`: tokens before these, all visible, that a cache already holds. `padding_idx` counts for fairseq only.
Result<std::vector<double>> position_ids(std::span<const std::uint8_t> visible, PositionIdMode how, int padding_idx, int past);

}  // namespace phasor
