#pragma once
// How much memory the passes work in, beside their arguments and answers: summed up and tried
// before they begin (check_memory).

#include "attention/streaming/attend.h"

namespace phasor {

/// Of a pass over all heads (HeadPass and KeyBlocks, or MultiHeadPass). The job must know whether
/// it is in double.
double pass_bytes(const AttentionParams& job, int heads, int head_dim, int v_head_dim);
/// Of the backward pass beside that.
double gradient_pass_bytes(const AttentionParams& job, int heads, int head_dim, int v_head_dim);
/// Of the answer's row_max and row_sum, where they are wanted.
double softmax_bytes(const AttentionParams& job, int heads);
/// Of so many keys and their values, packed.
double packed_bytes(int keys, int head_dim, int v_head_dim);

}  // namespace phasor
