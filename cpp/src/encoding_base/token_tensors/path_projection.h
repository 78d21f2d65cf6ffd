#pragma once
// Computes w and beta from embeddings x (tokens, embed_dim), as in fla's PaTHAttention:
//   w = SiLU(causal convolution over 3 tokens of (x down^T) up^T),
//   beta = 2 sigmoid(x beta_weight^T + beta_bias).

#include "encoding_base/token_tensors/convolved_projection.h"
#include "phasor/token_tensors.h"

namespace phasor {

struct PathProjection {
  static constexpr int kTaps = 3;

  /// has kv_heads * head_dim channels
  ConvolvedProjection w{.down = {"w_down"}, .up = {"w_up"}, .conv = {"w_conv"}};
  Parameter beta_weight{"beta_weight"};  ///< (kv_heads, embed_dim)
  Parameter beta_bias{"beta_bias"};      ///< (kv_heads)

  Status project(ConstMatrixRef x, TokenTensors& out) const;
  void project_backward(ConstMatrixRef x, const TokenTensors& projected,
                        const TokenTensors& d_projected, MatrixRef d_x);
};

}  // namespace phasor
