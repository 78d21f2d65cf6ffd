#include "nn/token_inputs.h"

#include "nn/batched_attention.h"

namespace phasor::nn {

namespace {

std::size_t to_index(int item) { return static_cast<std::size_t>(item); }

}  // namespace

void compute_token_tensors(const BatchedAttentionParams& params, const ConstMatrixRef& x,
                           TokenTensorBatch& tensors) {
  const TokenProjections* projections = params.encoding->as_projections();
  if (projections == nullptr) return;
  tensors.items.resize(to_index(params.size.items));
  for (int item = 0; item < params.size.items; ++item) {
    // Errors can be ignored: memory was checked for the whole step, and NaN and infinity show up in
    // the loss.
    static_cast<void>(
        projections->project(select_item(x, params, item), tensors.items[to_index(item)]).ok());
  }
}

void compute_token_tensors_backward(const BatchedAttentionParams& params, const ConstMatrixRef& x,
                                    const TokenTensorBatch& tensors, const MatrixRef& d_x) {
  TokenProjections* projections = params.encoding->as_projections();
  if (projections == nullptr) return;
  for (int item = 0; item < params.size.items; ++item) {
    projections->project_backward(select_item(x, params, item), tensors.items[to_index(item)],
                                  tensors.d_items[to_index(item)], select_item(d_x, params, item));
  }
}

double TokenTerms::tensor_bytes(const BatchedAttentionParams& params, bool training) {
  if (params.encoding->token_tensors.empty()) return 0;
  // Each token has head_dim + 2 values per head and as many inputs. Training also stores the
  // gradients of both.
  const double numbers_per_token =
      (training ? 4.0 : 2.0) * (params.embed_dim() + 2.0 * params.heads);
  return sizeof(float) * numbers_per_token * params.size.rows();
}

double TokenTerms::bytes(const BatchedAttentionParams& params, bool training) {
  if (params.encoding->token_tensors.empty()) return 0;
  // Estimates the size of an item's intermediate results from the weights.
  double intermediate_bytes = 0;
  for (const Parameter* parameter : std::as_const(*params.encoding).parameters())
    intermediate_bytes += sizeof(float) * 4.0 * params.size.tokens * parameter->value.shape[0];
  const double gate_bytes = intermediate_bytes + (training ? 2.0 : 1.0) * sizeof(double) *
                                                     params.heads * params.size.rows();
  const CustomDotProduct* dot_product = params.encoding->as_custom_dot_product();
  if (dot_product == nullptr) return gate_bytes;
  // Doubled, because a tile has at most twice the rows that product_bytes() assumes.
  return gate_bytes + 2.0 * params.size.items *
                          dot_product->product_bytes(params.size.tokens, params.size.tokens,
                                                     params.head_dim, training);
}

TokenTerms::TokenTerms(const BatchedAttentionParams& params, TokenTensorBatch& tensors,
                       bool requires_grad)
    : params_(params), tensors_(tensors), requires_grad_(requires_grad) {
  const double factor = params.encoding->gate_factor(params.scale);
  for (const TokenTensors& item : tensors.items) {
    const Tensor* gates = item.find("log_gates");
    if (gates == nullptr) break;
    gates_.emplace_back(*gates, factor);
    if (requires_grad) d_gates_.emplace_back(*gates, factor);
  }
  if (!requires_grad) return;
  tensors.d_items.resize(tensors.items.size());
  for (std::size_t n = 0; n < tensors.items.size(); ++n) {
    for (const auto& [name, tensor] : tensors.items[n])
      tensors.d_items[n][name] = Tensor(tensor.shape);
  }
}

void TokenTerms::start_head(int head, const ConstMatrixRef& q, const ConstMatrixRef& k) {
  head_ = head;
  products_.clear();
  const CustomDotProduct* dot_product = params_.encoding->as_custom_dot_product();
  for (int item = 0; dot_product != nullptr && item < params_.size.items; ++item) {
    products_.push_back(dot_product->products(head, params_.head_dim, requires_grad_));
    products_.back()->append(select_item(k, params_, item), params_.positions,
                             &tensors_.items[to_index(item)]);
    products_.back()->set_queries(select_item(q, params_, item), params_.positions, 0);
  }
}

void TokenTerms::compute_products(int item, int first_query, const MatrixRef& out) {
  products_[to_index(item)]->scores(first_query, 0, params_.scale, false, out);
}

void TokenTerms::add_gates(int item, int first_query, const MatrixRef& scores) const {
  if (!gates_.empty()) gates_[to_index(item)].add(head_, first_query, 0, scores);
}

void TokenTerms::gates_backward(int item, int first_query, const ConstMatrixRef& d_scores) {
  if (!d_gates_.empty()) d_gates_[to_index(item)].gather(head_, first_query, 0, d_scores);
}

void TokenTerms::products_backward(int item, int first_query, const ConstMatrixRef& d_products) {
  products_[to_index(item)]->scores_backward(first_query, 0, d_products);
}

void TokenTerms::finish_head(const MatrixRef& d_q, const MatrixRef& d_k) {
  for (int item = 0; item < static_cast<int>(products_.size()); ++item) {
    products_[to_index(item)]->finish_queries(select_item(d_q, params_, item));
    products_[to_index(item)]->finish_keys(select_item(d_k, params_, item),
                                           tensors_.d_items[to_index(item)]);
  }
}

void TokenTerms::finish_gates() {
  for (std::size_t n = 0; n < d_gates_.size(); ++n)
    d_gates_[n].write(tensors_.d_items[n].at("log_gates"));
}

}  // namespace phasor::nn
