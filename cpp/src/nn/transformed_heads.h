#pragma once
// Queries and keys of the heads of a batch in separate memory, normalised if the layer has a norm,
// and transformed by the encoding.

#include "nn/batched_attention.h"

namespace phasor::nn {

/// Sets `to` (heads, rows, head_dim) to the queries or keys (part 0 or 1) of qkv, normalised if the
/// layer has a norm.
void gather_heads(const BatchedAttentionParams& job, const ConstMatrixRef& qkv, int part,
                  SavedAttention& saved, Tensor& to);
/// Sets q and k of `saved`: normalised, then transformed by the encoding.
void transform_heads(const BatchedAttentionParams& job, const ConstMatrixRef& qkv,
                     SavedAttention& saved);
/// Backpropagates the gradients of transformed queries and keys in `work` through transform and
/// norm, and adds them to d_qkv.
void transform_heads_backward(const BatchedAttentionParams& job, const ConstMatrixRef& qkv,
                              SavedAttention& saved, AttentionWorkspace& work,
                              const MatrixRef& d_qkv);

}  // namespace phasor::nn
