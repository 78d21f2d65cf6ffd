#pragma once
// Attention of many short sequences at once, for training: what cpp/src/attention does for one long
// one, without a check, a copy or an allocation per item. Encodings enter by the same functions.
// The weights of a training step are kept (decision 27), so the backward pass forms no score again
// but for encodings of content.

#include "core/buffer.h"
#include "kernels/gemm.h"
#include "phasor/encoding.h"

namespace phasor::nn {

/// Items of a batch, of as many tokens each, at the same positions.
struct Sequences {
  int items = 0;
  int tokens = 0;
  int rows() const { return items * tokens; }
};

struct AttentionJob {
  Encoding* encoding = nullptr;
  Sequences size;
  int heads = 1;
  int head_width = 0;
  bool causal = false;
  double scale = 1;     ///< the factor on q.k
  Positions positions;  ///< of the tokens of one item, ascending
  /// The same for every item, one after the other; read where the encoding moves queries and keys
  Positions all_positions;

  int width() const { return heads * head_width; }
  /// Whether the encoding turns queries and keys.
  bool moves() const { return encoding->as_query_key() != nullptr; }
  /// How wide a head of queries and keys is then.
  int moved_width() const {
    const QueryKeyEncoding* transform = encoding->as_query_key();
    return transform != nullptr ? transform->transformed_width(head_width) : head_width;
  }
  /// Queries of one tile: its scores with all keys stay in the second cache.
  int tile_rows() const { return size.tokens < 64 ? size.tokens : 64; }
  /// The first key of a row that it does not see.
  int keys_of(int row) const { return causal ? row + 1 : size.tokens; }
};

/// What the backward pass needs of one layer.
struct SavedAttention {
  std::vector<float> weights{};  ///< (heads, items, tokens, tokens); columns of later keys are 0
  Tensor q{}, k{};  ///< (heads, items * tokens, moved width), where an encoding moves them
};

/// Memory that all layers work in.
class AttentionWorkspace {
 public:
  void reserve(const AttentionJob& job, bool training);
  static double bytes(const AttentionJob& job, bool training);

  MatrixRef tile(int rows, int columns) { return {tile_.data(), rows, columns, columns}; }
  MatrixRef bias(int rows, int columns) { return {bias_.data(), rows, columns, columns}; }
  MatrixRef products(int rows, int columns) { return {products_.data(), rows, columns, columns}; }

  kernels::Workspace gemm;
  // (heads, items * tokens, width), where q and k are moved: moved width, and that of before
  Tensor d_q{}, d_k{}, before{};

 private:
  Buffer tile_, bias_, products_;
};

/// Bytes of SavedAttention, with the weights or without.
double saved_bytes(const AttentionJob& job, bool training);

/// out (rows, width): the heads side by side. qkv (rows, 3 width) has the queries, keys and values
/// of all heads. `training` keeps the weights.
void attention(const AttentionJob& job, const ConstMatrixRef& qkv, bool training,
               SavedAttention& saved, AttentionWorkspace& work, const MatrixRef& out);

/// d_qkv (rows, 3 width) = dL/d(qkv); adds to the gradients of the encoding's parameters. `out` is
/// what attention has made, d_out (rows, width) is dL/d(out).
void attention_backward(const AttentionJob& job, const ConstMatrixRef& qkv,
                        const ConstMatrixRef& out, const ConstMatrixRef& d_out,
                        SavedAttention& saved, AttentionWorkspace& work, const MatrixRef& d_qkv);

}  // namespace phasor::nn
