#pragma once
// Attention over many short sequences at once, for training. Unlike cpp/src/attention, it does not
// check, copy or allocate anything per item. Both use the same encoding functions. Training saves
// the attention weights, so the backward pass recomputes scores only for content-dependent
// encodings (docs/decisions/0027-training.md).

#include "core/buffer.h"
#include "kernels/gemm.h"
#include "phasor/encoding.h"
#include "phasor/tensor.h"

namespace phasor::nn {

struct BatchShape {
  int items = 0;
  int tokens = 0;
  int rows() const { return items * tokens; }
};

/// The learned parameters of attention other than the projections, and their gradients; nullptr for
/// parameters that the layer does not have.
struct LearnedParams {
  const float *sinks = nullptr, *q_norm = nullptr, *k_norm = nullptr;  // (heads), (head_dim)
  float *d_sinks = nullptr, *d_q_norm = nullptr, *d_k_norm = nullptr;
};

struct BatchedAttentionParams {
  Encoding* encoding = nullptr;
  BatchShape size;
  int heads = 1;
  int head_dim = 0;
  bool causal = false;
  double scale = 1;     ///< multiplies q.k
  Positions positions;  ///< positions of the tokens of one item, in ascending order
  /// `positions`, repeated for each item. Only set if the encoding transforms queries and keys
  Positions repeated_positions;
  /// If true, queries and keys are normalised before the encoding transforms them
  bool has_qk_norm = false;
  LearnedParams learned_params{};

  int embed_dim() const { return heads * head_dim; }
  /// True if queries and keys are normalised or transformed, so that attention needs a copy of
  /// them.
  bool has_transformed_heads() const { return has_qk_norm || encoding->as_query_key() != nullptr; }
  int transformed_dim() const {
    const QueryKeyEncoding* query_key_encoding = encoding->as_query_key();
    return query_key_encoding != nullptr ? query_key_encoding->transformed_dim(head_dim) : head_dim;
  }
  /// The number of queries per tile, chosen so that the scores of a tile fit into the L2 cache.
  int tile_rows() const { return size.tokens < 64 ? size.tokens : 64; }
  int visible_key_count(int row) const { return causal ? row + 1 : size.tokens; }
};

/// The token tensors of all items and their gradients; empty if the encoding needs none.
struct TokenTensorBatch {
  std::vector<TokenTensors> items{}, d_items{};
};

struct SavedAttention {
  std::vector<float> weights{};  ///< (heads, items, tokens, tokens); 0 for hidden keys
  /// Set if has_transformed_heads(): (heads, items * tokens, transformed_dim)
  Tensor q{}, k{};
  Buffer inverse_rms{};  ///< (2, heads, items * tokens): 1 / root mean square of each q and k
  TokenTensorBatch token_tensors{};
};

/// Working memory that is shared by all layers.
class AttentionWorkspace {
 public:
  void reserve(const BatchedAttentionParams& params, bool training);
  static double bytes(const BatchedAttentionParams& params, bool training);

  MatrixRef tile(int rows, int columns) { return {tile_.data(), rows, columns, columns}; }
  MatrixRef bias(int rows, int columns) { return {bias_.data(), rows, columns, columns}; }
  MatrixRef products(int rows, int columns) { return {products_.data(), rows, columns, columns}; }

  kernels::Workspace gemm_workspace;
  // Shapes: d_q and d_k (heads, items * tokens, transformed_dim), untransformed_inputs (heads,
  // items * tokens, head_dim).
  Tensor d_q{}, d_k{}, untransformed_inputs{};

 private:
  Buffer tile_, bias_, products_;
};

/// Size of SavedAttention in bytes. Without `training`, attention weights are not saved.
double saved_bytes(const BatchedAttentionParams& params, bool training);

/// Computes the attention of all heads from qkv (rows, 3 embed_dim), which contains their queries,
/// keys and values. out (rows, embed_dim) receives the concatenated outputs of the heads. With
/// `training`, the attention weights are saved.
void attention(const BatchedAttentionParams& params, const ConstMatrixRef& qkv, bool training,
               SavedAttention& saved, AttentionWorkspace& workspace, const MatrixRef& out);

/// Computes d_qkv (rows, 3 embed_dim) = dL/d(qkv), and adds to the gradients of the encoding's
/// parameters and of learned_params. `out` is the result of attention(), and d_out (rows,
/// embed_dim) is dL/d(out).
void attention_backward(const BatchedAttentionParams& params, const ConstMatrixRef& qkv,
                        const ConstMatrixRef& out, const ConstMatrixRef& d_out,
                        SavedAttention& saved, AttentionWorkspace& workspace,
                        const MatrixRef& d_qkv);

template <class T>
MatrixView<T> select_item(MatrixView<T> m, const BatchedAttentionParams& params, int item) {
  return rows_of(m, item * params.size.tokens, params.size.tokens);
}

/// The queries, keys or values of one head, (rows, head_dim). `qkv_index` is 0, 1 or 2.
template <class T>
MatrixView<T> select_head(const BatchedAttentionParams& params, MatrixView<T> qkv, int qkv_index,
                          int head) {
  return kernels::columns_of(qkv, qkv_index * params.embed_dim() + head * params.head_dim,
                             params.head_dim);
}

}  // namespace phasor::nn
