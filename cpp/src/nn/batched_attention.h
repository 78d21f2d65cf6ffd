#pragma once
// Attention of many short sequences at once, for training: what cpp/src/attention does for one long
// one, without a check, a copy or an allocation per item. Encodings enter by the same functions.
// The weights of a training step are kept (decision 27), so the backward pass forms no score again
// but for encodings of content.

#include "core/buffer.h"
#include "kernels/gemm.h"
#include "phasor/encoding.h"
#include "phasor/tensor.h"

namespace phasor::nn {

/// Items of a batch, of as many tokens each, at the same positions.
struct Sequences {
  int items = 0;
  int tokens = 0;
  int rows() const { return items * tokens; }
};

/// The learned parameters within attention beside the projections; nullptr where it has none of it.
struct LearnedOptions {
  const float *sinks = nullptr, *q_norm = nullptr, *k_norm = nullptr;  // (heads), (head_dim)
  float *d_sinks = nullptr, *d_q_norm = nullptr, *d_k_norm = nullptr;
};

struct BatchedAttentionParams {
  Encoding* encoding = nullptr;
  Sequences size;
  int heads = 1;
  int head_dim = 0;
  bool causal = false;
  double scale = 1;     ///< the factor on q.k
  Positions positions;  ///< of the tokens of one item, ascending
  /// The same for every item, one after the other; read where the encoding moves queries and keys
  Positions all_positions;
  bool normalises = false;  ///< queries and keys, before the encoding
  LearnedOptions learned{};

  int embed_dim() const { return heads * head_dim; }
  /// Whether queries and keys are normalised or turned, so that they need memory of their own.
  bool moves() const { return normalises || encoding->as_query_key() != nullptr; }
  /// How wide a head of queries and keys is then.
  int moved_dim() const {
    const QueryKeyEncoding* transform = encoding->as_query_key();
    return transform != nullptr ? transform->transformed_dim(head_dim) : head_dim;
  }
  /// Queries of one tile: its scores with all keys stay in the second cache.
  int tile_rows() const { return size.tokens < 64 ? size.tokens : 64; }
  /// The first key of a row that it does not see.
  int keys_of(int row) const { return causal ? row + 1 : size.tokens; }
};

/// The token tensors of each item, for an encoding that needs them, and the gradients of
/// that.
struct TokenTensorBatch {
  std::vector<TokenTensors> items{}, d_items{};
};

/// The data that the backward pass needs of one layer.
struct SavedAttention {
  std::vector<float> weights{};  ///< (heads, items, tokens, tokens); columns of later keys are 0
  Tensor q{}, k{};               ///< (heads, items * tokens, moved_dim), where they are moved
  Buffer sizes{};                ///< (2, heads, items * tokens): 1 / root mean square of q and k
  TokenTensorBatch tokens{};
};

/// Memory that all layers work in.
class AttentionWorkspace {
 public:
  void reserve(const BatchedAttentionParams& job, bool training);
  static double bytes(const BatchedAttentionParams& job, bool training);

  MatrixRef tile(int rows, int columns) { return {tile_.data(), rows, columns, columns}; }
  MatrixRef bias(int rows, int columns) { return {bias_.data(), rows, columns, columns}; }
  MatrixRef products(int rows, int columns) { return {products_.data(), rows, columns, columns}; }

  kernels::Workspace gemm;
  // (heads, items * tokens, head_dim), where q and k are moved: moved_dim, and that of before
  Tensor d_q{}, d_k{}, before{};

 private:
  Buffer tile_, bias_, products_;
};

/// Bytes of SavedAttention, with the weights or without.
double saved_bytes(const BatchedAttentionParams& job, bool training);

/// out (rows, embed_dim): the heads side by side. qkv (rows, 3 embed_dim) has the queries, keys and
/// values of all heads. `training` keeps the weights.
void attention(const BatchedAttentionParams& job, const ConstMatrixRef& qkv, bool training,
               SavedAttention& saved, AttentionWorkspace& work, const MatrixRef& out);

/// d_qkv (rows, 3 embed_dim) = dL/d(qkv); adds to the gradients of the encoding's parameters. `out`
/// is what attention has made, d_out (rows, embed_dim) is dL/d(out).
void attention_backward(const BatchedAttentionParams& job, const ConstMatrixRef& qkv,
                        const ConstMatrixRef& out, const ConstMatrixRef& d_out,
                        SavedAttention& saved, AttentionWorkspace& work, const MatrixRef& d_qkv);

// The heads of a batch: views of the rows that a product has made, and queries and keys in memory
// of their own, normalised where the layer does that.

/// The rows of one item of what has the rows of all.
template <class T>
MatrixView<T> item_of(MatrixView<T> m, const BatchedAttentionParams& job, int item) {
  return rows_of(m, item * job.size.tokens, job.size.tokens);
}

/// Queries, keys (part 0 and 1) or values (2) of one head: (rows, head_dim).
template <class T>
MatrixView<T> head_of(const BatchedAttentionParams& job, MatrixView<T> qkv, int part, int head) {
  return kernels::columns_of(qkv, part * job.embed_dim() + head * job.head_dim, job.head_dim);
}

/// to (heads, rows, head_dim): queries or keys (part 0 or 1) of qkv, normalised.
void gather_heads(const BatchedAttentionParams& job, const ConstMatrixRef& qkv, int part,
                  SavedAttention& saved, Tensor& to);
/// Backward: d is dL/d(what take() has made); adds to the weights of the norm. Where there
/// is one, d_qkv is 0 before.
void scatter_heads(const BatchedAttentionParams& job, const ConstMatrixRef& qkv, int part,
                   SavedAttention& saved, const Tensor& d, const MatrixRef& d_qkv);

// torch.softmax and torch.log_softmax over the last axis.

/// x (rows, n) becomes e^x / sum e^x. A -infinity gives exactly 0; a row of nothing else gives 0.
void softmax(const MatrixRef& x);

/// x (rows, n) becomes x - log sum e^x, formed in double.
void log_softmax(const MatrixRef& x);

/// d_x (rows, n) = y (d_y - sum d_y y), where y (rows, n) is what softmax has made.
void softmax_backward(const ConstMatrixRef& y, const ConstMatrixRef& d_y, const MatrixRef& d_x);

}  // namespace phasor::nn
