#pragma once
// Copies the queries and keys of a batch to one matrix per head, and applies the norm of the layer
// and the encoding.

#include "nn/batched_attention.h"

namespace phasor::nn {

/// Copies the queries or keys (`qkv_index` 0 or 1) of qkv to `to` (heads, rows, head_dim),
/// normalised if the layer has a norm.
void gather_heads(const BatchedAttentionParams& params, const ConstMatrixRef& qkv, int qkv_index,
                  SavedAttention& saved, Tensor& to);
/// Computes q and k of `saved`: copied from qkv, normalised, and transformed by the encoding.
void transform_heads(const BatchedAttentionParams& params, const ConstMatrixRef& qkv,
                     SavedAttention& saved);
/// Propagates the gradients of transformed queries and keys in `workspace` back through encoding
/// and norm, and adds them to d_qkv.
void transform_heads_backward(const BatchedAttentionParams& params, const ConstMatrixRef& qkv,
                              SavedAttention& saved, AttentionWorkspace& workspace,
                              const MatrixRef& d_qkv);

}  // namespace phasor::nn
