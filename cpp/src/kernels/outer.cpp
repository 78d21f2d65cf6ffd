#include "kernels/outer.h"

namespace phasor::kernels {

void add_scaled(float* __restrict to, float factor, const float* __restrict from, int n) {
  for (int i = 0; i < n; ++i) to[i] += factor * from[i];
}

void add_product(float scale, ConstMatrixRef a, ConstMatrixRef b, MatrixRef out) {
  for (int r = 0; r < a.rows; ++r) {
    for (int i = 0; i < a.columns; ++i) add_scaled(out.row(r), scale * a.row(r)[i], b.row(i), b.columns);
  }
}

void add_outer(float scale, ConstMatrixRef a, ConstMatrixRef b, MatrixRef out) {
  for (int r = 0; r < a.rows; ++r) {
    for (int i = 0; i < a.columns; ++i) add_scaled(out.row(i), scale * a.row(r)[i], b.row(r), b.columns);
  }
}

}  // namespace phasor::kernels
