#pragma once
// Copies the queries and keys of a batch into one matrix per head, then normalises them and applies
// the encoding.

#include "nn/batched_attention.h"

namespace phasor::nn {

/// Copies the queries (`qkv_index` 0) or keys (`qkv_index` 1) of qkv to `to` (heads, rows,
/// head_dim), and normalises them if params.has_qk_norm.
void gather_heads(const BatchedAttentionParams& params, const ConstMatrixRef& qkv, int qkv_index,
                  SavedAttention& saved, Tensor& to);
/// Sets q and k of `saved`: copies them from qkv, normalises them, and transforms them with the
/// encoding.
void transform_heads(const BatchedAttentionParams& params, const ConstMatrixRef& qkv,
                     SavedAttention& saved);
/// Takes the gradients of transformed queries and keys from `workspace`, propagates them back
/// through the encoding and the norm, and adds the result to d_qkv.
void transform_heads_backward(const BatchedAttentionParams& params, const ConstMatrixRef& qkv,
                              SavedAttention& saved, AttentionWorkspace& workspace,
                              const MatrixRef& d_qkv);

/// The queries and keys of one head, transformed if has_transformed_heads().
struct TransformedHead {
  TransformedHead(const BatchedAttentionParams& params, const ConstMatrixRef& qkv,
                  const SavedAttention& saved, int head)
      : q(params.has_transformed_heads() ? matrix(saved.q, head)
                                         : select_head(params, qkv, 0, head)),
        k(params.has_transformed_heads() ? matrix(saved.k, head)
                                         : select_head(params, qkv, 1, head)) {}
  ConstMatrixRef q, k;  // (rows, transformed_dim)
};

}  // namespace phasor::nn
