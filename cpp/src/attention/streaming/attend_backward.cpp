// The backward pass of attention. With P the weights, O the output and dO its gradient
// (Dao et al. 2022, algorithm 4):
//   dV = P^T dO,   dP = dO V^T,   dS = P * (dP - rowsum(dO * O)),   dQ = scale dS K,   dK = scale
//   dS^T Q,
// plus the terms of the encoding in dS and dP. Without a forward result, a forward pass of each
// head computes its row sums first. Scores are recomputed tile by tile.

#include "attention/streaming/backward_pass.h"
#include "attention/streaming/memory_estimate.h"
#include "attention/streaming/score_ops.h"
#include "attention/streaming/scores_float64.h"
#include "attention/streaming/tile_inputs.h"
#include "core/finite.h"
#include "core/format_error.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"

namespace phasor {

namespace {

// The gradient of a sink's logit. A sink has no value vector, so dP is 0 and dS = -P rowsum(dO *
// O). d_output and output are (queries, v_head_dim).
float sink_gradient(const HeadPass& pass, const ConstMatrixRef& d_output,
                    const ConstMatrixRef& output) {
  double sum = 0;
  for (int r = 0; r < output.rows; ++r) {
    const double weight = pass.sink_weight(r);
    if (weight > 0)
      sum -= weight * kernels::dot_in_double(d_output.row(r), output.row(r), output.columns);
  }
  return static_cast<float>(sum);
}

double missing_gradient_bytes(const Encoding& encoding) {
  double bytes = 0;
  for (const Parameter* parameter : encoding.parameters())
    bytes += parameter->grad.empty() ? array_bytes(parameter->value.shape) : 0;
  return bytes;
}

}  // namespace

Status BackwardPass::run() {
  PHASOR_TRY(transform());
  PHASOR_TRY(allocate());
  Status status = encoding_.as_mixing() != nullptr ? run_heads_together() : run_each_head();
  // Calls finish_backward() even after an error, so that no accumulated gradients remain for the
  // next pass.
  if (ContentBias* content_bias = encoding_.as_content_bias()) content_bias->finish_backward();
  PHASOR_TRY(std::move(status));
  transform_gradients();
  return check();
}

Status BackwardPass::transform() {
  const double transformed_bytes =
      (params_.qk_norm() != nullptr ? 3 : 2) * (array_bytes(q_.shape) + array_bytes(k_.shape));
  PHASOR_TRY(check_memory("q", transformed_bytes + array_bytes(v_.shape) +
                                   missing_gradient_bytes(encoding_) +
                                   2 * SinkQueries::bytes(params_, q_)));
  for (Parameter* parameter : encoding_.parameters()) parameter->gradient();
  PHASOR_TRY(sink_queries_.prepare(params_, q_));
  params_.sink_queries = &sink_queries_;
  transformed_q_ = q_;
  transformed_k_ = k_;
  PHASOR_TRY(apply_position(params_, transformed_q_, transformed_k_));
  head_dim_ = transformed_k_.shape[2];
  if (head_dim_ == k_.shape[2]) return {};
  return check_memory("q", array_bytes(transformed_q_.shape) + array_bytes(transformed_k_.shape) +
                               array_bytes(v_.shape));
}

Status BackwardPass::allocate() {
  out_ = {.d_q = Tensor(transformed_q_.shape),
          .d_k = Tensor(transformed_k_.shape),
          .d_v = Tensor(v_.shape),
          .parameters = {},
          .options = {},
          .token_tensors = {}};
  if (params_.has_sinks()) out_.options.sinks = Tensor({heads_});
  if (const QkNorm* norm = params_.qk_norm()) {
    if (!norm->q_weight.empty()) out_.options.q_weight = Tensor(norm->q_weight.shape);
    if (!norm->k_weight.empty()) out_.options.k_weight = Tensor(norm->k_weight.shape);
  }
  if (sink_queries_.has_queries()) d_sink_q_ = Tensor(transformed_q_.shape);
  params_.use_float64 = needs_float64(params_.scale, transformed_q_, max_abs(transformed_k_.data),
                                      max_abs(v_.data), keys_);
  grad_uses_float64_ = needs_float64_grad(d_output_, v_);
  const QueryKeyEncoding* query_key = encoding_.as_query_key();
  PHASOR_TRY(check_memory(
      "q",
      pass_bytes(params_, heads_, head_dim_, v_head_dim_) +
          backward_pass_bytes(params_, heads_, head_dim_, v_head_dim_) +
          (query_key != nullptr ? query_key->transform_bytes(q_) + query_key->transform_bytes(k_)
                                : 0) +
          // join_heads copies gradients
          (is_token_major()
               ? std::max({array_bytes(q_.shape), array_bytes(k_.shape), array_bytes(v_.shape)})
               : 0)));
  PHASOR_TRY(sum_gates(params_, decay_));
  if (const Tensor* log_gates = find_log_gates(params_)) {
    PHASOR_TRY(check_memory("log_gates", 2 * Decay::bytes(*log_gates)));
    d_decay_.emplace(*log_gates, encoding_.gate_factor(params_.scale));
  }
  if (params_.tokens == nullptr) return {};
  for (const auto& [name, tensor] : *params_.tokens) {
    PHASOR_TRY(check_memory(name.c_str(), array_bytes(tensor.shape)));
    out_.token_tensors.add(name, Tensor(tensor.shape));
  }
  return {};
}

HeadGradient::HeadTensors BackwardPass::head_tensors(int head, const ConstMatrixRef& output,
                                                     DotProductState* dot_product) {
  const int kv_head = head / (heads_ / kv_heads_);
  return {.head = head,
          .q = matrix(std::as_const(transformed_q_), head),
          .k = matrix(std::as_const(transformed_k_), kv_head),
          .v = matrix(v_, kv_head),
          .output = forward_ != nullptr ? head_rows(forward_->output, head, heads_) : output,
          .d_output = head_rows(d_output_, head, heads_),
          .d_q = matrix(out_.d_q, head),
          .d_k = matrix(out_.d_k, kv_head),
          .d_v = matrix(out_.d_v, kv_head),
          .products = dot_product,
          .sink_q = sink_queries_.has_queries() ? sink_queries_.q(head) : ConstMatrixRef{},
          .d_sink_q = sink_queries_.has_queries() ? matrix(d_sink_q_, head) : MatrixRef{}};
}

void BackwardPass::finish_sink(const HeadPass& pass, const HeadGradient::HeadTensors& h) {
  if (params_.has_sinks())
    out_.options.sinks.data[static_cast<std::size_t>(h.head)] =
        sink_gradient(pass, h.d_output, h.output);
}

Status BackwardPass::run_each_head() {
  const Tiling tiling = choose_tiling(params_);
  KeyBlockPacker packer(tiling.block_keys, head_dim_, v_head_dim_);
  HeadPass pass(params_, tiling);
  HeadGradient gradient(params_, encoding_, tiling, grad_uses_float64_,
                        d_decay_ ? &*d_decay_ : nullptr);
  HeadProducts products(params_, head_dim_, true);
  PHASOR_TRY(check_memory("q", products.bytes(queries_, keys_)));
  const int heads_per_kv_head = heads_ / kv_heads_;
  Tensor output({queries_, v_head_dim_});
  for (int head = 0; head < heads_; ++head) {
    DotProductState* const dot_product =
        products.head_state(head / heads_per_kv_head, transformed_k_);
    const HeadGradient::HeadTensors h =
        head_tensors(head, matrix(std::as_const(output)), dot_product);
    const auto pack_block = [&](int first) {
      return packer.pack(h.k, h.v, first, std::min(tiling.block_keys, keys_ - first));
    };
    pass.set_products(dot_product);
    if (forward_ != nullptr) {
      pass.restore(head, h.q, *forward_);
    } else {
      std::fill(output.data.begin(), output.data.end(), 0.0f);
      pass.start(head, h.q, matrix(output), unused_result_, {0, queries_});
      for (int first = 0; first < keys_; first += tiling.block_keys)
        pass.process_block(pack_block(first));
      PHASOR_TRY(pass.finish());
    }
    for (int first = 0; first < keys_; first += tiling.block_keys)
      gradient.backprop_block(h, pass, pack_block(first));
    if (forward_ != nullptr && !pass.matches_forward()) return forward_mismatch();
    if (dot_product != nullptr) {
      dot_product->finish_queries(h.d_q);
      // The last query head of this kv head completes the gradients of its keys.
      if ((head + 1) % heads_per_kv_head == 0) dot_product->finish_keys(h.d_k, out_.token_tensors);
    }
    finish_sink(pass, h);
  }
  return {};
}

void BackwardPass::transform_gradients() {
  transformed_q_ = {};
  transformed_k_ = {};
  const auto backprop_transform = [&](Role role, Positions positions, const Tensor& x, Tensor& d_x,
                                      Tensor& d_weight) {
    apply_position_backward(params_, encoding_, role, positions, x, d_x, d_weight,
                            out_.token_tensors);
  };
  backprop_transform(Role::query, params_.queries, q_, out_.d_q, out_.options.q_weight);
  backprop_transform(Role::key, params_.keys, k_, out_.d_k, out_.options.k_weight);
  if (sink_queries_.has_queries()) {
    backprop_transform(Role::query, sink_queries_.positions(queries_), q_, d_sink_q_,
                       out_.options.q_weight);
    kernels::add_row(out_.d_q.data.data(), d_sink_q_.data.data(),
                     static_cast<int>(d_sink_q_.data.size()));
  }
  if (d_decay_) d_decay_->write(out_.token_tensors.at("log_gates"));
}

Status BackwardPass::check() {
  for (const auto& [name, tensor] : out_.token_tensors)
    PHASOR_TRY(check_result("d_output", tensor.data, "the gradient of {}", name));
  PHASOR_TRY(check_result("d_output", out_.d_q.data, "the gradient of q"));
  PHASOR_TRY(check_result("d_output", out_.d_k.data, "the gradient of k"));
  PHASOR_TRY(check_result("d_output", out_.d_v.data, "the gradient of v"));
  PHASOR_TRY(check_result("d_output", out_.options.sinks.data, "the gradient of sinks"));
  for (const Tensor* weight : {&out_.options.q_weight, &out_.options.k_weight})
    PHASOR_TRY(check_result("d_output", weight->data, "the gradient of a qk_norm weight"));
  if (is_token_major()) {
    for (Tensor* rows : {&out_.d_q, &out_.d_k, &out_.d_v}) *rows = join_heads(*rows);
  }
  return check_gradients(encoding_);
}

Status attend_backward(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
                       const AttentionParams& params, Encoding& encoding,
                       const AttentionResult* forward, AttentionGradients& out) {
  return BackwardPass(q, k, v, d_output, params, encoding, forward, out).run();
}

Status check_gradients(Encoding& encoding) {
  for (const Parameter* parameter : encoding.parameters()) {
    PHASOR_TRY(
        check_result("d_output", parameter->grad.data, "the gradient of {}", parameter->name));
  }
  return {};
}

Gradients take_gradients(Encoding& encoding) {
  Gradients out;
  for (Parameter* parameter : encoding.parameters())
    out[parameter->name] = std::move(parameter->gradient());
  return out;
}

}  // namespace phasor
