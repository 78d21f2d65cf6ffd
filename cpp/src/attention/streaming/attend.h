#pragma once
// The part that attention, layer, cache and gradients share: an encoding already made, positions
// already known, inputs already checked.

#include <algorithm>
#include <limits>

#include "phasor/attention.h"
#include "phasor/encoding.h"

namespace phasor {

class Decay;

inline bool needs_full_rows(const Encoding& encoding) {
  const ContentBias* terms = encoding.as_content_bias();
  return terms != nullptr && terms->needs_full_rows();
}

class SinkQueries;

struct AttentionParams {
  const Encoding* encoding = nullptr;
  Positions queries;  ///< position of each query
  Positions keys;     ///< position of each key
  Mask mask = Mask::none;
  /// Keys this far away or farther are hidden; 0: no window
  int window = 0;
  const std::vector<std::uint8_t>* key_mask = nullptr;  ///< (keys) or nullptr
  double scale = 1;
  RequestedOutputs outputs;
  /// False: nothing but what is wanted is computed, and the output is left empty
  bool compute_output = true;
  OutputLayout output_layout = OutputLayout::head_major;
  PoolingConfig pooling{};  ///< every axis complete
  /// The positions that mask and window compare, where they differ from those of the encoding
  Positions mask_queries{}, mask_keys{};
  /// The token tensors of the call, (.., keys, ..) each, or nullptr; the first query is
  /// this key
  const TokenTensors* tokens = nullptr;
  int first_token = 0;
  /// Sums of its forget gates, or nullptr: attend and its gradient make them
  const Decay* decay = nullptr;
  /// First keys that the encoding's own window leaves visible
  int own_sink_tokens = 0;
  /// Float32 would not hold the scores or the sums (attention/streaming/scores_float64.h); attend
  /// finds it out
  bool use_float64 = false;
  const AttentionOptions* options =
      nullptr;  ///< checked (attention/validate/attention_options.h), or nullptr
  const SinkQueries* far = nullptr;  ///< of sink tokens that are numbered by the cache

  /// First keys that are seen although the window would hide them.
  int sink_tokens() const {
    return std::max(own_sink_tokens, options != nullptr ? options->sink_tokens : 0);
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

  /// Whether the arrays that are wanted have this head.
  bool returns_head(int head) const { return outputs.head.value_or(head) == head; }
};

/// Intersects the window of the call with that of the encoding, and takes over its sink tokens.
inline void apply_encoding_window(const Encoding& encoding, AttentionParams& job) {
  const Encoding::SlidingWindow own = encoding.sliding_window();
  if (own.size > 0) job.window = job.window > 0 ? std::min(job.window, own.size) : own.size;
  job.own_sink_tokens = own.sink_tokens;
}

/// (.., heads, tokens, head_dim), of which there must be room for a tensor, in this layout.
std::vector<int> returned_shape(std::vector<int> shape, OutputLayout layout);
/// The rows of one of `heads` heads, which its layout may leave apart: (heads, tokens, head_dim) or
/// (tokens, heads * head_dim).
MatrixRef head_rows(Tensor& t, int head, int heads);
inline ConstMatrixRef head_rows(const Tensor& t, int head, int heads) {
  return head_rows(const_cast<Tensor&>(t), head, heads);
}
/// (heads, tokens, head_dim) -> (tokens, heads * head_dim)
Tensor join_heads(const Tensor& x);

/// Makes the arrays of an answer, one after the other, so that each is tried beside those before
/// it. Output (heads, queries, v_head_dim), as the layout of the job leaves it; square (heads,
/// queries, keys); sink weights are (heads, queries)
Status allocate(const AttentionParams& job, const std::vector<int>& output,
                const std::vector<int>& square, AttentionResult& out);
/// Memory for the softmax of the rows of so many heads, where it is wanted.
void reserve_softmax(const AttentionParams& job, int heads, AttentionResult& out);
/// Queries and keys normalised, and transformed by their positions, in place, where the options and
/// the encoding ask for it. k may be the last keys only.
Status apply_position(const AttentionParams& job, Tensor& q, Tensor& k);
/// The same of queries or of keys, at these positions.
Status apply_position(const AttentionParams& job, Role role, Positions positions, Tensor& x);
/// The same backwards: on entry d_x is the gradient of what attention has seen, on exit that of x
/// (heads, tokens, head_dim). Adds to the gradients of the norm's weight, of what `encoding`, that
/// of the job, has learned, and of the tensors of tokens that it has read.
void position_backward(const AttentionParams& job, Encoding& encoding, Role role,
                       Positions positions, const Tensor& x, Tensor& d_x, Tensor& d_weight,
                       Gradients& token_tensors);
/// Rejects a bias or an output that what the encoding adds has driven out of float32.
Status check_added(const AttentionParams& job, const AttentionResult& result);

/// q (heads, queries, head_dim) and k (kv_heads, keys, head_dim) are moved in place as
/// apply_position does.
Status attend(Tensor& q, Tensor& k, const Tensor& v, const AttentionParams& job,
              AttentionResult& out);

/// The backward pass. q and k as attend was given them; d_output as attend returns the output;
/// `forward` what attend has answered with outputs.softmax_stats, or nullptr. What is learned is
/// added to the parameters of `encoding`, which is that of the job.
Status attend_gradient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
                       const AttentionParams& job, Encoding& encoding,
                       const AttentionResult* forward, AttentionGradients& out);

// The gradients that a backward pass has added to the parameters of an encoding.

/// Rejects gradients of parameters that have left float32.
Status check_gradients(Encoding& encoding);
/// The gradients of its parameters, by name; zeros where none has been added.
Gradients take_gradients(Encoding& encoding);

}  // namespace phasor
