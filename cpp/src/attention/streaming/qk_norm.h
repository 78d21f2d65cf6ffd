#pragma once

#include "attention/streaming/attend.h"

namespace phasor {

/// Normalises x (heads, tokens, head_dim) in place. `weight` is q_weight or k_weight of QkNorm.
void normalise(const QkNorm& norm, const Tensor& weight, Tensor& x);
/// Replaces d_x, the gradient of the normalised x, with the gradient of x. `x` is the input of
/// normalise(). Adds to d_weight, which has the shape of the weight or is empty.
void normalise_backward(const QkNorm& norm, const Tensor& weight, const Tensor& x, Tensor& d_x,
                        Tensor& d_weight);

}  // namespace phasor
