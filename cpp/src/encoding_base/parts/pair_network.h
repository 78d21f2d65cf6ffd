#pragma once
// DAPE's network, which maps the scores and biases of all heads to an additional score for each
// pair of tokens.

#include "phasor/encoding.h"
#include "phasor/tensor.h"

namespace phasor {

/// Computes W2 LeakyReLU(W1 [products; biases] + b1) + b2. Matrices of pairs have shape (heads,
/// pairs).
struct PairNetwork {
  Parameter w1{"w1"}, b1{"b1"};  ///< w1 (units, 2 heads): products, then biases; b1 (units)
  Parameter w2{"w2"}, b2{"b2"};  ///< w2 (heads, units), b2 (heads)
  float negative_slope = 0;      ///< LeakyReLU's slope for negative inputs

  int heads() const { return w2.value.shape[0]; }
  int units() const { return w2.value.shape[1]; }
  /// Upper bound on the bytes of working memory for the forward or the backward pass.
  double working_bytes() const;

  /// Adds the network output to `terms`, which initially contains the biases.
  void add_output(const ConstMatrixRef& products, const MatrixRef& terms) const;
  /// Adds to the parameter gradients and to d_products, and overwrites d_biases. d_biases does not
  /// include the direct path from the biases to the terms.
  void backward(const ConstMatrixRef& products, const ConstMatrixRef& biases,
                const ConstMatrixRef& d_terms, const MatrixRef& d_products,
                const MatrixRef& d_biases);

 private:
  void activate(const ConstMatrixRef& products, const ConstMatrixRef& biases,
                const MatrixRef& units) const;
};

}  // namespace phasor
