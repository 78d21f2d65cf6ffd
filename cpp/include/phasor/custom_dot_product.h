#pragma once
// Products of queries and keys where an encoding forms them otherwise than as one product of two
// rows: RoPE at other distances (remap), paths of reflections between the tokens (path).

#include <memory>

#include "phasor/positions.h"
#include "phasor/token_tensors.h"

namespace phasor {

/// The keys of one head as such an encoding keeps them, and one head of queries at a time that
/// meets them. Attention makes one per head of keys for a call, and a cache keeps them; one thread
/// at a time uses it.
class DotProductState {
 public:
  virtual ~DotProductState() = default;

  /// New keys k (new, head_dim), at these positions, behind those before. `tokens`: what all tokens
  /// so far have brought, or nullptr.
  virtual void append(ConstMatrixRef k, Positions places, const TokenTensors* tokens) = 0;
  /// Truncates to the first `length` keys.
  virtual void truncate(int length) = 0;
  /// Called before the keys of each head, in a call that goes from head to head at the same
  /// positions: drops all keys and stores what follows from positions alone. false: this is about
  /// one head.
  virtual bool next_head() { return false; }
  virtual std::unique_ptr<DotProductState> copy() const = 0;
  /// The size of a copy.
  virtual double bytes() const = 0;

  /// The queries that scores() is about, q (queries, head_dim), which stay where they are: from key
  /// number `first_token` on where tokens count.
  virtual void set_queries(ConstMatrixRef q, Positions places, int first_token) = 0;
  /// out (rows, keys) = scale * what replaces q.k, from query `row` and key `first_key`, a
  /// multiple of 16, on. use_float64: a sum may leave float32 on the way.
  virtual void scores(int row, int first_key, double scale, bool use_float64, MatrixRef out) = 0;

  /// The backward pass: tiles in the order of scores(), d_products (rows, keys) is dL/d(q.k).
  virtual void scores_backward(int row, int first_key, ConstMatrixRef d_products) = 0;
  /// After the tiles of these queries: adds to d_q (queries, head_dim).
  virtual void finish_queries(MatrixRef d_q) = 0;
  /// After all queries: adds to d_k (keys, head_dim) and to the gradients of the token tensors.
  virtual void finish_keys(MatrixRef d_k, TokenTensors& d_tokens) = 0;
};

/// An encoding with such products.
class CustomDotProduct {
 public:
  /// For one head of keys of this head_dim; `requires_grad`: for a backward pass.
  virtual std::unique_ptr<DotProductState> products(int kv_head, int head_dim,
                                                    bool requires_grad) const = 0;
  /// At most how many bytes those of one head take, with one head of queries.
  virtual double product_bytes(int queries, int keys, int head_dim, bool requires_grad) const = 0;
  /// The tiles of a row should come one after the other.
  virtual bool by_rows() const { return false; }

 protected:
  ~CustomDotProduct() = default;
};

}  // namespace phasor
