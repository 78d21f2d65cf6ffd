#pragma once
// The token tensors of a batch, and their contribution to the scores. Encodings with forget gates
// or custom dot products (PaTH) compute these tensors from a layer's input (TokenProjections).

#include <memory>

#include "math/decay.h"
#include "nn/batched_attention.h"

namespace phasor::nn {

/// Computes the token tensors for each item of x (items * tokens, embed_dim). NaN and infinity are
/// not detected here; they show up in the loss.
void compute_token_tensors(const BatchedAttentionParams& params, const ConstMatrixRef& x,
                           TokenTensorBatch& tensors);
/// The backward pass of compute_token_tensors(). Adds to d_x and to the gradients of the encoding's
/// parameters.
void compute_token_tensors_backward(const BatchedAttentionParams& params, const ConstMatrixRef& x,
                                    const TokenTensorBatch& tensors, const MatrixRef& d_x);

/// The contribution of token tensors to a layer's scores. Heads must be processed one after
/// another, and the tiles of a head in row order.
class TokenTerms {
 public:
  /// If `requires_grad` is true, tensors.d_items is set to 0 for a backward pass.
  TokenTerms(const BatchedAttentionParams& params, TokenTensorBatch& tensors, bool requires_grad);
  /// bytes() is the size of the working memory, and tensor_bytes() that of the token tensors.
  static double bytes(const BatchedAttentionParams& params, bool training);
  static double tensor_bytes(const BatchedAttentionParams& params, bool training);

  bool has_custom_products() const { return params_.encoding->as_custom_dot_product() != nullptr; }
  /// Starts a head with queries q and keys k (items * tokens, head_dim). Must be called before the
  /// tiles of the head.
  void start_head(int head, const ConstMatrixRef& q, const ConstMatrixRef& k);
  /// Sets out (rows, keys) to scale times the custom dot products of an item. Row 0 is query
  /// `first_query`.
  void compute_products(int item, int first_query, const MatrixRef& out);
  void add_gates(int item, int first_query, const MatrixRef& scores) const;

  void gates_backward(int item, int first_query, const ConstMatrixRef& d_scores);
  void products_backward(int item, int first_query, const ConstMatrixRef& d_products);
  /// Finishes a head after its last tile. Adds the gradients of the custom dot products to d_q and
  /// d_k (items * tokens, head_dim).
  void finish_head(const MatrixRef& d_q, const MatrixRef& d_k);
  /// Writes the gradients of the gates to tensors.d_items. Must be called after finish_head() of
  /// the last head.
  void finish_gates();

 private:
  const BatchedAttentionParams& params_;
  TokenTensorBatch& tensors_;
  bool requires_grad_;
  int head_ = 0;
  // one entry per item
  std::vector<Decay> gates_;
  std::vector<DecayGradient> d_gates_;
  std::vector<std::unique_ptr<DotProductState>> products_;
};

}  // namespace phasor::nn
