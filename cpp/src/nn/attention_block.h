#pragma once
// x + out_proj(attention(in_proj(norm(x)))): the first half of a layer, pre-norm (Xiong et al.
// 2020, arXiv 2002.04745). The projections have no bias.

#include <span>

#include "nn/batched_attention.h"
#include "nn/norms.h"

namespace phasor::nn {

struct AttentionBlock {
  Norm norm;
  /// As in torch.nn.MultiheadAttention: in_proj (3 embed_dim, embed_dim) contains the rows of q, k
  /// and v
  ConstMatrixRef in_proj, out_proj;  // out_proj (embed_dim, embed_dim)
  MatrixRef d_in_proj, d_out_proj;
  /// Heads whose outputs are replaced in the forward pass: by 0, or by their mean over the tokens
  /// of each item. The backward pass does not support ablated heads.
  std::span<const int> ablated_heads{};
  bool ablates_to_mean = false;
};

/// The activations of a block that the backward pass needs.
struct SavedAttentionBlock {
  // (rows, embed_dim), (rows, 3 embed_dim), (rows, embed_dim), (rows, 2)
  Buffer normed, qkv, heads, norm;
  SavedAttention attention;

  void reserve(const BatchedAttentionParams& job);
  static double bytes(const BatchedAttentionParams& job, bool training);
};

/// y (rows, embed_dim) = x + the output of the block. y must not overlap x, which the backward pass
/// needs.
void attention_block(const AttentionBlock& block, const BatchedAttentionParams& job,
                     const ConstMatrixRef& x, bool training, SavedAttentionBlock& saved,
                     AttentionWorkspace& work, const MatrixRef& y);

/// On entry d_x (rows, embed_dim) is dL/dy, on exit dL/dx. scratch has rows * 4 embed_dim numbers.
void attention_block_backward(const AttentionBlock& block, const BatchedAttentionParams& job,
                              const ConstMatrixRef& x, SavedAttentionBlock& saved,
                              AttentionWorkspace& work, float* scratch, const MatrixRef& d_x);

}  // namespace phasor::nn
