#pragma once
// torch.nn.Embedding with a factor, as Vaswani et al. 2017 (section 3.4) multiply by sqrt(width).

#include <span>

#include "phasor/tensor.h"

namespace phasor::nn {

/// out (tokens, width): row t is scale * weight[ids[t]]. weight (symbols, width); ids are in range.
void embedding(std::span<const int> ids, const ConstMatrixRef& weight, float scale,
               const MatrixRef& out);

/// Adds scale * d_out (tokens, width) to the rows of d_weight (symbols, width).
void embedding_backward(std::span<const int> ids, const ConstMatrixRef& d_out, float scale,
                        const MatrixRef& d_weight);

}  // namespace phasor::nn
