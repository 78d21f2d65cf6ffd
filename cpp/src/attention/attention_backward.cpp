#include <algorithm>

#include "attention/batch_items.h"
#include "attention/streaming/attend.h"
#include "attention/validate/call.h"
#include "attention/validate/pair_arrays.h"
#include "core/format_error.h"
#include "kernels/vector_ops.h"
#include "phasor/attention.h"

namespace phasor {

namespace {

Status check_gradient(const Parameter& parameter) {
  const Tensor& grad = parameter.grad;
  if (grad.empty() ||
      (grad.shape == parameter.value.shape && grad.data.size() == numel(grad.shape)))
    return {};
  return invalid("{}.grad: has shape {} with {} values; expected shape {}", parameter.name,
                 grad.shape, grad.data.size(), parameter.value.shape);
}

// Adds `previous_grad` to the parameter's gradient. Rejects sums that exceed the float32 range.
Status add_gradient(const Tensor& previous_grad, Parameter& parameter) {
  if (previous_grad.empty()) return {};
  std::vector<float>& grad = parameter.gradient().data;
  kernels::add_row(grad.data(), previous_grad.data.data(), static_cast<int>(grad.size()));
  return check_result("d_output", grad, "the sum of the gradients of {}", parameter.name);
}

AttentionResult copy_item(const AttentionResult& forward, const CallSizes& sizes, int item) {
  const std::ptrdiff_t rows = static_cast<std::ptrdiff_t>(sizes.heads) * sizes.queries,
                       first_row = rows * item;
  AttentionResult out;
  out.output = copy_item(forward.output, item);
  out.row_max = {forward.row_max.begin() + first_row, forward.row_max.begin() + first_row + rows};
  out.row_sum = {forward.row_sum.begin() + first_row, forward.row_sum.begin() + first_row + rows};
  return out;
}

Status add_option_grad(const Tensor& grad, const char* name, Tensor& sum) {
  if (grad.empty()) return {};
  if (sum.empty()) sum = Tensor(grad.shape);
  kernels::add_row(sum.data.data(), grad.data.data(), static_cast<int>(grad.data.size()));
  return check_result("d_output", sum.data, "the sum of the gradients of {}", argument(name));
}

Status check_backward(const Tensor& d_output, const CallSizes& sizes, OutputLayout layout,
                      const AttentionResult* forward) {
  std::vector<int> shape = {sizes.heads, sizes.queries, sizes.v_head_dim};
  if (sizes.batch_size > 0) shape = prepend_dim(sizes.batch_size, shape);
  PHASOR_TRY(check_size("v", "an output", shape));
  const std::size_t rows = numel(std::span(shape).first(shape.size() - 1));
  shape = shape_in_layout(std::move(shape), layout);
  if (d_output.shape != shape) {
    return invalid("{}: has shape {}; expected {}, the shape of the output", argument("d_output"),
                   d_output.shape, shape);
  }
  PHASOR_TRY(check_tensor(argument("d_output"), d_output));
  if (forward == nullptr) return {};
  if (forward->row_max.empty())
    return invalid(
        "forward: has no row_max or row_sum; expected the result of an attention call with "
        "outputs.softmax_stats");
  if (forward->output.shape != shape || forward->row_max.size() != rows ||
      forward->row_sum.size() != rows) {
    return invalid(
        "forward: shapes differ from those of this call; expected the result of attention with the "
        "same arguments");
  }
  return check_tensor("forward.output", forward->output);
}

Status backward_items(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
                      Encoding& encoding, const CallSizes& sizes, const AttentionConfig& config,
                      const AttentionResult* forward, std::span<double> d_attn_bias,
                      AttentionGradients& out) {
  for (int item = 0; item < sizes.item_count(); ++item) {
    PreparedCall call;
    PHASOR_TRY(prepare_item(sizes, item, encoding, config, call));
    if (item == 0) PHASOR_TRY(check_backward(d_output, sizes, config.output_layout, forward));
    call.params.outputs = {};
    call.params.d_attn_bias = pair_view(config.attn_bias.shape, d_attn_bias.data(), item);
    if (sizes.batch_size == 0)
      return attend_backward(q, k, v, d_output, call.params, encoding, forward, out);
    PHASOR_TRY(check_memory("q", (array_bytes(q.shape) + array_bytes(k.shape) +
                                  array_bytes(v.shape) + 3 * array_bytes(d_output.shape)) /
                                     sizes.batch_size));
    AttentionResult item_forward;
    if (forward != nullptr) item_forward = copy_item(*forward, sizes, item);
    AttentionGradients item_gradients;
    PHASOR_TRY(attend_backward(copy_item(q, item), copy_item(k, item), copy_item(v, item),
                               copy_item(d_output, item), call.params, encoding,
                               forward == nullptr ? nullptr : &item_forward, item_gradients));
    PHASOR_TRY(store_item("q", "a gradient", item_gradients.d_q, sizes, item, out.d_q));
    PHASOR_TRY(store_item("k", "a gradient", item_gradients.d_k, sizes, item, out.d_k));
    PHASOR_TRY(store_item("v", "a gradient", item_gradients.d_v, sizes, item, out.d_v));
    PHASOR_TRY(add_option_grad(item_gradients.options.sinks, "sinks", out.options.sinks));
    PHASOR_TRY(add_option_grad(item_gradients.options.q_weight, "q_weight", out.options.q_weight));
    PHASOR_TRY(add_option_grad(item_gradients.options.k_weight, "k_weight", out.options.k_weight));
    for (const auto& [name, gradient] : item_gradients.token_tensors)
      PHASOR_TRY(
          store_item(name.c_str(), "a gradient", gradient, sizes, item, out.token_tensors[name]));
  }
  return {};
}

// Accumulates the gradient of attn_bias in double, because it is summed over broadcast axes.
Status compute_gradients(const Tensor& q, const Tensor& k, const Tensor& v, const Tensor& d_output,
                         Encoding& encoding, const CallSizes& sizes, const AttentionConfig& config,
                         const AttentionResult* forward, AttentionGradients& out) {
  const Tensor& bias = config.attn_bias;
  PHASOR_TRY(check_memory("attn_bias", 3 * array_bytes(bias.shape)));
  std::vector<double> d_bias(bias.data.size());
  PHASOR_TRY(backward_items(q, k, v, d_output, encoding, sizes, config, forward, d_bias, out));
  if (bias.empty()) return {};
  out.d_attn_bias = Tensor(bias.shape);
  kernels::narrow(out.d_attn_bias.data.data(), d_bias.data(), static_cast<int>(d_bias.size()));
  return check_result("d_output", out.d_attn_bias.data, "the gradient of {}",
                      argument("attn_bias"));
}

// Validates a call and runs the backward pass. Adds gradients to the parameters of an existing
// encoding; an error leaves them unchanged.
Result<AttentionGradients> run_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                        const Tensor& d_output, Encoding* existing_encoding,
                                        const AttentionConfig& config,
                                        const AttentionResult* forward) {
  return Result<AttentionGradients>::from([&](AttentionGradients& out) -> Status {
    CallEncoding call_encoding(existing_encoding);
    CallSizes sizes;
    PHASOR_TRY(check_data("v", v));
    PHASOR_TRY(validate_call(q, k, view(v), config, sizes, call_encoding));
    Encoding& encoding =
        existing_encoding != nullptr ? *existing_encoding : *call_encoding.new_encoding;
    const std::vector<Parameter*> parameters = encoding.parameters();
    for (const Parameter* parameter : parameters) PHASOR_TRY(check_gradient(*parameter));
    std::vector<Tensor> previous_grads(parameters.size());
    for (std::size_t p = 0; p < parameters.size(); ++p)
      std::swap(previous_grads[p], parameters[p]->grad);
    Status status = compute_gradients(q, k, v, d_output, encoding, sizes, config, forward, out);
    for (std::size_t p = 0; p < parameters.size() && status.ok(); ++p)
      status = add_gradient(previous_grads[p], *parameters[p]);
    for (std::size_t p = 0; p < parameters.size() && !status.ok(); ++p)
      parameters[p]->grad = std::move(previous_grads[p]);
    if (existing_encoding == nullptr && status.ok()) out.parameters = take_gradients(encoding);
    return status;
  });
}

}  // namespace

Result<AttentionGradients> attention_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const Tensor& d_output,
                                              const AttentionConfig& config) {
  return run_backward(q, k, v, d_output, nullptr, config, nullptr);
}

Result<AttentionGradients> attention_backward(const Tensor& q, const Tensor& k, const Tensor& v,
                                              const Tensor& d_output, Encoding& encoding,
                                              const AttentionConfig& config,
                                              const AttentionResult* forward) {
  return run_backward(q, k, v, d_output, &encoding, config, forward);
}

}  // namespace phasor
