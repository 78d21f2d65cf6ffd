#pragma once
// Score terms that depend on the scores of all heads at the same pair of tokens (DAPE).

#include "phasor/positions.h"
#include "phasor/tensor.h"

namespace phasor {

/// A tile of scale * q.k for all heads.
struct HeadsTile {
  Positions queries, keys;
  /// (heads, queries * keys): scale * q.k, query by query
  ConstMatrixRef products;
};

/// An encoding whose score terms depend on the scores of all heads. Attention calls these functions
/// per tile, for all heads together. The terms of a pair of tokens depend on that pair only.
class HeadMixing {
 public:
  /// Writes the terms to add to the scores, (heads, queries * keys), into `terms`, which is 0 on
  /// entry.
  virtual void mix(const HeadsTile& tile, MatrixRef terms) const = 0;
  /// The backward pass of mix. Adds to d_products and to the gradients of the parameters. Both
  /// matrices are (heads, queries * keys).
  virtual void mix_backward(const HeadsTile& tile, ConstMatrixRef d_terms,
                            MatrixRef d_products) = 0;

 protected:
  ~HeadMixing() = default;
};

}  // namespace phasor
