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

// Checks that all fields were read, computes the result, and calls `fill` to write it to the
// response. If Response::needs_second_pass(), `fill` is called a second time.
template <class Compute, class Fill>
Status run(Request& request, Compute compute, Fill fill) {
  PHASOR_TRY(request.finish());
  auto result = compute();
  PHASOR_TRY(std::move(result).status());
  do fill(*result);
  while (Response::needs_second_pass());
  return {};
}
// Overload for a result that is a tensor.
template <class Compute>
Status run(Request& request, Response& response, Compute compute) {
  return run(request, compute, [&](const Tensor& t) { response.set(t); });
}

// Reads all fields of a layer except the requested outputs, which read_layer_outputs() reads.
phasor::SelfAttentionConfig read_layer_config(Request& request);
phasor::RequestedOutputs read_layer_outputs(Request& request);
// Options that attention, layers and caches have in common.
phasor::AttentionOptions read_attention_options(Request& request);
// `prepared_encoding` is the encoding of a handle; nullptr without a handle.
phasor::AttentionConfig read_attention_config(Request& request, const Tensor& q, const Tensor& k,
                                              const phasor::Encoding* prepared_encoding);
phasor::PoolingConfig read_pooling_config(Request& request);
std::vector<std::uint8_t> read_key_mask(Request& request, const Tensor& k);
// Segment ids for the tokens of x (.. heads, tokens, head_dim); if x is nullptr, a list of any
// length.
std::vector<int> read_segments(Request& request, const char* name, const Tensor* x);
phasor::OutputLayout read_output_layout(Request& request);
std::optional<double> read_scale(Request& request, const phasor::Encoding* prepared_encoding);
// Adds the gradients of sinks and QK norm weights.
Response& add(Response& response, const phasor::OptionGradients& gradients);
// Adds the output and the other requested arrays.
Response& add(Response& response, const phasor::AttentionResult& result,
              const phasor::RequestedOutputs& outputs);

// Choices in the order of PositionIdMode.
inline constexpr phasor::ChoiceList kPositionIdModes = "fairseq, opt, bloom";

// Frees the object of a handle.
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
