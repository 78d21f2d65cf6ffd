#pragma once
// Working memory of the passes, besides arguments and results: computed and checked before they
// begin (check_memory).

#include "attention/streaming/attend.h"

namespace phasor {

/// Of a forward pass (HeadPass and KeyBlocks, or MultiHeadPass). The job must know whether it is in
/// double.
double pass_bytes(const AttentionParams& job, int heads, int head_dim, int v_head_dim);
/// Of the backward pass in addition.
double gradient_pass_bytes(const AttentionParams& job, int heads, int head_dim, int v_head_dim);
/// Of row_max and row_sum of the result, if requested.
double softmax_bytes(const AttentionParams& job, int heads);
/// Of this many keys and their values, packed.
double packed_bytes(int keys, int head_dim, int v_head_dim);

}  // namespace phasor
