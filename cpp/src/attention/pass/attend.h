#pragma once
// The part that attention, layer, cache and gradients share: an encoding already made, positions
// already known, inputs already checked.

#include <algorithm>

#include "phasor/attention.h"

namespace phasor {

class Decay;

inline bool needs_full_rows(const Encoding& encoding) {
  const ContentBias* terms = encoding.as_content_bias();
  return terms != nullptr && terms->needs_full_rows();
}

struct AttendJob {
  const Encoding* encoding = nullptr;
  Positions queries;  ///< position of each query
  Positions keys;     ///< position of each key
  Mask mask = Mask::none;
  /// Keys this far away or farther are hidden; 0: no window
  int window = 0;
  const std::vector<std::uint8_t>* key_mask = nullptr;  ///< (keys) or nullptr
  double scale = 1;
  RequestedOutputs want;
  /// False: nothing but what is wanted is computed, and the output is left empty
  bool output = true;
  OutputLayout output_layout = OutputLayout::head_major;
  MapConfig map{};  ///< every axis complete
  /// What mask and window compare where it is not the positions
  Positions mask_queries{}, mask_keys{};
  /// What the call has brought with its tokens, (.., keys, ..) each, or nullptr; the first query is
  /// this key
  const TokenTensors* tokens = nullptr;
  int first_token = 0;
  /// Sums of its forget gates, or nullptr: attend and its gradient make them
  const Decay* decay = nullptr;
  /// First keys that are seen although the window would hide them
  int sink_tokens = 0;
  /// Float32 would not hold the scores or the sums (attention/pass/double_scores.h); attend finds
  /// it out
  bool in_double = false;

  /// Whether the arrays that are wanted have this head.
  bool shows(int head) const { return want.head.value_or(head) == head; }
};

/// What belongs to the method of the encoding: a window, and first tokens that are seen beyond it.
inline void add_sight(const Encoding& encoding, AttendJob& job) {
  const Encoding::Sight own = encoding.sight();
  if (own.window > 0) job.window = job.window > 0 ? std::min(job.window, own.window) : own.window;
  job.sink_tokens = std::max(job.sink_tokens, own.sink_tokens);
}

/// (.., heads, tokens, width), of which there must be room for a tensor, in this layout.
std::vector<int> returned_shape(std::vector<int> shape, OutputLayout layout);
/// The rows of one of `heads` heads, which its layout may leave apart: (heads, tokens, width) or
/// (tokens, heads * width).
MatrixRef head_rows(Tensor& t, int head, int heads);
inline ConstMatrixRef head_rows(const Tensor& t, int head, int heads) {
  return head_rows(const_cast<Tensor&>(t), head, heads);
}
/// (heads, tokens, width) -> (tokens, heads * width)
Tensor join_heads(const Tensor& x);

/// Makes the arrays of an answer, one after the other, so that each is tried beside those before
/// it. Output (heads, queries, value width), as the layout of the job leaves it; square (heads,
/// queries, keys)
Status allocate(const AttendJob& job, const std::vector<int>& output,
                const std::vector<int>& square, AttentionResult& out);
/// Memory for the softmax of the rows of so many heads, where it is wanted.
void reserve_softmax(const AttendJob& job, int heads, AttentionResult& out);
/// Queries and keys transformed by their positions, in place, where the encoding asks for it. k may
/// be the last keys only.
Status apply_position(const AttendJob& job, Tensor& q, Tensor& k);
/// Refuses a bias or an output that what the encoding adds has driven out of float32.
Status check_added(const AttendJob& job, const AttentionResult& result);

/// q (heads, queries, width) and k (kv_heads, keys, width) are transformed in place where the
/// encoding asks for it.
Status attend(Tensor& q, Tensor& k, const Tensor& v, const AttendJob& job, AttentionResult& out);

/// The backward pass. q and k as attend was given them; d_output as attend returns the output;
/// `forward` what attend has answered with want.softmax, or nullptr. What is learned is added to
/// the parameters of `encoding`, which is that of the job.
Status attend_gradient(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
                       const AttendJob& job, Encoding& encoding, const AttentionResult* forward,
                       AttentionGradients& out);

}  // namespace phasor
