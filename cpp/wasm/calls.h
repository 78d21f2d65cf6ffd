#pragma once
// The functions that JavaScript can call by name. Each reads a request and fills a response or
// returns an error.

#include <span>

#include "request.h"
#include "response.h"

namespace phasor_js {

struct Call {
  std::string_view name;
  Status (*compute)(Request&, Response&);
};

// Checks that all fields have been read, computes the result, and calls `fill` to write it to the
// response. Calls `fill` again if Response::needs_second_pass().
template <class Compute, class Fill>
Status run(Request& request, Compute compute, Fill fill) {
  PHASOR_TRY(request.finish());
  auto result = compute();
  PHASOR_TRY(std::move(result).status());
  do fill(*result);
  while (Response::needs_second_pass());
  return {};
}
template <class Compute>
Status run(Request& request, Response& response, Compute compute) {
  return run(request, compute, [&](const Tensor& t) { response.set(t); });
}

// Reads all fields of a layer except the requested outputs. read_layer_outputs() reads those.
phasor::SelfAttentionConfig read_layer_config(Request& request);
phasor::RequestedOutputs read_layer_outputs(Request& request);
// Reads the options that attention, layers and caches have in common.
phasor::AttentionOptions read_attention_options(Request& request);
// `prepared_encoding` is the encoding that a handle refers to; nullptr if the request has no
// handle.
phasor::AttentionConfig read_attention_config(Request& request, const Tensor& q, const Tensor& k,
                                              const phasor::Encoding* prepared_encoding);
phasor::PoolingConfig read_pooling_config(Request& request);
std::vector<std::uint8_t> read_key_mask(Request& request, const Tensor& k);
// Reads segment ids for the tokens of x (..., heads, tokens, head_dim). If x is nullptr, the list
// may have any length.
std::vector<int> read_segments(Request& request, const char* name, const Tensor* x);
phasor::OutputLayout read_output_layout(Request& request);
std::optional<double> read_scale(Request& request, const phasor::Encoding* prepared_encoding);
// Adds the gradients of the sinks and of the QK norm weights.
Response& add(Response& response, const phasor::OptionGradients& gradients);
Response& add(Response& response, const phasor::AttentionResult& result,
              const phasor::RequestedOutputs& outputs);

// Choices in the order of PositionIdMode.
inline constexpr phasor::ChoiceList kPositionIdModes = "fairseq, opt, bloom";

Status release(Request& request, Response& response);

std::span<const Call> list_encoding_calls();
std::span<const Call> list_model_calls();
std::span<const Call> list_attention_calls();
std::span<const Call> list_layer_calls();
std::span<const Call> list_analysis_calls();
std::span<const Call> list_handle_calls();
std::span<const Call> list_train_calls();       // only in phasor-nn
std::span<const Call> list_checkpoint_calls();  // phasor-model has no other calls

}  // namespace phasor_js
