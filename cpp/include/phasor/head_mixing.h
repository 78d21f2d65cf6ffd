#pragma once
// Score terms that depend on the scores of all heads at the same pair of tokens (DAPE).

#include "phasor/positions.h"
#include "phasor/tensor.h"

namespace phasor {

/// A tile of scaled products q.k for all heads.
struct HeadsTile {
  Positions queries, keys;
  /// (heads, queries * keys): scale * q.k, where all keys of a query are adjacent
  ConstMatrixRef products;
};

/// An encoding whose score terms depend on the scores of all heads. Attention calls these functions
/// per tile, for all heads together. The terms of a pair of tokens depend on that pair only.
class HeadMixing {
 public:
  /// Writes the terms that attention adds to the scores to `terms` (heads, queries * keys), which
  /// is 0 on entry.
  virtual void mix(const HeadsTile& tile, MatrixRef terms) const = 0;
  /// The backward pass of mix. Adds to d_products and to the gradients of the parameters. Both
  /// matrices are (heads, queries * keys).
  virtual void mix_backward(const HeadsTile& tile, ConstMatrixRef d_terms,
                            MatrixRef d_products) = 0;

 protected:
  ~HeadMixing() = default;
};

}  // namespace phasor
