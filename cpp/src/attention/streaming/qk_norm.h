#pragma once
// Norms of queries and keys per token, before or after the encoding.

#include "attention/streaming/attend.h"

namespace phasor {

/// Normalises x (heads, tokens, head_dim) in place. `weight` is q_weight or k_weight of QkNorm.
void normalise(const QkNorm& norm, const Tensor& weight, Tensor& x);
/// On entry d_x is dL/d(normalised x), on exit dL/dx. x is the input of normalise(). Adds to
/// d_weight, which has the weight's shape, or is empty.
void normalise_backward(const QkNorm& norm, const Tensor& weight, const Tensor& x, Tensor& d_x,
                        Tensor& d_weight);

}  // namespace phasor
