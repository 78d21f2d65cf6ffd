#pragma once
// The second half of a layer, x + down(activation(up(norm(x)))).

#include "kernels/gemm.h"
#include "nn/norms.h"

namespace phasor::nn {

enum class Activation { gelu, gelu_tanh, relu, swiglu };

struct FeedForward {
  Norm norm;
  Activation activation = Activation::gelu;
  /// Shapes: up (inner, embed_dim) and down (embed_dim, inner). For swiglu, up is (2 inner,
  /// embed_dim) and begins with the rows of the gates
  ConstMatrixRef up, down;
  const float *up_bias = nullptr, *down_bias = nullptr;  ///< nullptr for swiglu, as in LLaMA
  MatrixRef d_up, d_down;
  float *d_up_bias = nullptr, *d_down_bias = nullptr;

  int inner_dim() const { return down.columns; }
};

/// The activations that the backward pass needs. The forward pass overwrites pre_activation with
/// the derivative of the activation, except for swiglu.
struct SavedFeedForward {
  // Shapes: (rows, embed_dim), (rows, up.rows), (rows, inner), (rows, 2)
  Buffer normed, pre_activation, post_activation, norm;

  void reserve(const FeedForward& block, int rows);
};

/// Computes y (rows, embed_dim) = x + down(activation(up(norm(x)))). y must not overlap x.
void feed_forward(kernels::Workspace& workspace, const FeedForward& block, const ConstMatrixRef& x,
                  SavedFeedForward& saved, const MatrixRef& y);

/// On entry, d_x (rows, embed_dim) is dL/dy; on return, it is dL/dx. `scratch` must have room for
/// rows * (embed_dim + inner + up.rows) floats.
void feed_forward_backward(kernels::Workspace& workspace, const FeedForward& block,
                           const ConstMatrixRef& x, SavedFeedForward& saved, float* scratch,
                           const MatrixRef& d_x);

}  // namespace phasor::nn
