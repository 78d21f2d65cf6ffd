#pragma once
// Encodings that replace the dot product of queries and keys: RoPE at remapped distances (rope with
// `remap`) and products along paths of reflections (path).

#include <memory>

#include "phasor/positions.h"
#include "phasor/token_tensors.h"

namespace phasor {

/// The keys and queries of one head. Attention creates one state per kv head and call; a cache
/// stores its states. Only one thread at a time uses a state.
class DotProductState {
 public:
  virtual ~DotProductState() = default;

  /// Appends keys k (new, head_dim) at these positions. `tokens` contains the token tensors of all
  /// tokens so far; it may be nullptr.
  virtual void append(ConstMatrixRef k, Positions positions, const TokenTensors* tokens) = 0;
  /// Keeps only the first `length` keys.
  virtual void truncate(int length) = 0;
  /// Drops all keys, so that another head can use this state; data that depends only on positions
  /// is kept. Returns false, and does nothing, if the state depends on the head.
  virtual bool next_head() { return false; }
  virtual std::unique_ptr<DotProductState> copy() const = 0;
  /// Size in bytes of a copy.
  virtual double bytes() const = 0;

  /// Sets the queries (queries, head_dim) for scores(), without copying them. `first_token` is the
  /// token index of the first query.
  virtual void set_queries(ConstMatrixRef q, Positions positions, int first_token) = 0;
  /// Writes scale * q.k with the encoding's dot product to out (rows, keys). Starts at query `row`
  /// and key `first_key`, a multiple of 16. use_float64 is true if intermediate sums may exceed the
  /// range of float32.
  virtual void scores(int row, int first_key, double scale, bool use_float64, MatrixRef out) = 0;

  /// The backward pass of scores(), called for the same tiles in the same order. d_products (rows,
  /// keys) is dL/d(q.k).
  virtual void scores_backward(int row, int first_key, ConstMatrixRef d_products) = 0;
  /// Called after scores_backward() for all tiles of the queries. Adds to d_q (queries, head_dim).
  virtual void finish_queries(MatrixRef d_q) = 0;
  /// Called after finish_queries() for all queries. Adds to d_k (keys, head_dim) and to the
  /// gradients of the token tensors.
  virtual void finish_keys(MatrixRef d_k, TokenTensors& d_tokens) = 0;
};

/// An encoding that replaces the dot product of queries and keys.
class CustomDotProduct {
 public:
  /// Creates the state of one kv head. If requires_grad is true, the state also supports the
  /// backward pass.
  virtual std::unique_ptr<DotProductState> products(int kv_head, int head_dim,
                                                    bool requires_grad) const = 0;
  /// Upper bound on a state's memory in bytes, for one kv head and one query head.
  virtual double product_bytes(int queries, int keys, int head_dim, bool requires_grad) const = 0;
  /// True if the tiles of a row should be computed consecutively.
  virtual bool by_rows() const { return false; }

 protected:
  ~CustomDotProduct() = default;
};

}  // namespace phasor
