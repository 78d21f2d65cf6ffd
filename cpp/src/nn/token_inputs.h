#pragma once
// The token tensors of a batch, for encodings that compute them from the
// input of a layer (TokenProjections): forget gates, and products that the encoding forms otherwise
// than as one product of two rows (PaTH).

#include <memory>

#include "math/decay.h"
#include "nn/batched_attention.h"

namespace phasor::nn {

/// brought.items: what each item of x (items * tokens, embed_dim) brings. Numbers that are not
/// finite stay, and end in a loss that is none.
void bring_tokens(const BatchedAttentionParams& job, const ConstMatrixRef& x,
                  TokenTensorBatch& brought);
/// Adds to d_x and to the gradients of the encoding's parameters the gradient of brought.
void bring_tokens_backward(const BatchedAttentionParams& job, const ConstMatrixRef& x,
                           const TokenTensorBatch& brought, const MatrixRef& d_x);

/// Of one pass through a layer, head by head. Tiles have all keys of an item that any of their rows
/// sees, and come in the order of their rows.
class TokenTerms {
 public:
  /// `requires_grad`: for a backward pass, which starts brought.d_items from 0
  TokenTerms(const BatchedAttentionParams& job, TokenTensorBatch& brought, bool requires_grad);
  /// Bytes that it works in, and those of `brought`.
  static double bytes(const BatchedAttentionParams& job, bool training);
  static double brought_bytes(const BatchedAttentionParams& job, bool training);

  bool forms_products() const { return job_.encoding->as_custom_dot_product() != nullptr; }
  /// Before the tiles of a head, whose queries and keys are q and k (items * tokens, head_dim).
  void start(int head, const ConstMatrixRef& q, const ConstMatrixRef& k);
  /// out (rows, keys) = scale * what replaces q.k, from query `first` of the item on.
  void form_products(int item, int first, const MatrixRef& out);
  void add_gates(int item, int first, const MatrixRef& scores) const;

  void gates_backward(int item, int first, const ConstMatrixRef& d_scores);
  /// d_products is dL/d(q.k)
  void products_backward(int item, int first, const ConstMatrixRef& d_products);
  /// After the tiles of a head: adds to d_q and d_k (items * tokens, head_dim), where it forms
  /// products.
  void finish(const MatrixRef& d_q, const MatrixRef& d_k);
  /// After all heads.
  void finish_gates();

 private:
  const BatchedAttentionParams& job_;
  TokenTensorBatch& brought_;
  bool learns_;
  int head_ = 0;
  // of each item
  std::vector<Decay> gates_;
  std::vector<DecayGradient> d_gates_;
  std::vector<std::unique_ptr<DotProductState>> products_;
};

}  // namespace phasor::nn
