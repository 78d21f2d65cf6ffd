#pragma once
// x + down(activation(up(norm(x)))): the second half of a layer.

#include "kernels/gemm.h"
#include "nn/norms.h"

namespace phasor::nn {

enum class Activation { gelu, gelu_tanh, relu, swiglu };

struct FeedForward {
  Norm norm;
  Activation activation = Activation::gelu;
  /// up (inner, embed_dim), or (2 inner, embed_dim) for swiglu, with the gates first; down
  /// (embed_dim, inner)
  ConstMatrixRef up, down;
  const float *up_bias = nullptr, *down_bias = nullptr;  ///< nullptr for swiglu, as in LLaMA
  MatrixRef d_up, d_down;
  float *d_up_bias = nullptr, *d_down_bias = nullptr;

  int inner() const { return down.columns; }
};

/// The activations of a block that the backward pass needs.
struct SavedFeedForward {
  // (rows, embed_dim); (rows, up.rows), replaced by derivatives except for swiglu; (rows, inner);
  // (rows, 2)
  Buffer normed, pre_activation, active, norm;

  void reserve(const FeedForward& block, int rows);
};

/// y = x + the output of the block; y must not overlap x (rows, embed_dim).
void feed_forward(kernels::Workspace& products, const FeedForward& block, const ConstMatrixRef& x,
                  SavedFeedForward& saved, const MatrixRef& y);

/// On entry d_x (rows, embed_dim) is dL/dy, on exit dL/dx. scratch has rows * (embed_dim + inner +
/// up.rows) numbers.
void feed_forward_backward(kernels::Workspace& products, const FeedForward& block,
                           const ConstMatrixRef& x, SavedFeedForward& saved, float* scratch,
                           const MatrixRef& d_x);

}  // namespace phasor::nn
