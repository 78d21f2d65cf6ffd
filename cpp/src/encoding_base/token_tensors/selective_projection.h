#pragma once
// Computes steps and gates from embeddings x (tokens, embed_dim), as in Selective RoPE
// (timurcarstensen/selective-rope, modules/rotary.py, phi_parametrization low-rank, gate standard):
//   y = x_h / sqrt(|x_h|^2 + 1e-6) for the channels x_h of each head,
//   steps = causal convolution over 4 tokens of (y phi_down^T) phi_up^T
//           (+ e^phi_bias, if set),
//   gate = sigmoid(y gate_weight^T + gate_bias), if set.

#include "encoding_base/token_tensors/convolved_projection.h"
#include "phasor/token_tensors.h"

namespace phasor {

struct SelectiveProjection {
  static constexpr int kTaps = 4;
  static constexpr double kEps = 1e-6;

  /// has heads * pairs channels
  ConvolvedProjection phi{.down = {"phi_down"}, .up = {"phi_up"}, .conv = {"phi_conv"}};
  Parameter phi_bias{"phi_bias"};        ///< (heads, pairs), or empty
  Parameter gate_weight{"gate_weight"};  ///< (heads, embed_dim), or empty
  Parameter gate_bias{"gate_bias"};      ///< (heads), or empty
  int heads = 1;

  /// All nonempty parameters.
  std::vector<Parameter*> parameters();

  Status project(ConstMatrixRef x, TokenTensors& out) const;
  void project_backward(ConstMatrixRef x, const TokenTensors& projected,
                        const TokenTensors& d_projected, MatrixRef d_x);
};

}  // namespace phasor
