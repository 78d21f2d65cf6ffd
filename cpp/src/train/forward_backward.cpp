#include <algorithm>

#include "kernels/vector_ops.h"
#include "nn/layers.h"
#include "train/transformer.h"

namespace phasor {

namespace {

double float_bytes(double rows, double columns) { return sizeof(float) * rows * columns; }

}  // namespace

nn::Norm TransformerNetwork::make_norm(int first_entry) const {
  const bool has_bias = norm_kind_ == nn::NormKind::layer_norm;
  return {norm_kind_, arena_->get_values(first_entry),
          has_bias ? arena_->get_values(first_entry + 1) : nullptr, arena_->get_grads(first_entry),
          has_bias ? arena_->get_grads(first_entry + 1) : nullptr};
}

nn::AttentionBlock TransformerNetwork::make_attention_block(std::size_t n) const {
  const LayerEntries& layer = layers_[n];
  nn::AttentionBlock block{make_norm(layer.norm1), arena_->value_matrix(layer.in_proj),
                           arena_->value_matrix(layer.out_proj), arena_->grad_matrix(layer.in_proj),
                           arena_->grad_matrix(layer.out_proj)};
  if (!ablated_heads_.empty()) block.ablated_heads = ablated_heads_[n];
  block.uses_mean_ablation = ablation_ == AblationType::mean;
  return block;
}

nn::FeedForward TransformerNetwork::make_feed_forward_block(const LayerEntries& layer) const {
  const bool has_bias = layer.up_bias >= 0;
  return {.norm = make_norm(layer.norm2),
          .activation = activation_,
          .up = arena_->value_matrix(layer.up),
          .down = arena_->value_matrix(layer.down),
          .up_bias = has_bias ? arena_->get_values(layer.up_bias) : nullptr,
          .down_bias = has_bias ? arena_->get_values(layer.down_bias) : nullptr,
          .d_up = arena_->grad_matrix(layer.up),
          .d_down = arena_->grad_matrix(layer.down),
          .d_up_bias = has_bias ? arena_->get_grads(layer.up_bias) : nullptr,
          .d_down_bias = has_bias ? arena_->get_grads(layer.down_bias) : nullptr};
}

MatrixRef TransformerNetwork::as_matrix(Buffer& buffer, int rows, int columns) const {
  return {buffer.data(), rows, columns, columns};
}

void TransformerNetwork::reserve(Activations& a, bool training) const {
  const auto ensure_size = [](Buffer& buffer, int rows, int columns) {
    const std::size_t size = static_cast<std::size_t>(rows) * static_cast<std::size_t>(columns);
    if (buffer.size() < size) buffer = Buffer(size);
  };
  const std::size_t n = layers_.size();
  if (a.workspace.gemm_workspace.level() != level_)
    a.workspace.gemm_workspace = kernels::Workspace(level_);
  a.residual_streams.resize(2 * n);
  a.attention.resize(n);
  a.feed_forward.resize(n);
  ensure_size(a.embeddings, rows(), embed_dim_);
  for (Buffer& stream : a.residual_streams) ensure_size(stream, rows(), embed_dim_);
  ensure_size(a.normed, rows(), embed_dim_);
  ensure_size(a.final_norm, rows(), 2);
  ensure_size(a.pooled, attention_params_.size.items, embed_dim_);
  ensure_size(a.logits, logit_rows(), sizes_.class_count);
  if (!training) return;
  ensure_size(a.d_stream, rows(), embed_dim_);
  ensure_size(a.d_normed, rows(), embed_dim_);
  int inner = 0;
  for (const LayerEntries& layer : layers_) {
    const nn::FeedForward block = make_feed_forward_block(layer);
    inner = std::max(inner, block.inner_dim() + block.up.rows);
  }
  ensure_size(a.scratch, rows(), std::max(4 * embed_dim_, embed_dim_ + inner));
}

double TransformerNetwork::bytes(int items, int tokens, bool training) const {
  const double rows = static_cast<double>(items) * tokens, n = layer_count();
  nn::BatchedAttentionParams params = attention_params_;
  params.size = {items, tokens};
  double sum = float_bytes(rows, (2 * n + 2) * embed_dim_ + 2) + float_bytes(items, embed_dim_) +
               float_bytes(sizes_.is_pooled ? items : rows, sizes_.class_count) +
               nn::AttentionWorkspace::bytes(params, training);
  // Computes sizes from the shapes of the weights, because buffers are only allocated in the first
  // step.
  double max_features = 0;
  for (const LayerEntries& layer : layers_) {
    const int up = arena_->entry(layer.up).shape[0], inner = arena_->entry(layer.down).shape[1];
    max_features = std::max(max_features, static_cast<double>(inner) + up);
    sum += nn::SavedAttentionBlock::bytes(params, training) +
           float_bytes(rows, embed_dim_ + up + inner + 2.0);
  }
  if (training)
    sum +=
        float_bytes(rows, 2 * embed_dim_ + std::max(4.0 * embed_dim_, embed_dim_ + max_features));
  return sum;
}

void TransformerNetwork::add_table(Activations& a, const MatrixRef& x) const {
  const TableEncoding* table = encoding_->as_table();
  if (table == nullptr) return;
  const std::vector<int> shape = {attention_params_.size.tokens, table->table_dim(embed_dim_)};
  if (a.table.shape != shape) {
    a.table = Tensor(shape);
    a.d_table = Tensor(shape);
  }
  table->table(attention_params_.positions, matrix(a.table));
  for (int r = 0; r < x.rows; ++r)
    kernels::add_row(x.row(r), matrix(a.table).row(r % attention_params_.size.tokens), shape[1]);
}

MatrixRef TransformerNetwork::forward(std::span<const int> tokens, bool training, Activations& a) {
  reserve(a, training);
  MatrixRef x = as_matrix(a.embeddings, rows(), embed_dim_);
  nn::embedding(tokens, arena_->value_matrix(embedding_entry_), embedding_scale_, x);
  add_table(a, x);
  for (std::size_t n = 0; n < layers_.size(); ++n) {
    const MatrixRef attention_stream = as_matrix(a.residual_streams[2 * n], rows(), embed_dim_),
                    feed_forward_stream =
                        as_matrix(a.residual_streams[2 * n + 1], rows(), embed_dim_);
    nn::attention_block(make_attention_block(n), make_attention_params(n), x, training,
                        a.attention[n], a.workspace, attention_stream);
    nn::feed_forward(a.workspace.gemm_workspace, make_feed_forward_block(layers_[n]),
                     attention_stream, a.feed_forward[n], feed_forward_stream);
    x = feed_forward_stream;
  }
  const MatrixRef normed = as_matrix(a.normed, rows(), embed_dim_);
  make_norm(final_norm_entry_).forward(x, normed, a.final_norm.data());
  MatrixRef head_input = normed;
  if (sizes_.is_pooled) {
    head_input = as_matrix(a.pooled, attention_params_.size.items, embed_dim_);
    nn::mean_pool(normed, attention_params_.size.tokens, head_input);
  }
  const MatrixRef logits = as_matrix(a.logits, logit_rows(), sizes_.class_count);
  nn::linear(a.workspace.gemm_workspace, head_input, arena_->value_matrix(output_head_entry_),
             is_tied_ ? nullptr : arena_->get_values(output_bias_entry_), logits);
  return logits;
}

void TransformerNetwork::backward(std::span<const int> tokens, Activations& a) {
  const MatrixRef d_logits = as_matrix(a.logits, logit_rows(), sizes_.class_count),
                  normed = as_matrix(a.normed, rows(), embed_dim_),
                  d_normed = as_matrix(a.d_normed, rows(), embed_dim_),
                  d_x = as_matrix(a.d_stream, rows(), embed_dim_);
  const ConstMatrixRef head = arena_->value_matrix(output_head_entry_);
  const MatrixRef d_head = arena_->grad_matrix(output_head_entry_);
  float* d_bias = is_tied_ ? nullptr : arena_->get_grads(output_bias_entry_);
  if (sizes_.is_pooled) {
    const MatrixRef pooled = as_matrix(a.pooled, attention_params_.size.items, embed_dim_),
                    d_pooled = as_matrix(a.scratch, attention_params_.size.items, embed_dim_);
    nn::linear_backward(a.workspace.gemm_workspace, pooled, head, d_logits, d_pooled, d_head,
                        d_bias);
    nn::mean_pool_backward(d_pooled, attention_params_.size.tokens, d_normed);
  } else {
    nn::linear_backward(a.workspace.gemm_workspace, normed, head, d_logits, d_normed, d_head,
                        d_bias);
  }
  kernels::fill(d_x.data, 0, d_x.rows * d_x.columns);
  make_norm(final_norm_entry_)
      .backward(residual_stream(a, layer_count()), a.final_norm.data(), d_normed, d_x);
  for (std::size_t n = layers_.size(); n-- > 0;) {
    const MatrixRef attention_stream = as_matrix(a.residual_streams[2 * n], rows(), embed_dim_);
    nn::feed_forward_backward(a.workspace.gemm_workspace, make_feed_forward_block(layers_[n]),
                              attention_stream, a.feed_forward[n], a.scratch.data(), d_x);
    nn::attention_block_backward(make_attention_block(n), make_attention_params(n),
                                 residual_stream(a, static_cast<int>(n)), a.attention[n],
                                 a.workspace, a.scratch.data(), d_x);
  }
  if (TableEncoding* table = encoding_->as_table();
      table != nullptr && !encoding_->parameters().empty()) {
    const MatrixRef d_table = matrix(a.d_table);
    kernels::fill(d_table.data, 0, d_table.rows * d_table.columns);
    for (int r = 0; r < d_x.rows; ++r)
      kernels::add_row(d_table.row(r % attention_params_.size.tokens), d_x.row(r), d_table.columns);
    table->table_backward(attention_params_.positions, d_table);
  }
  nn::embedding_backward(tokens, d_x, embedding_scale_, arena_->grad_matrix(embedding_entry_));
}

ConstMatrixRef TransformerNetwork::residual_stream(const Activations& a, int layer) const {
  const Buffer& buffer =
      layer == 0 ? a.embeddings : a.residual_streams[2 * static_cast<std::size_t>(layer) - 1];
  return {buffer.data(), rows(), embed_dim_, embed_dim_};
}

Tensor TransformerNetwork::attention_weights(const Activations& a) const {
  const int tokens = attention_params_.size.tokens;
  Tensor out({layer_count(), attention_params_.heads, tokens, tokens});
  float* to = out.data.data();
  const std::ptrdiff_t weights_per_head = static_cast<std::ptrdiff_t>(tokens) * tokens;
  for (const nn::SavedAttentionBlock& layer : a.attention) {
    const float* from = layer.attention.weights.data();
    for (int head = 0; head < attention_params_.heads; ++head, to += weights_per_head) {
      for (int r = 0; r < tokens; ++r)
        std::copy_n(from + r * tokens, attention_params_.visible_key_count(r), to + r * tokens);
      from += weights_per_head * attention_params_.size.items;
    }
  }
  return out;
}

}  // namespace phasor
