#pragma once
// The token tensors of a batch, for encodings that compute them from the input of a layer
// (TokenProjections), such as forget gates, and for custom dot products (PaTH).

#include <memory>

#include "math/decay.h"
#include "nn/batched_attention.h"

namespace phasor::nn {

/// Computes tensors.items: the token tensors of each item of x (items * tokens, embed_dim). Numbers
/// that are not finite propagate to the loss.
void compute_token_tensors(const BatchedAttentionParams& job, const ConstMatrixRef& x,
                           TokenTensorBatch& tensors);
/// Adds the gradient of the tensors to d_x and to the gradients of the encoding's parameters.
void compute_token_tensors_backward(const BatchedAttentionParams& job, const ConstMatrixRef& x,
                                    const TokenTensorBatch& tensors, const MatrixRef& d_x);

/// State of one pass through a layer, head by head. A tile covers all visible keys of an item; the
/// tiles of a head are processed in the order of their rows.
class TokenTerms {
 public:
  /// `requires_grad` prepares a backward pass and sets tensors.d_items to 0.
  TokenTerms(const BatchedAttentionParams& job, TokenTensorBatch& tensors, bool requires_grad);
  /// Size of the working memory and the token tensors, in bytes.
  static double bytes(const BatchedAttentionParams& job, bool training);
  static double tensor_bytes(const BatchedAttentionParams& job, bool training);

  bool has_custom_products() const { return job_.encoding->as_custom_dot_product() != nullptr; }
  /// Call before the tiles of a head, whose queries and keys are q and k (items * tokens,
  /// head_dim).
  void start_head(int head, const ConstMatrixRef& q, const ConstMatrixRef& k);
  /// out (rows, keys) = scale times the custom dot products of an item, from query `first` on.
  void compute_products(int item, int first, const MatrixRef& out);
  void add_gates(int item, int first, const MatrixRef& scores) const;

  void gates_backward(int item, int first, const ConstMatrixRef& d_scores);
  /// d_products (rows, keys) is dL/d(custom dot products).
  void products_backward(int item, int first, const ConstMatrixRef& d_products);
  /// Call after the tiles of a head: adds to d_q and d_k (items * tokens, head_dim), for custom dot
  /// products.
  void finish_head(const MatrixRef& d_q, const MatrixRef& d_k);
  /// Call after all heads.
  void finish_gates();

 private:
  const BatchedAttentionParams& job_;
  TokenTensorBatch& tensors_;
  bool requires_grad_;
  int head_ = 0;
  // one entry per item
  std::vector<Decay> gates_;
  std::vector<DecayGradient> d_gates_;
  std::vector<std::unique_ptr<DotProductState>> products_;
};

}  // namespace phasor::nn
