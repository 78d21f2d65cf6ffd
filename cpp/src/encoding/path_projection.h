#pragma once
// How fla's PaTHAttention makes w and beta of embeddings x (tokens, embedding width):
//   w = SiLU(convolution of 3 tokens, the last of which is its own, of (x down^T) up^T),
//   beta = 2 sigmoid(x beta_weight^T + beta_bias).

#include "phasor/parameter.h"
#include "phasor/token_tensors.h"

namespace phasor {

struct PathProjection {
  static constexpr int kTaps = 3;

  Parameter down{"w_down"};              ///< (rank, embedding width)
  Parameter up{"w_up"};                  ///< (kv_heads * width, rank)
  Parameter conv{"w_conv"};              ///< (kv_heads * width, 3)
  Parameter beta_weight{"beta_weight"};  ///< (kv_heads, embedding width)
  Parameter beta_bias{"beta_bias"};      ///< (kv_heads)

  Status project(ConstMatrixRef x, TokenTensors& out) const;
  void project_backward(ConstMatrixRef x, const TokenTensors& made, const TokenTensors& d_made,
                        MatrixRef d_x);
};

}  // namespace phasor
