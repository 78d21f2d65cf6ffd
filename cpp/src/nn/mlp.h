#pragma once
// Linear layers with ReLU between them, for images as functions of coordinates and for probes of
// hidden states.

#include <vector>

#include "kernels/gemm.h"
#include "math/generator.h"
#include "phasor/tensor.h"

namespace phasor::nn {

class Mlp {
 public:
  Mlp() = default;
  /// `widths` lists the number of features of the input and of each layer. Parameters are
  /// contiguous: for each layer the weight (out, in), then the bias (out).
  explicit Mlp(std::vector<int> widths, kernels::Level level = kernels::Level::portable)
      : widths_(std::move(widths)), products_(level) {}

  int layers() const { return static_cast<int>(widths_.size()) - 1; }
  int width(int n) const { return widths_[static_cast<std::size_t>(n)]; }
  std::size_t size() const;
  static double bytes(const std::vector<int>& widths, int rows);
  /// Draws PyTorch's initial values, U(-1/sqrt(in), 1/sqrt(in)).
  void init_parameters(Generator& random, float* values) const;

  /// x (rows, width(0)) -> (rows, width(layers())). x must stay valid until the backward pass.
  MatrixRef forward(const float* values, const ConstMatrixRef& x);
  /// Call after forward, with dL/d(output) in place of the output; adds to grads.
  void backward(const float* values, float* grads);

 private:
  std::vector<int> widths_;
  kernels::Workspace products_;
  ConstMatrixRef x_;
  std::vector<Buffer> slopes_, active_;  // one buffer (rows, features) per layer
  std::vector<Buffer> gradients_;
};

}  // namespace phasor::nn
