#pragma once
// Bytes of working memory of the passes, for check_memory. Arguments and results are not included.

#include "attention/streaming/attend.h"

namespace phasor {

/// Bytes of a forward pass (HeadPass and KeyBlockPacker, or MultiHeadPass). params.use_float64 must
/// be set.
double pass_bytes(const AttentionParams& params, int heads, int head_dim, int v_head_dim);
/// Additional bytes of the backward pass.
double backward_pass_bytes(const AttentionParams& params, int heads, int head_dim, int v_head_dim);
/// Bytes of row_max and row_sum of the result, if requested.
double softmax_bytes(const AttentionParams& params, int heads);
/// Bytes of this many packed keys and values.
double packed_bytes(int keys, int head_dim, int v_head_dim);

}  // namespace phasor
