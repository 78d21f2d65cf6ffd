#pragma once
// Multi-head attention with any positional encoding.

#include <cstdint>
#include <optional>
#include <vector>

#include "phasor/attention_options.h"
#include "phasor/encoding.h"
#include "phasor/result.h"
#include "phasor/tensor_view.h"

namespace phasor {

enum class Mask {
  none,
  /// A query sees the keys whose position is at most its own; query number i is at position_offset
  /// + i unless positions are given
  causal,
};

/// The memory layout of the heads of a result.
enum class OutputLayout {
  head_major,   ///< (heads, tokens, head_dim)
  token_major,  ///< (tokens, heads * head_dim), heads concatenated, as an output projection expects
};

/// The large arrays to return; the output is always returned.
struct RequestedOutputs {
  bool weights = false;
  bool scores = false;
  bool bias = false;
  bool pooled_weights = false;
  bool softmax_stats = false;  ///< row_max and row_sum, with which the backward pass can start
  bool sink_weights = false;   ///< rejected without sinks
  /// Weights, scores, bias and sink weights of this head only, (1, queries, keys) or (1, queries);
  /// default: all heads
  std::optional<int> head{};
};

/// The range of an axis that is pooled, and its resolution.
struct PoolingAxis {
  int begin = 0;  ///< the first query or key
  int end = 0;    ///< the one after the last; 0: to the end
  int cell_size =
      0;  ///< queries or keys in one cell; 0: as few as give at most PoolingConfig::size cells
};

/// Pooled weights, without N x N memory: each cell has the mean and the maximum of its weights.
/// Cells of size 1 are the exact weights.
struct PoolingConfig {
  PoolingAxis rows;
  PoolingAxis columns;
  int size = 64;  ///< at most this many cells per axis, for axes without a cell_size
};

/// A boolean tensor of any shape.
struct MaskTensor {
  std::vector<int> shape{};
  std::vector<std::uint8_t> data{};  ///< row-major; nonzero is true

  bool empty() const { return shape.empty() && data.empty(); }
};

struct AttentionConfig {
  EncodingConfig encoding{};
  Mask mask = Mask::none;
  /// Sliding window: keys at a distance of this or more are hidden, except sink tokens
  std::optional<int> window{};
  /// (keys), or (batch, keys) in a batch; 0 hides a key; empty: every key is visible
  std::vector<std::uint8_t> key_mask{};
  /// Visibility per query and key, like a boolean attn_mask of PyTorch's
  /// scaled_dot_product_attention: 0 hides the key from the query. (queries, keys), (heads,
  /// queries, keys) or (batch, heads, queries, keys); extents of 1 are broadcast. A key is visible
  /// if mask, window, segments, key mask and attn_mask all allow it; the mask of a prefix language
  /// model needs Mask::none
  MaskTensor attn_mask{};
  /// A float attn_mask, of the same shapes: added to the scores after the terms of the encoding,
  /// and not part of `outputs.bias`. -infinity hides the key
  Tensor attn_bias{};
  /// Position of the first query when keys start at 0; default: keys - queries
  std::optional<double> position_offset{};
  /// Positions of queries and keys instead: any finite numbers in any order, as in a padded batch
  /// or of patches. Give both or neither; a batch has them for each item, or once for all. The
  /// encoding, the mask and the window use them. Positions with several coordinates have no order,
  /// so mask and window then count tokens, with the last query at the last key. Under a causal mask
  /// two visible keys at one position are rejected unless segment ids say which text each is of.
  TokenPositions query_positions{}, key_positions{};
  /// Packed texts: the text of each query and each key, from 0. Tokens of different texts never see
  /// each other, and every text has the result of a separate call: its positions start at 0 unless
  /// positions are given. (queries) and (keys), or (batch, ..); both or neither, and not with
  /// `position_offset`. SegmentIds of JAX; from cumulative lengths by segment_ids().
  std::vector<int> query_segment_ids{}, key_segment_ids{};
  /// Factor on q.k; default: the encoding's, or 1 / sqrt(head_dim)
  std::optional<double> scale{};
  /// The token tensors of the encoding (Encoding::token_tensors), by name: of all keys, with the
  /// queries last or from `position_offset` on. In a batch with its axis, (batch, ..)
  TokenTensors token_tensors{};
  RequestedOutputs outputs{};
  PoolingConfig pooling{};  ///< of `outputs.pooled_weights`
  /// The layout of the output and its gradient, and of the gradients of q, k and v
  OutputLayout output_layout = OutputLayout::head_major;
  AttentionOptions options{};
};

struct AttentionResult {
  /// (heads, queries, v_head_dim), or (queries, heads * v_head_dim) if token_major
  Tensor output;
  Tensor weights;  ///< (heads, queries, keys); a row without a visible key is 0
  /// (heads, queries, keys): the input of the softmax, after the soft cap; -infinity where masked
  Tensor scores;
  Tensor bias;                     ///< (heads, queries, keys), the terms added by the encoding
  Tensor pooled_mean, pooled_max;  ///< (heads, cells of rows, cells of columns)
  Tensor sink_weights;             ///< (heads, queries); they sum to 1 with the weights of the row
  /// Per row, (heads * queries): the largest score (-infinity without a visible key) and the sum of
  /// e^(score - row_max). Together they are the log-sum-exp, row_max + ln(row_sum). Both include a
  /// sink. A layer without output has only the computed heads.
  std::vector<float> row_max;
  std::vector<double> row_sum;
};

/// softmax(scale * q k^T + bias + mask) v for each head. q (heads, queries, head_dim), k (kv_heads,
/// keys, head_dim), v (kv_heads, keys, v_head_dim); kv_heads divides heads. Vaswani et al. 2017,
/// equation 1; the bias is added after scaling, as in Press et al. 2021 and Raffel et al. 2019. q
/// and k are copied if positions or a norm transform them: move both if they are not needed
/// afterwards, and they are transformed in place. All three may have a batch axis in front, (batch,
/// heads, queries, head_dim) and so on; every result then has it too, and each item is bitwise
/// equal to the result of a separate call. The three are row-major; views have any layout. An N x N
/// matrix is formed only if weights, scores or bias are requested.
Result<AttentionResult> attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                  const AttentionConfig& config);
Result<AttentionResult> attention(Tensor&& q, Tensor&& k, const Tensor& v,
                                  const AttentionConfig& config);

/// The same with an existing encoding, from create_encoding() or a class of the caller; leave
/// config.encoding at its default.
Result<AttentionResult> attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                  const Encoding& encoding, const AttentionConfig& config);
Result<AttentionResult> attention(Tensor&& q, Tensor&& k, const Tensor& v, const Encoding& encoding,
                                  const AttentionConfig& config);

/// The same for views in any layout, such as those of split_heads() and split_qkv(). v is read
/// where it is, unless its last axis has strides; q and k are gathered into the memory in which
/// they are transformed.
Result<AttentionResult> attention(const TensorView& q, const TensorView& k, const TensorView& v,
                                  const AttentionConfig& config);
Result<AttentionResult> attention(const TensorView& q, const TensorView& k, const TensorView& v,
                                  const Encoding& encoding, const AttentionConfig& config);

/// Gradients of a loss with respect to attention's inputs. Shapes are those of the inputs, or
/// (tokens, heads * head_dim) if token_major; `parameters` are by name.
struct AttentionGradients {
  Tensor d_q;
  Tensor d_k;
  Tensor d_v;
  Gradients parameters;
  OptionGradients options;
  Gradients token_tensors;  ///< gradients of the call's token tensors
  /// Shape of attn_bias, summed over broadcast extents; 0 where it is -infinity
  Tensor d_attn_bias{};
};

/// The backward pass of `attention`: d_output is dL/d(output), of the output's shape. The scores
/// are computed again tile by tile (Dao et al. 2022, algorithm 4), so that memory stays linear in
/// the length. `config.outputs` is not read. In a batch, gradients have the batch axis too, except
/// those of parameters, which are summed over it.
Result<AttentionGradients> attention_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const Tensor& d_output,
                                              const AttentionConfig& config);

/// The same with an existing encoding. The gradients of its parameters are added to
/// Parameter::grad, and AttentionGradients::parameters stays empty; an error leaves them unchanged.
/// `forward`: the result of attention for the same arguments with outputs.softmax_stats; nullptr
/// recomputes it. The result for another q, k, mask or encoding is rejected, because its row sums
/// differ; v is not checked.
Result<AttentionGradients> attention_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const Tensor& d_output, Encoding& encoding,
                                              const AttentionConfig& config,
                                              const AttentionResult* forward = nullptr);

/// The projections of a layer from embeddings to queries, keys and values.
enum class Projections {
  identity,    ///< q = k = v = x
  orthogonal,  ///< x, at most 1024 channels, times three random orthogonal matrices
};

struct SelfAttentionConfig {
  int heads = 1;
  EncodingConfig encoding{};
  Mask mask = Mask::none;
  std::optional<int> window{};  ///< as in AttentionConfig
  double position_offset = 0;   ///< position of the first token of every segment
  /// Packed texts: the text of each token, (length), as in AttentionConfig; empty: one text
  std::vector<int> segment_ids{};
  std::optional<double> scale{};
  Projections projections = Projections::identity;
  std::uint32_t seed = 0;
  RequestedOutputs outputs{};
  /// false: the output is left empty and only the requested arrays are computed, for the head
  /// outputs.head only, as for a picture of its weights. Not for permutation_test, which compares
  /// outputs; a backward pass ignores it.
  bool compute_output = true;
  AttentionOptions options{};
};

/// One attention layer: positions, projections and self-attention of x (length, embed_dim). The
/// output is (length, embed_dim), with the heads concatenated. Every injection point is allowed. A
/// table with fewer channels than x (sin_cos has 2) is added to the first ones of x; one with more
/// is rejected.
Result<AttentionResult> self_attention(const Tensor& x, const SelfAttentionConfig& config);

struct SelfAttentionGradients {
  Tensor d_x;  ///< (length, embed_dim)
  Gradients parameters;
  OptionGradients options;
};

/// The backward pass of `self_attention`: d_output (length, embed_dim) is dL/d(output). The
/// projections are fixed.
Result<SelfAttentionGradients> self_attention_backward(const Tensor& x, const Tensor& d_output,
                                                       const SelfAttentionConfig& config);

}  // namespace phasor
