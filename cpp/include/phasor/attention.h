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
  /// A query attends only to keys at its own position or earlier ones. Query i is at
  /// position_offset + i unless query_positions are set
  causal,
};

/// The memory layout of the heads in a result.
enum class OutputLayout {
  head_major,   ///< (heads, tokens, head_dim)
  token_major,  ///< (tokens, heads * head_dim), heads concatenated, as an output projection expects
};

/// Results to return in addition to the output.
struct RequestedOutputs {
  bool weights = false;
  bool scores = false;
  bool bias = false;
  bool pooled_weights = false;
  bool softmax_stats = false;  ///< row_max and row_sum, which the backward pass can reuse
  bool sink_weights = false;   ///< requires sinks
  /// Returns the weights, scores and bias (1, queries, keys) and the sink weights (1, queries) of
  /// this head only; default: all heads
  std::optional<int> head{};
};

/// The range to pool along one axis, and the cell size.
struct PoolingAxis {
  int begin = 0;  ///< the first query or key
  int end = 0;    ///< one past the last query or key; 0: the end of the axis
  /// Queries or keys per cell; 0: the smallest number that gives at most PoolingConfig::size cells
  int cell_size = 0;
};

/// Pools attention weights into cells without allocating an N x N array. Each cell contains the
/// mean and the maximum of its weights; a cell of one query and one key contains the exact weight.
struct PoolingConfig {
  PoolingAxis rows;
  PoolingAxis columns;
  int size = 64;  ///< maximum number of cells of an axis whose cell_size is 0
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
  /// Sliding window: keys at a distance of `window` or more are hidden, except sink tokens
  std::optional<int> window{};
  /// (keys), or (batch, keys) in a batch; 0 hides a key; empty: every key is visible
  std::vector<std::uint8_t> key_mask{};
  /// Visibility of each key for each query, like the boolean attn_mask of PyTorch's
  /// scaled_dot_product_attention: 0 hides the key from the query. (queries, keys), (heads,
  /// queries, keys) or (batch, heads, queries, keys); extents of 1 are broadcast. A key is visible
  /// if mask, window, segments, key mask and attn_mask all allow it; a prefix-LM mask requires
  /// Mask::none, because Mask::causal hides later keys
  MaskTensor attn_mask{};
  /// A float attn_mask of the same shapes, added to the scores after the encoding's terms;
  /// -infinity hides the key. Not included in `outputs.bias`
  Tensor attn_bias{};
  /// Position of the first query, for keys at positions 0, 1, 2, ...; default: keys - queries
  std::optional<double> position_offset{};
  /// Positions of queries and keys, instead of position_offset: finite numbers in any order, for
  /// example for a padded batch or for image patches. Set both or neither, per batch item or once
  /// for all items. The encoding, the mask and the window use these positions. Positions with
  /// several coordinates have no order, so the mask and the window use token indices instead, with
  /// the last query at the last key. Under a causal mask two visible keys at one position are
  /// rejected unless segment ids or attn_mask are set.
  TokenPositions query_positions{}, key_positions{};
  /// For packed sequences: the segment id of each token, 0 or greater. Shapes are (queries) and
  /// (keys), or (batch, ...). Each segment gives the same result as a separate call. Positions
  /// start at 0 in every segment unless query_positions and key_positions are set. Set both or
  /// neither, without `position_offset`. Corresponds to SegmentIds in JAX; segment_ids() computes
  /// ids from cumulative lengths.
  std::vector<int> query_segment_ids{}, key_segment_ids{};
  /// Scale applied to q.k; default: the encoding's scale if it has one, otherwise 1 /
  /// sqrt(head_dim)
  std::optional<double> scale{};
  /// The encoding's token tensors (Encoding::token_tensors) by name, for all keys. The queries are
  /// the last tokens, or start at token `position_offset`. In a batch, each tensor has a leading
  /// batch axis
  TokenTensors token_tensors{};
  RequestedOutputs outputs{};
  PoolingConfig pooling{};  ///< for `outputs.pooled_weights`
  /// The layout of the output, of d_output, and of the gradients of q, k and v
  OutputLayout output_layout = OutputLayout::head_major;
  AttentionOptions options{};
};

struct AttentionResult {
  /// (heads, queries, v_head_dim), or (queries, heads * v_head_dim) if token_major
  Tensor output;
  Tensor weights;  ///< (heads, queries, keys); rows without a visible key are 0
  /// (heads, queries, keys): the input of the softmax; -infinity where masked
  Tensor scores;
  Tensor bias;                     ///< (heads, queries, keys), the terms added by the encoding
  Tensor pooled_mean, pooled_max;  ///< (heads, query cells, key cells)
  Tensor sink_weights;             ///< (heads, queries); 1 minus the sum of the row's weights
  /// row_max is the largest score of each row, or -infinity without a visible key; row_sum is the
  /// sum of e^(score - row_max). Both have shape (heads * queries) and include the sink. The
  /// log-sum-exp is row_max + ln(row_sum). With compute_output = false, they contain only the
  /// computed heads.
  std::vector<float> row_max;
  std::vector<double> row_sum;
};

/// softmax(scale * q k^T + bias + mask) v for each head. q (heads, queries, head_dim), k (kv_heads,
/// keys, head_dim), v (kv_heads, keys, v_head_dim); kv_heads divides heads. Vaswani et al. 2017,
/// equation 1; the bias is added after scaling, as in Press et al. 2021 and Raffel et al. 2019. If
/// positions or a norm transform q and k, they are copied, or transformed in place if both are
/// passed as rvalues. q, k and v may have a leading batch axis, (batch, heads, queries, head_dim)
/// and so on. Every result then has this axis too, and each batch item is bitwise equal to the
/// result of a separate call. Tensors are row-major; views may have any layout. An N x N matrix is
/// allocated only if weights, scores or bias are requested.
Result<AttentionResult> attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                  const AttentionConfig& config);
Result<AttentionResult> attention(Tensor&& q, Tensor&& k, const Tensor& v,
                                  const AttentionConfig& config);

/// Attention with an existing encoding, from create_encoding() or a user-defined class.
/// config.encoding must have its default value.
Result<AttentionResult> attention(const Tensor& q, const Tensor& k, const Tensor& v,
                                  const Encoding& encoding, const AttentionConfig& config);
Result<AttentionResult> attention(Tensor&& q, Tensor&& k, const Tensor& v, const Encoding& encoding,
                                  const AttentionConfig& config);

/// Attention on views in any layout, such as those of split_heads() and split_qkv(). q and k are
/// always copied; v is copied only if its last axis is not contiguous.
Result<AttentionResult> attention(const TensorView& q, const TensorView& k, const TensorView& v,
                                  const AttentionConfig& config);
Result<AttentionResult> attention(const TensorView& q, const TensorView& k, const TensorView& v,
                                  const Encoding& encoding, const AttentionConfig& config);

/// Gradients of a loss with respect to attention's inputs. Shapes are those of the inputs, or
/// (tokens, heads * head_dim) if token_major. `parameters` contains the gradients of the encoding's
/// learned parameters by name.
struct AttentionGradients {
  Tensor d_q;
  Tensor d_k;
  Tensor d_v;
  Gradients parameters;
  OptionGradients options;
  Gradients token_tensors;  ///< gradients of AttentionConfig::token_tensors
  /// In the shape of attn_bias, summed over broadcast extents; 0 where attn_bias is -infinity
  Tensor d_attn_bias{};
};

/// The backward pass of `attention`. d_output is dL/d(output), in the shape of the output. Scores
/// are recomputed tile by tile (Dao et al. 2022, algorithm 4), so that memory stays linear in the
/// length. `config.outputs` is ignored. In a batch, gradients have the batch axis too, except those
/// of parameters, which are summed over it.
Result<AttentionGradients> attention_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const Tensor& d_output,
                                              const AttentionConfig& config);

/// The backward pass with an existing encoding. Adds parameter gradients to Parameter::grad, and
/// leaves AttentionGradients::parameters empty; an error leaves Parameter::grad unchanged.
/// `forward` is the result of attention() for the same arguments with outputs.softmax_stats; if it
/// is nullptr, the forward pass is repeated. A result for a different q, k, mask or encoding is
/// rejected, because its row sums differ; v is not checked.
Result<AttentionGradients> attention_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const Tensor& d_output, Encoding& encoding,
                                              const AttentionConfig& config,
                                              const AttentionResult* forward = nullptr);

/// How a layer projects embeddings to queries, keys and values.
enum class Projections {
  identity,    ///< q = k = v = x
  orthogonal,  ///< x times three random orthogonal matrices; at most 1024 channels
};

struct SelfAttentionConfig {
  int heads = 1;
  EncodingConfig encoding{};
  Mask mask = Mask::none;
  std::optional<int> window{};  ///< as in AttentionConfig
  double position_offset = 0;   ///< position of the first token of each segment
  /// For packed sequences: the segment id of each token, (length), as in AttentionConfig; empty:
  /// one segment
  std::vector<int> segment_ids{};
  std::optional<double> scale{};
  Projections projections = Projections::identity;
  std::uint32_t seed = 0;
  RequestedOutputs outputs{};
  /// If false, computes only the results requested for head `outputs.head`, for example to plot its
  /// weights, and leaves the output empty. permutation_test requires true; the backward pass
  /// ignores this field.
  bool compute_output = true;
  AttentionOptions options{};
};

/// Computes one attention layer for x (length, embed_dim): positions, projections and
/// self-attention. The output is (length, embed_dim), with the heads concatenated. All injection
/// points are supported. A table with fewer channels than x (sin_cos has 2) is added to the first
/// channels of x; a table with more is rejected.
Result<AttentionResult> self_attention(const Tensor& x, const SelfAttentionConfig& config);

struct SelfAttentionGradients {
  Tensor d_x;  ///< (length, embed_dim)
  Gradients parameters;
  OptionGradients options;
};

/// The backward pass of `self_attention`: d_output (length, embed_dim) is dL/d(output). The
/// projections are not learned, so they have no gradients.
Result<SelfAttentionGradients> self_attention_backward(const Tensor& x, const Tensor& d_output,
                                                       const SelfAttentionConfig& config);

}  // namespace phasor
