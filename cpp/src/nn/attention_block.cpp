#include "nn/attention_block.h"

#include "kernels/vector_ops.h"
#include "nn/layers.h"
#include "nn/token_inputs.h"

namespace phasor::nn {

namespace {

MatrixRef as_matrix(float* data, const BatchedAttentionParams& params, int columns) {
  return {data, params.size.rows(), columns, columns};
}

std::size_t element_count(const BatchedAttentionParams& params, int columns) {
  return static_cast<std::size_t>(params.size.rows()) * static_cast<std::size_t>(columns);
}

// Replaces the output of one head with zeros or with its mean over the tokens of each item. `heads`
// (rows, embed_dim) contains the outputs of all heads.
void ablate(const BatchedAttentionParams& params, int head, bool use_mean, const MatrixRef& heads) {
  for (int item = 0; item < params.size.items; ++item) {
    const MatrixRef out = kernels::columns_of(select_item(heads, params, item),
                                              head * params.head_dim, params.head_dim);
    for (int column = 0; column < out.columns; ++column) {
      double sum = 0;
      for (int r = 0; use_mean && r < out.rows; ++r) sum += static_cast<double>(out.row(r)[column]);
      for (int r = 0; r < out.rows; ++r) out.row(r)[column] = static_cast<float>(sum / out.rows);
    }
  }
}

}  // namespace

void SavedAttentionBlock::reserve(const BatchedAttentionParams& params) {
  const auto ensure_size = [&](Buffer& buffer, int columns) {
    if (buffer.size() < element_count(params, columns))
      buffer = Buffer(element_count(params, columns));
  };
  ensure_size(normed, params.embed_dim());
  ensure_size(qkv, 3 * params.embed_dim());
  ensure_size(heads, params.embed_dim());
  ensure_size(norm, 2);
}

double SavedAttentionBlock::bytes(const BatchedAttentionParams& params, bool training) {
  return sizeof(float) * (5.0 * params.embed_dim() + 2) * params.size.rows() +
         saved_bytes(params, training);
}

void attention_block(const AttentionBlock& block, const BatchedAttentionParams& params,
                     const ConstMatrixRef& x, bool training, SavedAttentionBlock& saved,
                     AttentionWorkspace& workspace, const MatrixRef& y) {
  saved.reserve(params);
  const MatrixRef normed = as_matrix(saved.normed.data(), params, params.embed_dim()),
                  qkv = as_matrix(saved.qkv.data(), params, 3 * params.embed_dim()),
                  heads = as_matrix(saved.heads.data(), params, params.embed_dim());
  block.norm.forward(x, normed, saved.norm.data());
  linear(workspace.gemm_workspace, normed, block.in_proj, nullptr, qkv);
  compute_token_tensors(params, normed, saved.attention.token_tensors);
  attention(params, qkv, training, saved.attention, workspace, heads);
  for (const int head : block.ablated_heads) ablate(params, head, block.uses_mean_ablation, heads);
  linear(workspace.gemm_workspace, heads, block.out_proj, nullptr, y);
  for (int r = 0; r < x.rows; ++r) kernels::add_row(y.row(r), x.row(r), x.columns);
}

void attention_block_backward(const AttentionBlock& block, const BatchedAttentionParams& params,
                              const ConstMatrixRef& x, SavedAttentionBlock& saved,
                              AttentionWorkspace& workspace, float* scratch, const MatrixRef& d_x) {
  const MatrixRef normed = as_matrix(saved.normed.data(), params, params.embed_dim()),
                  qkv = as_matrix(saved.qkv.data(), params, 3 * params.embed_dim()),
                  heads = as_matrix(saved.heads.data(), params, params.embed_dim()),
                  d_heads = as_matrix(scratch, params, params.embed_dim()),
                  d_qkv = as_matrix(scratch + element_count(params, params.embed_dim()), params,
                                    3 * params.embed_dim());
  linear_backward(workspace.gemm_workspace, heads, block.out_proj, d_x, d_heads, block.d_out_proj,
                  nullptr);
  attention_backward(params, qkv, heads, d_heads, saved.attention, workspace, d_qkv);
  const MatrixRef d_normed = d_heads;
  linear_backward(workspace.gemm_workspace, normed, block.in_proj, d_qkv, d_normed, block.d_in_proj,
                  nullptr);
  compute_token_tensors_backward(params, normed, saved.attention.token_tensors, d_normed);
  block.norm.backward(x, saved.norm.data(), d_normed, d_x);
}

}  // namespace phasor::nn
