#pragma once
// Linear layers as in torch.nn.Linear, embeddings, and mean pooling over tokens.

#include <span>

#include "kernels/gemm.h"
#include "phasor/tensor.h"

namespace phasor::nn {

/// Computes y (rows, out) = x (rows, in) weight^T + bias, with weight (out, in) and bias (out).
/// `bias` may be nullptr.
void linear(kernels::Workspace& workspace, const ConstMatrixRef& x, const ConstMatrixRef& weight,
            const float* bias, const MatrixRef& y);

/// Computes d_x (rows, in) = d_y weight, unless d_x.data is nullptr. Adds to d_weight (out,
/// in), and to d_bias (out) unless it is nullptr. d_y (rows, out) is dL/dy.
void linear_backward(kernels::Workspace& workspace, const ConstMatrixRef& x,
                     const ConstMatrixRef& weight, const ConstMatrixRef& d_y, const MatrixRef& d_x,
                     const MatrixRef& d_weight, float* d_bias);

// torch.nn.Embedding with an additional factor, such as sqrt(embed_dim) in Vaswani et al. 2017
// (section 3.4).

/// Sets row t of out (tokens, embed_dim) to scale * weight[ids[t]]. weight is (symbols, embed_dim),
/// and ids must be in range.
void embedding(std::span<const int> ids, const ConstMatrixRef& weight, float scale,
               const MatrixRef& out);

/// Adds scale * d_out[t] to row ids[t] of d_weight (symbols, embed_dim), for every token t.
void embedding_backward(std::span<const int> ids, const ConstMatrixRef& d_out, float scale,
                        const MatrixRef& d_weight);

/// Sets row i of y (items, embed_dim) to the mean of the `tokens` rows of item i in x (items *
/// tokens, embed_dim).
void mean_pool(const ConstMatrixRef& x, int tokens, const MatrixRef& y);

/// Computes d_x (items * tokens, embed_dim) = dL/dx from d_y (items, embed_dim) = dL/dy.
void mean_pool_backward(const ConstMatrixRef& d_y, int tokens, const MatrixRef& d_x);

}  // namespace phasor::nn
