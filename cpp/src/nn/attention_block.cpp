#include "nn/attention_block.h"

#include "kernels/vector_ops.h"
#include "nn/layers.h"
#include "nn/token_inputs.h"

namespace phasor::nn {

namespace {

MatrixRef rows_in(float* data, const BatchedAttentionParams& job, int columns) {
  return {data, job.size.rows(), columns, columns};
}

std::size_t element_count(const BatchedAttentionParams& job, int columns) {
  return static_cast<std::size_t>(job.size.rows()) * static_cast<std::size_t>(columns);
}

// Replaces the output of one head in every item. heads (rows, embed_dim)
void ablate(const BatchedAttentionParams& job, int head, bool use_mean, const MatrixRef& heads) {
  for (int item = 0; item < job.size.items; ++item) {
    const MatrixRef out =
        kernels::columns_of(item_of(heads, job, item), head * job.head_dim, job.head_dim);
    for (int column = 0; column < out.columns; ++column) {
      double sum = 0;
      for (int r = 0; use_mean && r < out.rows; ++r) sum += static_cast<double>(out.row(r)[column]);
      for (int r = 0; r < out.rows; ++r) out.row(r)[column] = static_cast<float>(sum / out.rows);
    }
  }
}

}  // namespace

void SavedAttentionBlock::reserve(const BatchedAttentionParams& job) {
  const auto ensure_size = [&](Buffer& buffer, int columns) {
    if (buffer.size() < element_count(job, columns)) buffer = Buffer(element_count(job, columns));
  };
  ensure_size(normed, job.embed_dim());
  ensure_size(qkv, 3 * job.embed_dim());
  ensure_size(heads, job.embed_dim());
  ensure_size(norm, 2);
}

double SavedAttentionBlock::bytes(const BatchedAttentionParams& job, bool training) {
  return sizeof(float) * (5.0 * job.embed_dim() + 2) * job.size.rows() + saved_bytes(job, training);
}

void attention_block(const AttentionBlock& block, const BatchedAttentionParams& job,
                     const ConstMatrixRef& x, bool training, SavedAttentionBlock& saved,
                     AttentionWorkspace& work, const MatrixRef& y) {
  saved.reserve(job);
  const MatrixRef normed = rows_in(saved.normed.data(), job, job.embed_dim()),
                  qkv = rows_in(saved.qkv.data(), job, 3 * job.embed_dim()),
                  heads = rows_in(saved.heads.data(), job, job.embed_dim());
  block.norm.forward(x, normed, saved.norm.data());
  linear(work.gemm, normed, block.in_proj, nullptr, qkv);
  compute_token_tensors(job, normed, saved.attention.tokens);
  attention(job, qkv, training, saved.attention, work, heads);
  for (const int head : block.ablated_heads) ablate(job, head, block.uses_mean_ablation, heads);
  linear(work.gemm, heads, block.out_proj, nullptr, y);
  for (int r = 0; r < x.rows; ++r) kernels::add_row(y.row(r), x.row(r), x.columns);
}

void attention_block_backward(const AttentionBlock& block, const BatchedAttentionParams& job,
                              const ConstMatrixRef& x, SavedAttentionBlock& saved,
                              AttentionWorkspace& work, float* scratch, const MatrixRef& d_x) {
  const MatrixRef normed = rows_in(saved.normed.data(), job, job.embed_dim()),
                  qkv = rows_in(saved.qkv.data(), job, 3 * job.embed_dim()),
                  heads = rows_in(saved.heads.data(), job, job.embed_dim()),
                  d_heads = rows_in(scratch, job, job.embed_dim()),
                  d_qkv = rows_in(scratch + element_count(job, job.embed_dim()), job,
                                  3 * job.embed_dim());
  linear_backward(work.gemm, heads, block.out_proj, d_x, d_heads, block.d_out_proj, nullptr);
  attention_backward(job, qkv, heads, d_heads, saved.attention, work, d_qkv);
  const MatrixRef d_normed = d_heads;
  linear_backward(work.gemm, normed, block.in_proj, d_qkv, d_normed, block.d_in_proj, nullptr);
  compute_token_tensors_backward(job, normed, saved.attention.tokens, d_normed);
  block.norm.backward(x, saved.norm.data(), d_normed, d_x);
}

}  // namespace phasor::nn
