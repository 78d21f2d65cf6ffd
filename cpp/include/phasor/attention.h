#pragma once
// Multi-head attention with any positional encoding.

#include <cstdint>
#include <optional>
#include <vector>

#include "phasor/attention_options.h"
#include "phasor/encoding.h"
#include "phasor/result.h"

namespace phasor {

enum class Mask {
  none,
  /// A query sees the keys whose position is at most its own; query number i is at position_offset
  /// + i unless positions are given
  causal,
};

/// How the heads of a result are laid out in memory.
enum class OutputLayout {
  head_major,   ///< (heads, tokens, head_dim)
  token_major,  ///< (tokens, heads * head_dim), the heads side by side, as a projection takes it
};

/// Which of the large arrays are returned; the output always is.
struct RequestedOutputs {
  bool weights = false;
  bool scores = false;
  bool bias = false;
  bool pooled_weights = false;
  bool softmax_stats = false;  ///< row_max and row_sum, from which the backward pass can start
  bool sink_weights = false;   ///< rejected without sinks
  /// Weights, scores, bias and sink weights of this head only, (1, queries, keys) or (1, queries);
  /// of all heads unless given
  std::optional<int> head{};
};

/// The part of an axis that is pooled, and its resolution.
struct PoolingAxis {
  int begin = 0;  ///< the first query or key
  int end = 0;    ///< the one after the last; 0: to the end
  int cell_size =
      0;  ///< queries or keys in one cell; 0: as few as give at most PoolingConfig::size cells
};

/// A picture of the weights that needs no N x N memory: each cell has the mean and the largest of
/// the weights in it. Where cells are single weights, both are exact weights.
struct PoolingConfig {
  PoolingAxis rows;
  PoolingAxis columns;
  int size = 64;  ///< at most this many cells a side, where an axis does not say its cell
};

struct AttentionConfig {
  EncodingConfig encoding{};
  Mask mask = Mask::none;
  /// Sliding window: keys this many positions away, or more, are hidden, but for sink tokens
  std::optional<int> window{};
  /// (keys), or (batch, keys) in a batch; 0 hides a key; empty: every key is visible
  std::vector<std::uint8_t> key_mask{};
  /// Position of the first query when keys start at 0; keys - queries unless given
  std::optional<double> position_offset{};
  /// Positions of queries and keys instead: any finite numbers in any order, as in a padded batch,
  /// packed texts or patches. Give both or neither; a batch has them for each item, or once for
  /// all. The encoding, the mask and the window use them. Positions with several coordinates have
  /// no order, so mask and window then count tokens, with the last query at the last key.
  TokenPositions query_positions{}, key_positions{};
  /// Factor on q.k; the encoding's own or 1 / sqrt(head_dim) unless given
  std::optional<double> scale{};
  /// The tensors that the encoding needs of each token (Encoding::token_tensors), by name: of all
  /// keys, whose last tokens the queries are, or those from `position_offset` on. In a batch with
  /// its axis, (batch, ..)
  TokenTensors token_tensors{};
  RequestedOutputs outputs{};
  PoolingConfig pooling{};  ///< of `outputs.pooled_weights`
  /// Of the output and of its gradient, and of the gradients of q, k and v
  OutputLayout output_layout = OutputLayout::head_major;
  AttentionOptions options{};
};

struct AttentionResult {
  /// (heads, queries, v_head_dim), or (queries, heads * v_head_dim) if token_major
  Tensor output;
  Tensor weights;  ///< (heads, queries, keys); a row without a visible key is 0
  /// (heads, queries, keys), given to the softmax, so that a soft cap is in them; -infinity where
  /// masked
  Tensor scores;
  Tensor bias;                     ///< (heads, queries, keys), what the encoding added
  Tensor pooled_mean, pooled_max;  ///< (heads, cells of rows, cells of columns)
  Tensor sink_weights;             ///< (heads, queries): with the weights of the row they sum to 1
  /// Of each row, (heads * queries), the largest score, -infinity where it sees no key, and the sum
  /// of e^(score - row_max). Together they are the log-sum-exp, row_max + ln(row_sum). A sink is
  /// one of the scores in both. A layer without its output has those of the heads that were
  /// computed.
  std::vector<float> row_max;
  std::vector<double> row_sum;
};

/// softmax(scale * q k^T + bias + mask) v for each head.
/// q (heads, queries, head_dim), k (kv_heads, keys, head_dim), v (kv_heads, keys, v_head_dim);
/// kv_heads divides heads. Vaswani et al. 2017, equation 1; the bias is added after scaling, as in
/// Press et al. 2021 and Raffel et al. 2019. q and k are taken by value, because they are
/// transformed by their positions in place: move them in when you no longer need them. All three
/// may have a batch axis in front, (batch, heads, queries, head_dim) and so on; every result then
/// has it too, and each item is bitwise equal to the result of a separate call. The three are
/// row-major; contiguous() of tensor_view.h makes them from any other layout. Neither memory nor
/// time goes into an N x N matrix unless weights, scores or bias are wanted.
Result<AttentionResult> attention(Tensor q, Tensor k, const Tensor& v,
                                  const AttentionConfig& config);

/// The same with an encoding that already exists, made by create_encoding() or of your own class;
/// leave config.encoding at its default.
Result<AttentionResult> attention(Tensor q, Tensor k, const Tensor& v, const Encoding& encoding,
                                  const AttentionConfig& config);

/// Gradients of a loss with respect to attention's inputs. Shapes are those of the inputs, or
/// (tokens, heads * head_dim) if token_major; `parameters` are by name.
struct AttentionGradients {
  Tensor d_q;
  Tensor d_k;
  Tensor d_v;
  Gradients parameters;
  OptionGradients options;
  Gradients token_tensors;  ///< of the token tensors of the call
};

/// The backward pass of `attention`: d_output is dL/d(output), of the output's shape. The scores
/// are computed again tile by tile (Dao et al. 2022, algorithm 4), so that memory stays linear in
/// the length. `config.outputs` is not read. In a batch, gradients have the batch axis too, except
/// those of parameters, which are summed over it.
Result<AttentionGradients> attention_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const Tensor& d_output,
                                              const AttentionConfig& config);

/// The same with an encoding that is already made. The gradients of its parameters are added to
/// Parameter::grad, and AttentionGradients::parameters stays empty; after an error they are as they
/// were. `forward`: what attention has answered to the same arguments with outputs.softmax_stats;
/// nullptr computes it again. The answer to another q, k, mask or encoding is rejected, because its
/// rows do not sum to the same; v is not checked.
Result<AttentionGradients> attention_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const Tensor& d_output, Encoding& encoding,
                                              const AttentionConfig& config,
                                              const AttentionResult* forward = nullptr);

/// How a layer makes queries, keys and values from embeddings.
enum class Projections {
  identity,    ///< q = k = v = x
  orthogonal,  ///< x, at most 1024 wide, times three orthogonal matrices drawn from a seed
};

struct SelfAttentionConfig {
  int heads = 1;
  EncodingConfig encoding{};
  Mask mask = Mask::none;
  std::optional<int> window{};  ///< as in AttentionConfig
  double position_offset = 0;   ///< position of the first token
  std::optional<double> scale{};
  Projections projections = Projections::identity;
  std::uint32_t seed = 0;
  RequestedOutputs outputs{};
  /// false: the output is left empty and only what is wanted is computed, and only for the head
  /// outputs.head, as for a picture of its weights. Not for permutation_test, which compares
  /// outputs; a gradient does not read it.
  bool compute_output = true;
  AttentionOptions options{};
};

/// One attention layer: x (length, embed_dim) gets its positions, is projected and attends to
/// itself. The output is (length, embed_dim), the heads side by side. Every injection point is
/// allowed. A table with fewer channels than x (sin_cos has 2) is added to the first ones of x; one
/// with more is rejected.
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
