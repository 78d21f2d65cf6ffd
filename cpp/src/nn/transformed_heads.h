#pragma once
// Copies the queries and keys of a batch to one matrix per head, and applies the layer's norm and
// the encoding.

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

/// The queries and keys of one head, after the transformation if there is one.
struct TransformedHead {
  TransformedHead(const BatchedAttentionParams& params, const ConstMatrixRef& qkv,
                  const SavedAttention& saved, int head)
      : q(params.has_transformed_heads() ? matrix(saved.q, head)
                                         : select_head(params, qkv, 0, head)),
        k(params.has_transformed_heads() ? matrix(saved.k, head)
                                         : select_head(params, qkv, 1, head)) {}
  ConstMatrixRef q, k;  // (rows, head_dim)
};

}  // namespace phasor::nn
