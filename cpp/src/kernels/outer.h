#pragma once
// Rows added to rows, and the two matrix products made of that in a backward pass: what a product y = x m^T asks of x and of m.

#include "phasor/tensor.h"

namespace phasor::kernels {

/// to[i] += factor * from[i], two places in memory
void add_scaled(float* to, float factor, const float* from, int n);
/// out (n, columns) += scale * a (n, inner) b (inner, columns)
void add_product(float scale, ConstMatrixRef a, ConstMatrixRef b, MatrixRef out);
/// out (inner, columns) += scale * a^T b, a (n, inner), b (n, columns)
void add_outer(float scale, ConstMatrixRef a, ConstMatrixRef b, MatrixRef out);

}  // namespace phasor::kernels
