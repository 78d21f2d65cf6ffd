#pragma once
// Working memory of the passes in bytes, for check_memory. Arguments and results are not included.

#include "attention/streaming/attend.h"

namespace phasor {

/// Memory of a forward pass (HeadPass and KeyBlockPacker, or MultiHeadPass). Depends on
/// params.use_float64, which the caller must set first.
double pass_bytes(const AttentionParams& params, int heads, int head_dim, int v_head_dim);
/// Memory that the backward pass needs in addition to pass_bytes().
double backward_pass_bytes(const AttentionParams& params, int heads, int head_dim, int v_head_dim);
/// Memory of the result's row_max and row_sum; 0 if they are not requested.
double softmax_bytes(const AttentionParams& params, int heads);
double packed_bytes(int keys, int head_dim, int v_head_dim);

}  // namespace phasor
