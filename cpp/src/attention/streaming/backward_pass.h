#pragma once
// The backward pass of an attention call (attend_backward.cpp, and mixed_backward.cpp for encodings
// that mix heads).

#include <memory>
#include <optional>
#include <vector>

#include "attention/streaming/attend.h"
#include "attention/streaming/head_gradient.h"
#include "attention/streaming/multi_head_pass.h"
#include "attention/streaming/sink_queries.h"

namespace phasor {

/// Computes the gradients of all heads, one at a time or, if the encoding mixes heads, together.
class BackwardPass {
 public:
  BackwardPass(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
               const AttentionParams& params, Encoding& encoding, const AttentionResult* forward,
               AttentionGradients& out)
      : q_(q),
        k_(k),
        v_(v),
        d_output_(d_output),
        params_(params),
        encoding_(encoding),
        forward_(forward),
        out_(out),
        heads_(q.shape[0]),
        queries_(q.shape[1]),
        kv_heads_(k.shape[0]),
        keys_(k.shape[1]),
        v_head_dim_(v.shape[2]) {}

  Status run();

 private:
  // Applies the norm and the encoding to copies of q and k.
  Status transform();
  Status allocate();
  bool is_token_major() const { return params_.output_layout == OutputLayout::token_major; }
  HeadGradient::HeadTensors head_tensors(int head, const ConstMatrixRef& output,
                                         DotProductState* dot_product);
  void finish_sink(const HeadPass& pass, const HeadGradient::HeadTensors& h);
  Status run_each_head();
  Status run_heads_together();
  void backprop_mixed_block(MultiHeadPass& multi_head_pass, const std::vector<KeyBlock>& key_blocks,
                            std::vector<HeadGradient::HeadTensors>& heads,
                            std::vector<std::unique_ptr<HeadGradient>>& gradients,
                            Buffer& d_terms_buffer);
  // Converts the gradients of the transformed q and k to gradients of q and k.
  void transform_gradients();
  Status check();
  static Status forward_mismatch() {
    return invalid(
        "forward: row sums differ from those of this call; expected the result of attention with "
        "the same arguments");
  }

  const Tensor &q_, &k_, &v_, &d_output_;
  AttentionParams params_;
  Encoding& encoding_;
  const AttentionResult* forward_;
  AttentionGradients& out_;
  int heads_, queries_, kv_heads_, keys_, v_head_dim_;
  int head_dim_ = 0;
  bool grad_uses_float64_ = false;
  SinkQueries sink_queries_{};
  Tensor transformed_q_{}, transformed_k_{}, d_sink_q_{};
  std::optional<Decay> decay_{};
  std::optional<DecayGradient> d_decay_{};
  AttentionResult unused_result_{};
};

}  // namespace phasor
