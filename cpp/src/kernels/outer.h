#pragma once
// The two matrix products of a way back: what a product y = x m^T asks of x and of m.

#include "phasor/tensor.h"

namespace phasor::kernels {

/// out (n, columns) += scale * a (n, inner) b (inner, columns)
void add_product(float scale, ConstMatrixRef a, ConstMatrixRef b, MatrixRef out);
/// out (inner, columns) += scale * a^T b, a (n, inner), b (n, columns)
void add_outer(float scale, ConstMatrixRef a, ConstMatrixRef b, MatrixRef out);

}  // namespace phasor::kernels
