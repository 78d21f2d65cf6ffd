#include "nn/token_inputs.h"

#include "nn/batched_attention.h"

namespace phasor::nn {

namespace {

std::size_t index_of(int item) { return static_cast<std::size_t>(item); }

}  // namespace

void compute_token_tensors(const BatchedAttentionParams& job, const ConstMatrixRef& x,
                           TokenTensorBatch& tensors) {
  const TokenProjections* projections = job.encoding->as_projections();
  if (projections == nullptr) return;
  tensors.items.resize(index_of(job.size.items));
  for (int item = 0; item < job.size.items; ++item) {
    // The result is not checked: memory was checked for the whole step, and the loss detects NaN
    // and infinity.
    static_cast<void>(
        projections->project(item_of(x, job, item), tensors.items[index_of(item)]).ok());
  }
}

void compute_token_tensors_backward(const BatchedAttentionParams& job, const ConstMatrixRef& x,
                                    const TokenTensorBatch& tensors, const MatrixRef& d_x) {
  TokenProjections* projections = job.encoding->as_projections();
  if (projections == nullptr) return;
  for (int item = 0; item < job.size.items; ++item) {
    projections->project_backward(item_of(x, job, item), tensors.items[index_of(item)],
                                  tensors.d_items[index_of(item)], item_of(d_x, job, item));
  }
}

double TokenTerms::tensor_bytes(const BatchedAttentionParams& job, bool training) {
  if (job.encoding->token_tensors.empty()) return 0;
  // Per token and head: a vector, two numbers and their inputs; in training also the gradients.
  const double numbers_per_token = (training ? 4.0 : 2.0) * (job.embed_dim() + 2.0 * job.heads);
  return sizeof(float) * numbers_per_token * job.size.rows();
}

double TokenTerms::bytes(const BatchedAttentionParams& job, bool training) {
  if (job.encoding->token_tensors.empty()) return 0;
  // Intermediate results of an item, estimated from the weight sizes.
  double intermediate_bytes = 0;
  for (const Parameter* parameter : std::as_const(*job.encoding).parameters())
    intermediate_bytes += sizeof(float) * 4.0 * job.size.tokens * parameter->value.shape[0];
  const double gate_bytes =
      intermediate_bytes + (training ? 2.0 : 1.0) * sizeof(double) * job.heads * job.size.rows();
  const CustomDotProduct* products = job.encoding->as_custom_dot_product();
  if (products == nullptr) return gate_bytes;
  // A tile has at most twice the rows that product_bytes() assumes.
  return gate_bytes +
         2.0 * job.size.items *
             products->product_bytes(job.size.tokens, job.size.tokens, job.head_dim, training);
}

TokenTerms::TokenTerms(const BatchedAttentionParams& job, TokenTensorBatch& tensors,
                       bool requires_grad)
    : job_(job), tensors_(tensors), requires_grad_(requires_grad) {
  const double factor = job.encoding->gate_factor(job.scale);
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
  const CustomDotProduct* products = job_.encoding->as_custom_dot_product();
  for (int item = 0; products != nullptr && item < job_.size.items; ++item) {
    products_.push_back(products->products(head, job_.head_dim, requires_grad_));
    products_.back()->append(item_of(k, job_, item), job_.positions,
                             &tensors_.items[index_of(item)]);
    products_.back()->set_queries(item_of(q, job_, item), job_.positions, 0);
  }
}

void TokenTerms::compute_products(int item, int first, const MatrixRef& out) {
  products_[index_of(item)]->scores(first, 0, job_.scale, false, out);
}

void TokenTerms::add_gates(int item, int first, const MatrixRef& scores) const {
  if (!gates_.empty()) gates_[index_of(item)].add(head_, first, 0, scores);
}

void TokenTerms::gates_backward(int item, int first, const ConstMatrixRef& d_scores) {
  if (!d_gates_.empty()) d_gates_[index_of(item)].gather(head_, first, 0, d_scores);
}

void TokenTerms::products_backward(int item, int first, const ConstMatrixRef& d_products) {
  products_[index_of(item)]->scores_backward(first, 0, d_products);
}

void TokenTerms::finish_head(const MatrixRef& d_q, const MatrixRef& d_k) {
  for (int item = 0; item < static_cast<int>(products_.size()); ++item) {
    products_[index_of(item)]->finish_queries(item_of(d_q, job_, item));
    products_[index_of(item)]->finish_keys(item_of(d_k, job_, item),
                                           tensors_.d_items[index_of(item)]);
  }
}

void TokenTerms::finish_gates() {
  for (std::size_t n = 0; n < d_gates_.size(); ++n)
    d_gates_[n].write(tensors_.d_items[n].at("log_gates"));
}

}  // namespace phasor::nn
