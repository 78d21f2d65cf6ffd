#pragma once
// A multilayer perceptron with ReLU, for image tasks and probes of hidden states.

#include <vector>

#include "kernels/gemm.h"
#include "math/generator.h"
#include "phasor/tensor.h"

namespace phasor::nn {

class Mlp {
 public:
  Mlp() = default;
  /// `widths` lists the number of input features, then the number of output features of each layer.
  /// Parameters and gradients are flat arrays that contain the weight (out, in) and bias (out) of
  /// each layer.
  explicit Mlp(std::vector<int> widths, kernels::IsaLevel level = kernels::IsaLevel::portable)
      : widths_(std::move(widths)), workspace_(level) {}

  int layer_count() const { return static_cast<int>(widths_.size()) - 1; }
  int layer_width(int n) const { return widths_[static_cast<std::size_t>(n)]; }
  std::size_t parameter_count() const;
  static double bytes(const std::vector<int>& widths, int rows);
  /// Initialises the parameters from U(-1/sqrt(in), 1/sqrt(in)), the default of torch.nn.Linear.
  void init_parameters(Generator& random, float* values) const;

  /// Maps x (rows, layer_width(0)) to (rows, layer_width(layer_count())). x must remain valid until
  /// backward().
  MatrixRef forward(const float* values, const ConstMatrixRef& x);
  /// Adds the gradients to `grads`. Before the call, the output of forward() must be overwritten
  /// with dL/d(output).
  void backward(const float* values, float* grads);

 private:
  std::vector<int> widths_;
  kernels::Workspace workspace_;
  ConstMatrixRef x_;
  std::vector<Buffer> slopes_, activations_;  // one buffer (rows, features) per layer
  std::vector<Buffer> activation_gradients_;
};

}  // namespace phasor::nn
