#pragma once
// Terms of a score that depend on the scores of all heads at the same pair of tokens (DAPE).

#include "phasor/positions.h"
#include "phasor/tensor.h"

namespace phasor {

/// Some queries and keys, and what all heads make of them.
struct HeadsTile {
  Positions queries, keys;
  /// (heads, queries * keys): scale * q.k of each head, query by query
  ConstMatrixRef products;
};

/// An encoding with such terms, which attention calls tile by tile, all heads together. What
/// it adds to a pair depends on that pair alone.
class HeadMixing {
 public:
  /// added (heads, queries * keys), 0 on entry: what it adds to the scores.
  virtual void mix(const HeadsTile& tile, MatrixRef added) const = 0;
  /// Adds to d_products and to the gradients of the parameters what comes through the terms; both
  /// matrices (heads, queries * keys).
  virtual void mix_backward(const HeadsTile& tile, ConstMatrixRef d_added,
                            MatrixRef d_products) = 0;

 protected:
  ~HeadMixing() = default;
};

}  // namespace phasor
