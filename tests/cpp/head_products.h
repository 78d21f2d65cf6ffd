#pragma once
// Products and concatenations of tensors (heads, tokens, channels), head by head.

#include <algorithm>

#include "phasor/tensor.h"

namespace phasor::test {

// x (heads or 1, tokens, n) times m (heads, n, columns), or its transpose (heads, columns, n)
inline Tensor multiply_heads(const Tensor& x, const Tensor& m, bool transposed) {
  Tensor out({m.shape[0], x.shape[1], m.shape[transposed ? 1 : 2]});
  for (int h = 0; h < m.shape[0]; ++h) {
    const auto factor = matrix(m, h);
    for (int t = 0; t < x.shape[1]; ++t) {
      const float* row = matrix(x, x.shape[0] == 1 ? 0 : h).row(t);
      for (int c = 0; c < out.shape[2]; ++c) {
        double sum = 0;
        for (int n = 0; n < x.shape[2]; ++n) {
          sum += static_cast<double>(row[n]) *
                 static_cast<double>(transposed ? factor.row(c)[n] : factor.row(n)[c]);
        }
        matrix(out, h).row(t)[c] = static_cast<float>(sum);
      }
    }
  }
  return out;
}

// The channels of a, then those of b. One head of b is shared by all heads.
inline Tensor concatenate_channels(const Tensor& a, const Tensor& b) {
  const int a_dim = a.shape[2], b_dim = b.shape[2];
  Tensor out({a.shape[0], a.shape[1], a_dim + b_dim});
  for (int h = 0; h < a.shape[0]; ++h) {
    for (int t = 0; t < a.shape[1]; ++t) {
      std::copy_n(matrix(a, h).row(t), a_dim, matrix(out, h).row(t));
      std::copy_n(matrix(b, b.shape[0] == 1 ? 0 : h).row(t), b_dim, matrix(out, h).row(t) + a_dim);
    }
  }
  return out;
}

}  // namespace phasor::test
