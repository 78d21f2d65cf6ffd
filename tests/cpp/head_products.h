#pragma once
// Products and concatenations of tensors (heads, tokens, channels), head by head.

#include <algorithm>

#include "phasor/tensor.h"

namespace phasor::test {

// x (heads or 1, tokens, n) times m (heads, n, columns), or its transpose (heads, columns, n)
inline Tensor times(const Tensor& x, const Tensor& m, bool transposed) {
  Tensor out({m.shape[0], x.shape[1], m.shape[transposed ? 1 : 2]});
  for (int h = 0; h < m.shape[0]; ++h) {
    const auto by = matrix(m, h);
    for (int t = 0; t < x.shape[1]; ++t) {
      const float* row = matrix(x, x.shape[0] == 1 ? 0 : h).row(t);
      for (int c = 0; c < out.shape[2]; ++c) {
        double sum = 0;
        for (int n = 0; n < x.shape[2]; ++n) {
          sum += static_cast<double>(row[n]) *
                 static_cast<double>(transposed ? by.row(c)[n] : by.row(n)[c]);
        }
        matrix(out, h).row(t)[c] = static_cast<float>(sum);
      }
    }
  }
  return out;
}

// The channels of a, then those of b. One head of b is shared by all heads.
inline Tensor concatenated(const Tensor& a, const Tensor& b) {
  const int left = a.shape[2], right = b.shape[2];
  Tensor out({a.shape[0], a.shape[1], left + right});
  for (int h = 0; h < a.shape[0]; ++h) {
    for (int t = 0; t < a.shape[1]; ++t) {
      std::copy_n(matrix(a, h).row(t), left, matrix(out, h).row(t));
      std::copy_n(matrix(b, b.shape[0] == 1 ? 0 : h).row(t), right, matrix(out, h).row(t) + left);
    }
  }
  return out;
}

}  // namespace phasor::test
