#pragma once
// Score terms that depend on queries and keys.

#include <cstdint>
#include <span>
#include <vector>

#include "phasor/positions.h"
#include "phasor/tensor.h"

namespace phasor {

/// The input of content-dependent encodings: a tile of queries and keys of one head.
struct ContentTile {
  int head = 0;
  Positions queries;  ///< position of each row of q
  /// Position of each row of k, which contains all keys or a range of consecutive keys
  Positions keys;
  ConstMatrixRef q;  ///< (rows, head_dim)
  ConstMatrixRef k;  ///< (keys, head_dim)
  float scale = 1;   ///< scale applied to q.k
  /// (keys), set only if needs_full_rows() is true: 0 hides a key; nullptr: all are visible
  const std::vector<std::uint8_t>* key_mask = nullptr;
  /// (rows, keys), set only if needs_full_rows() is true: 0 hides the key from the query; empty:
  /// only key_mask applies
  std::span<const std::uint8_t> pair_mask{};

  bool is_unmasked(int row, int key) const {
    const std::size_t column = static_cast<std::size_t>(key);
    if (!pair_mask.empty())
      return pair_mask[static_cast<std::size_t>(row) * static_cast<std::size_t>(keys.count()) +
                       column] != 0;
    return key_mask == nullptr || (*key_mask)[column] != 0;
  }
};

/// An encoding whose score terms depend on queries and keys.
class ContentBias {
 public:
  /// True if a row's terms need all keys at once (CoPE counts keys); otherwise a tile may contain
  /// only some of the keys.
  virtual bool needs_full_rows() const { return false; }
  /// Adds the terms to scores (rows, keys), which contains scale * q.k on entry.
  virtual void add_content(const ContentTile& tile, MatrixRef scores) const = 0;
  /// The backward pass of add_content, with the same `scores` on entry. Adds to d_q (rows,
  /// head_dim), d_k (keys, head_dim) and the gradients of the parameters.
  virtual void content_backward(const ContentTile& tile, ConstMatrixRef scores,
                                ConstMatrixRef d_scores, MatrixRef d_q, MatrixRef d_k) = 0;
  /// Called once after all tiles of a backward pass. Completes the parameter gradients that
  /// content_backward accumulates over tiles.
  virtual void finish_backward() {}

 protected:
  ~ContentBias() = default;
};

}  // namespace phasor
