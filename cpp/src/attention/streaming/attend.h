#pragma once
// The core of attention, layers, caches and backward passes, for an existing encoding, known
// positions and validated inputs.

#include <algorithm>
#include <limits>
#include <span>

#include "core/strided.h"
#include "kernels/attention_kernels.h"
#include "phasor/attention.h"
#include "phasor/encoding.h"

namespace phasor {

class Decay;

inline bool needs_full_rows(const Encoding& encoding) {
  const ContentBias* terms = encoding.as_content_bias();
  return terms != nullptr && terms->needs_full_rows();
}

class SinkQueries;

/// An array (heads, queries, keys) by its strides, which are 0 where an extent of 1 is broadcast.
template <class T>
struct PairView {
  T* data = nullptr;
  std::ptrdiff_t head = 0, row = 0, key = 0;

  bool empty() const { return data == nullptr; }
  T* at(int h, int r, int k) const { return data + head * h + row * r + key * k; }
};

struct AttentionParams {
  const Encoding* encoding = nullptr;
  Positions queries;  ///< position of each query
  Positions keys;     ///< position of each key
  Mask mask = Mask::none;
  /// Keys at this distance or more are hidden; 0: no window
  int window = 0;
  const std::vector<std::uint8_t>* key_mask = nullptr;  ///< (keys) or nullptr
  /// (queries) and (keys): tokens of different segments do not see each other; empty: one segment
  std::span<const int> query_segments{}, key_segments{};
  PairView<const std::uint8_t> attn_mask{};
  PairView<const float> attn_bias{};
  PairView<double> d_attn_bias{};  ///< receives its gradient in a backward pass
  double scale = 1;
  RequestedOutputs outputs;
  /// False: only requested arrays are computed, and the output is left empty
  bool compute_output = true;
  OutputLayout output_layout = OutputLayout::head_major;
  PoolingConfig pooling{};  ///< with all defaults resolved
  /// Positions used by mask and window, if they differ from those of the encoding
  Positions mask_queries{}, mask_keys{};
  /// The token tensors of the call, (.., keys, ..) each, or nullptr; the first query is this key
  const TokenTensors* tokens = nullptr;
  int first_token = 0;
  /// Cumulative sums of its log gates, or nullptr: attend and its backward pass compute them
  const Decay* decay = nullptr;
  /// Sink tokens of the encoding's own window
  int own_sink_tokens = 0;
  /// Scores or sums may exceed float32 (attention/streaming/scores_float64.h); set by attend
  bool use_float64 = false;
  const AttentionOptions* options =
      nullptr;  ///< validated (attention/validate/attention_options.h), or nullptr
  const SinkQueries* far = nullptr;  ///< queries for sink tokens with SinkPositions::cache
  /// Query heads that share keys and are computed together (GroupPass); 1: one after the other
  int group = 1;
  /// The inner loops, by AttentionOptions::portable
  const kernels::AttentionKernels* kernels = &kernels::attention_kernels(kernels::Level::portable);

  /// Number of first keys that stay visible outside the window.
  int sink_tokens() const {
    return std::max(own_sink_tokens, options != nullptr ? options->sink_tokens : 0);
  }
  /// Whether keys may be hidden from some queries other than by position.
  bool has_pair_masks() const {
    return !query_segments.empty() || !attn_mask.empty() || !attn_bias.empty();
  }
  bool uses_cache_positions() const {
    return options != nullptr && options->sink_tokens > 0 &&
           options->sink_positions == SinkPositions::cache;
  }

  bool has_sinks() const { return options != nullptr && !options->sinks.empty(); }
  /// The logit of a head's sink; -infinity without one.
  float sink(int head) const {
    return has_sinks() ? options->sinks.data[static_cast<std::size_t>(head)]
                       : -std::numeric_limits<float>::infinity();
  }

  /// nullptr without one.
  const QkNorm* qk_norm() const {
    return options != nullptr && options->qk_norm ? &*options->qk_norm : nullptr;
  }
  bool normalises(QkNorm::Order order) const {
    return qk_norm() != nullptr && qk_norm()->order == order;
  }
  /// The soft cap of the scores; 0 without one.
  double softcap() const { return options != nullptr ? options->softcap.value_or(0) : 0; }
  bool caps_bias() const { return options != nullptr && options->cap_includes_bias; }

  /// Whether the requested arrays include this head.
  bool returns_head(int head) const { return outputs.head.value_or(head) == head; }
  bool computes_one_head() const { return !compute_output && outputs.head.has_value(); }
  bool computes_head(int head) const { return compute_output || returns_head(head); }
  /// Threads that may be used.
  int threads() const { return options != nullptr ? options->threads : 1; }
};

/// The inner loops of a call with these options.
inline const kernels::AttentionKernels& kernels_of(const AttentionOptions& options) {
  return kernels::attention_kernels(options.portable ? kernels::Level::portable
                                                     : kernels::widest_level());
}

/// Intersects the window of the call with that of the encoding, and copies its sink tokens.
inline void apply_encoding_window(const Encoding& encoding, AttentionParams& job) {
  const Encoding::SlidingWindow own = encoding.sliding_window();
  if (own.size > 0) job.window = job.window > 0 ? std::min(job.window, own.size) : own.size;
  job.own_sink_tokens = own.sink_tokens;
}

/// (.., heads, tokens, head_dim), whose size must be checked before, in this layout.
std::vector<int> returned_shape(std::vector<int> shape, OutputLayout layout);
/// The rows of one of `heads` heads, by the layout: (heads, tokens, head_dim) or (tokens, heads *
/// head_dim).
MatrixRef head_rows(Tensor& t, int head, int heads);
inline ConstMatrixRef head_rows(const Tensor& t, int head, int heads) {
  return head_rows(const_cast<Tensor&>(t), head, heads);
}
/// (heads, tokens, head_dim) -> (tokens, heads * head_dim)
Tensor join_heads(const Tensor& x);

/// Allocates the arrays of a result, one after the other, so that memory is checked for each.
/// Output (heads, queries, v_head_dim) in the layout of the job; square (heads, queries, keys);
/// sink weights are (heads, queries)
Status allocate(const AttentionParams& job, const std::vector<int>& output,
                const std::vector<int>& square, AttentionResult& out);
/// Allocates the softmax statistics of so many heads, if requested.
void allocate_softmax(const AttentionParams& job, int heads, AttentionResult& out);
/// Applies the norm and the encoding to queries and keys, in place. k may be the last keys only.
Status apply_position(const AttentionParams& job, Tensor& q, Tensor& k);
/// The same for queries only or keys only, at these positions.
Status apply_position(const AttentionParams& job, Role role, Positions positions, Tensor& x);
/// The backward pass of apply_position: on entry d_x is the gradient after it, on exit that of x
/// (heads, tokens, head_dim). Adds to the gradients of the norm's weight, of the parameters of
/// `encoding` (that of the job), and of the token tensors.
void position_backward(const AttentionParams& job, Encoding& encoding, Role role,
                       Positions positions, const Tensor& x, Tensor& d_x, Tensor& d_weight,
                       Gradients& token_tensors);
/// Rejects a bias or an output that the terms of the encoding made exceed float32.
Status check_added(const AttentionParams& job, const AttentionResult& result);

/// The values of each kv head, (keys, v_head_dim), in the caller's memory (core/strided.h).
using HeadRows = std::span<const ConstMatrixRef>;

/// q (heads, queries, head_dim) and k (kv_heads, keys, head_dim) are transformed in place by
/// apply_position.
Status attend(Tensor& q, Tensor& k, HeadRows v, const AttentionParams& job, AttentionResult& out);
/// The same, with copies of q and k only if they are transformed.
Status attend(const Tensor& q, const Tensor& k, HeadRows v, const AttentionParams& job,
              AttentionResult& out);

/// The backward pass. q and k are the inputs of attend; d_output has the layout of the output;
/// `forward` is the result of attend with outputs.softmax_stats, or nullptr. Gradients of
/// parameters are added to `encoding`, which is that of the job.
Status attend_gradient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
                       const AttentionParams& job, Encoding& encoding,
                       const AttentionResult* forward, AttentionGradients& out);

// The accumulated gradients of the parameters of an encoding.

/// Rejects gradients of parameters that exceed float32.
Status check_gradients(Encoding& encoding);
/// The gradients by name; zeros for parameters without one.
Gradients take_gradients(Encoding& encoding);

}  // namespace phasor
