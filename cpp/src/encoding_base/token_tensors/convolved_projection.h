#pragma once
// Projects embeddings to token tensors, as in fla's PaTHAttention and in SelectiveRoPE: z is a
// causal convolution of each channel of (x down^T) up^T. The last tap applies to the current token.

#include <vector>

#include "phasor/parameter.h"
#include "phasor/result.h"

namespace phasor {

struct ConvolvedProjection {
  Parameter down;  ///< (rank, embed_dim)
  Parameter up;    ///< (channels, rank)
  Parameter conv;  ///< (channels, taps)

  struct Activations {
    Tensor down_output, up_output;  ///< (tokens, rank), (tokens, channels)
    std::vector<double> z{};        ///< (tokens, channels)

    double& at(int token, int channel) {
      return z[static_cast<std::size_t>(token) * static_cast<std::size_t>(up_output.shape[1]) +
               static_cast<std::size_t>(channel)];
    }
  };

  int channels() const { return up.value.shape[0]; }
  /// Fails if there is not enough memory for project(), its backward pass and a copy of z.
  Status check_project_memory(int tokens) const;
  /// x (tokens, embed_dim)
  Activations project(ConstMatrixRef x) const;
  /// activations.z must contain dL/dz. Adds to d_x (tokens, embed_dim) and to the gradients of
  /// down, up and conv.
  void project_backward(ConstMatrixRef x, Activations& activations, MatrixRef d_x);
};

}  // namespace phasor
