#pragma once
// The first half of a pre-norm layer, x + out_proj(attention(in_proj(norm(x)))) (Xiong et al. 2020,
// arXiv 2002.04745). The projections have no bias.

#include <span>

#include "nn/batched_attention.h"
#include "nn/norms.h"

namespace phasor::nn {

struct AttentionBlock {
  Norm norm;
  /// Weights as in torch.nn.MultiheadAttention: in_proj (3 embed_dim, embed_dim) stacks the
  /// projections to q, k and v
  ConstMatrixRef in_proj, out_proj;  // out_proj (embed_dim, embed_dim)
  MatrixRef d_in_proj, d_out_proj;
  /// The forward pass replaces the outputs of these heads with 0, or with their mean over the
  /// tokens of an item. The backward pass does not support ablated heads.
  std::span<const int> ablated_heads{};
  bool uses_mean_ablation = false;
};

struct SavedAttentionBlock {
  // Shapes: (rows, embed_dim), (rows, 3 embed_dim), (rows, embed_dim), (rows, 2)
  Buffer normed, qkv, heads, norm;
  SavedAttention attention;

  void reserve(const BatchedAttentionParams& params);
  static double bytes(const BatchedAttentionParams& params, bool training);
};

/// Computes y (rows, embed_dim) = x + out_proj(attention(in_proj(norm(x)))). y must not overlap x,
/// because the backward pass needs x.
void attention_block(const AttentionBlock& block, const BatchedAttentionParams& params,
                     const ConstMatrixRef& x, bool training, SavedAttentionBlock& saved,
                     AttentionWorkspace& workspace, const MatrixRef& y);

/// On entry, d_x (rows, embed_dim) is dL/dy; on return, it is dL/dx. `scratch` must have room for
/// 4 * rows * embed_dim floats.
void attention_block_backward(const AttentionBlock& block, const BatchedAttentionParams& params,
                              const ConstMatrixRef& x, SavedAttentionBlock& saved,
                              AttentionWorkspace& workspace, float* scratch, const MatrixRef& d_x);

}  // namespace phasor::nn
