#pragma once
// A learned array and its gradient.

#include <string_view>
#include <vector>

#include "phasor/tensor.h"

namespace phasor {

/// A learned parameter. As in PyTorch, backward passes add to `grad`, and the optimizer resets it.
struct Parameter {
  std::string_view name{};
  Tensor value{};
  /// Shape of `value` when the encoding was created. The shape must not change
  std::vector<int> initial_shape{};
  /// Gradient of the loss with respect to `value`, in the same shape; empty until a backward pass
  Tensor grad{};

  /// True if the encoding does not have this parameter.
  bool empty() const { return value.empty(); }
  /// Returns `grad`. If it is empty, fills it with zeros first.
  Tensor& gradient() {
    if (grad.empty()) grad = Tensor(value.shape);
    return grad;
  }
  void zero_grad() { grad = {}; }
};

}  // namespace phasor
