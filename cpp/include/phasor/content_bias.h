#pragma once
// Terms of a score that depend on queries and keys.

#include <cstdint>
#include <vector>

#include "phasor/positions.h"
#include "phasor/tensor.h"

namespace phasor {

/// Some query rows of one head, as content-dependent encodings see them.
struct ContentTile {
  int head = 0;
  Positions queries;  ///< position of each row of q
  /// Position of each row of k: all keys, or some neighbours
  Positions keys;
  ConstMatrixRef q;  ///< (rows, head_dim)
  ConstMatrixRef k;  ///< (keys, head_dim)
  float scale = 1;   ///< the factor on q.k
  /// Whole rows: (keys), 0 hides a key; nullptr: all are visible
  const std::vector<std::uint8_t>* key_mask = nullptr;
};

/// Terms that depend on queries and keys.
class ContentBias {
 public:
  /// The terms of a row need all of its keys at once (CoPE counts over them); else they are formed
  /// for some keys at a time.
  virtual bool needs_full_rows() const { return false; }
  /// Adds the terms. On entry scores (rows, keys) holds scale * q.k.
  virtual void add_content(const ContentTile& tile, MatrixRef scores) const = 0;
  /// Adds to d_q (rows, head_dim), d_k (keys, head_dim) and the gradients of the parameters what
  /// comes through the added terms; `scores` is as on entry forward.
  virtual void content_backward(const ContentTile& tile, ConstMatrixRef scores,
                                ConstMatrixRef d_scores, MatrixRef d_q, MatrixRef d_k) = 0;
  /// Called once after the tiles of a backward pass: adds to the gradients of the parameters what
  /// content_backward has only gathered, because many tiles share it.
  virtual void finish_backward() {}

 protected:
  ~ContentBias() = default;
};

}  // namespace phasor
