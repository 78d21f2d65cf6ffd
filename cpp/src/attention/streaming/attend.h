#pragma once
// Attention on validated inputs with resolved defaults, used by attention, layers and caches.

#include <algorithm>
#include <limits>
#include <span>

#include "core/strided.h"
#include "kernels/attention_kernels.h"
#include "phasor/attention.h"
#include "phasor/encoding.h"

namespace phasor {

/// The score of a hidden key, and the sink logit of a head without a sink.
inline constexpr float kMinusInfinity = -std::numeric_limits<float>::infinity();

class Decay;

inline bool needs_full_rows(const Encoding& encoding) {
  const ContentBias* content_bias = encoding.as_content_bias();
  return content_bias != nullptr && content_bias->needs_full_rows();
}

class SinkQueries;

/// A strided view (heads, queries, keys). The stride of a broadcast axis is 0.
template <class T>
struct PairView {
  T* data = nullptr;
  std::ptrdiff_t head_stride = 0, row_stride = 0, key_stride = 0;

  bool empty() const { return data == nullptr; }
  T* at(int h, int r, int k) const {
    return data + head_stride * h + row_stride * r + key_stride * k;
  }
};

struct AttentionParams {
  const Encoding* encoding = nullptr;
  Positions queries;
  Positions keys;
  Mask mask = Mask::none;
  /// Keys at a distance of `window` or more are hidden; 0: no window
  int window = 0;
  const std::vector<std::uint8_t>* key_mask = nullptr;  ///< (keys) or nullptr
  /// Segment ids (queries) and (keys). Tokens see only their own segment. If empty, all tokens are
  /// in one segment.
  std::span<const int> query_segments{}, key_segments{};
  PairView<const std::uint8_t> attn_mask{};
  PairView<const float> attn_bias{};
  PairView<double> d_attn_bias{};  ///< accumulates the gradient of attn_bias in a backward pass
  double scale = 1;
  RequestedOutputs outputs;
  /// false: computes only the requested arrays and leaves the output empty
  bool compute_output = true;
  OutputLayout output_layout = OutputLayout::head_major;
  PoolingConfig pooling{};  ///< with default ends and cell sizes resolved
  /// Positions for the mask and the window, if they differ from those for the encoding
  Positions mask_queries{}, mask_keys{};
  const TokenTensors* tokens = nullptr;
  int first_token = 0;  ///< index of the first query's token among the keys
  /// Cumulative sums of log gates; set by attend and its backward pass
  const Decay* decay = nullptr;
  int encoding_sink_tokens = 0;
  /// True if scores or sums may exceed float32 (attention/streaming/scores_float64.h); set by
  /// attend
  bool use_float64 = false;
  /// Validated options (attention/validate/attention_options.h), or nullptr
  const AttentionOptions* options = nullptr;
  /// Queries transformed at their sink positions, for SinkPositions::cache
  const SinkQueries* sink_queries = nullptr;
  /// Number of query heads that are computed together because they share keys (GroupPass)
  int group_size = 1;
  const kernels::AttentionKernels* kernels =
      &kernels::attention_kernels(kernels::IsaLevel::portable);

  /// Number of leading keys that stay visible outside the window.
  int sink_tokens() const {
    return std::max(encoding_sink_tokens, options != nullptr ? options->sink_tokens : 0);
  }
  /// True if segments, attn_mask or attn_bias may hide a key from some queries only.
  bool has_pair_masks() const {
    return !query_segments.empty() || !attn_mask.empty() || !attn_bias.empty();
  }
  bool uses_cache_positions() const {
    return options != nullptr && options->sink_tokens > 0 &&
           options->sink_positions == SinkPositions::cache;
  }

  bool has_sinks() const { return options != nullptr && !options->sinks.empty(); }
  /// The sink logit of a head; -infinity if the call has no sinks.
  float sink(int head) const {
    return has_sinks() ? options->sinks.data[static_cast<std::size_t>(head)] : kMinusInfinity;
  }

  const QkNorm* qk_norm() const {
    return options != nullptr && options->qk_norm ? &*options->qk_norm : nullptr;
  }
  bool normalises(QkNorm::Order order) const {
    return qk_norm() != nullptr && qk_norm()->order == order;
  }
  /// The soft cap of the scores; 0 if there is none.
  double softcap() const { return options != nullptr ? options->softcap.value_or(0) : 0; }
  bool caps_bias() const { return options != nullptr && options->cap_includes_bias; }

  bool returns_head(int head) const { return outputs.head.value_or(head) == head; }
  bool computes_one_head() const { return !compute_output && outputs.head.has_value(); }
  bool computes_head(int head) const { return compute_output || returns_head(head); }
  int threads() const { return options != nullptr ? options->threads : 1; }
};

inline const kernels::AttentionKernels& select_kernels(const AttentionOptions& options) {
  return kernels::attention_kernels(options.portable ? kernels::IsaLevel::portable
                                                     : kernels::best_level());
}

/// Intersects the call's window with the encoding's, and sets the encoding's sink tokens.
inline void apply_encoding_window(const Encoding& encoding, AttentionParams& params) {
  const Encoding::SlidingWindow encoding_window = encoding.sliding_window();
  if (encoding_window.size > 0)
    params.window =
        params.window > 0 ? std::min(params.window, encoding_window.size) : encoding_window.size;
  params.encoding_sink_tokens = encoding_window.sink_tokens;
}

/// Converts the shape (.., heads, tokens, head_dim) to `layout`. The caller must check the size of
/// the array.
std::vector<int> shape_in_layout(std::vector<int> shape, OutputLayout layout);
/// The rows (tokens, head_dim) of one head of t (heads, tokens, head_dim) or (tokens, heads *
/// head_dim).
MatrixRef head_rows(Tensor& t, int head, int heads);
inline ConstMatrixRef head_rows(const Tensor& t, int head, int heads) {
  return head_rows(const_cast<Tensor&>(t), head, heads);
}
/// (heads, tokens, head_dim) -> (tokens, heads * head_dim)
Tensor join_heads(const Tensor& x);

/// Allocates the arrays of a result after checking memory. `output_shape` is (heads, queries,
/// v_head_dim) and is converted to params.output_layout; `scores_shape` is (heads, queries, keys).
Status allocate(const AttentionParams& params, const std::vector<int>& output_shape,
                const std::vector<int>& scores_shape, AttentionResult& out);
void allocate_softmax(const AttentionParams& params, int heads, AttentionResult& out);
/// Applies the norm and the encoding to queries and keys, in place. k may contain only the last
/// keys.
Status apply_position(const AttentionParams& params, Tensor& q, Tensor& k);
Status apply_position(const AttentionParams& params, Role role, Positions positions, Tensor& x);
/// The backward pass of apply_position(). On entry, d_x is the gradient of the transformed x; on
/// exit, it is the gradient of x (heads, tokens, head_dim). Adds to the gradients of the norm's
/// weight, of the encoding's parameters and of the token tensors. `encoding` must be the encoding
/// of `params`.
void apply_position_backward(const AttentionParams& params, Encoding& encoding, Role role,
                             Positions positions, const Tensor& x, Tensor& d_x, Tensor& d_weight,
                             Gradients& token_tensors);
/// Rejects a bias or an output that exceeds float32 because of the encoding's terms.
Status check_encoding_terms(const AttentionParams& params, const AttentionResult& result);

/// One matrix (keys, v_head_dim) per kv head, in the caller's memory (core/strided.h).
using ValuesByHead = std::span<const ConstMatrixRef>;

/// Computes the attention of q (heads, queries, head_dim) to k (kv_heads, keys, head_dim).
/// Transforms q and k in place with apply_position().
Status attend(Tensor& q, Tensor& k, ValuesByHead v, AttentionParams params, AttentionResult& out);
/// Same as above, but leaves q and k unchanged. Copies them only if apply_position() would change
/// them.
Status attend(const Tensor& q, const Tensor& k, ValuesByHead v, AttentionParams params,
              AttentionResult& out);

/// The backward pass of attend() for the same q and k. d_output has the output's layout. `forward`
/// is the result of attend() with outputs.softmax_stats, or nullptr. Adds the gradients of the
/// parameters to `encoding`, which must be the encoding of `params`.
Status attend_backward(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
                       const AttentionParams& params, Encoding& encoding,
                       const AttentionResult* forward, AttentionGradients& out);

Status check_gradients(Encoding& encoding);
/// Moves the gradients out of the parameters. Returns zeros for a parameter without a gradient.
Gradients take_gradients(Encoding& encoding);

}  // namespace phasor
