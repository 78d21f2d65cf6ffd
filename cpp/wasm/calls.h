#pragma once
// The calls of JavaScript, by name: each reads a request and fills a response or an error.

#include <span>

#include "request.h"
#include "response.h"

namespace phasor_js {

struct Call {
  std::string_view name;
  Status (*compute)(Request&, Response&);
};

// Ends most calls: checks that all fields were read, computes the result, and lets `fill` write it
// into the response, possibly twice.
template <class Compute, class Fill>
Status run(Request& request, Compute compute, Fill fill) {
  PHASOR_TRY(request.done());
  auto result = compute();
  PHASOR_TRY(std::move(result).status());
  do fill(*result);
  while (Response::again());
  return {};
}
// Overload for a result that is a tensor.
template <class Compute>
Status run(Request& request, Response& response, Compute compute) {
  return run(request, compute, [&](const Tensor& t) { response.set(t); });
}

// Reads all fields except the requested outputs, which a backward pass does not have.
phasor::SelfAttentionConfig read_layer_config(Request& request);
phasor::RequestedOutputs read_layer_outputs(Request& request);
// Fields shared by attention, layers and caches.
phasor::AttentionOptions read_attention_options(Request& request);
// `prepared` is the encoding behind a handle, or nullptr.
phasor::AttentionConfig read_attention_config(Request& request, const Tensor& q, const Tensor& k,
                                              const phasor::Encoding* prepared);
phasor::PoolingConfig read_pooling_config(Request& request);
std::vector<std::uint8_t> read_key_mask(Request& request, const Tensor& k);
// The segment ids of the tokens of x (.. heads, tokens, head_dim), or of a single row of tokens if
// x is nullptr.
std::vector<int> read_segments(Request& request, const char* name, const Tensor* x);
phasor::OutputLayout read_output_layout(Request& request);
std::optional<double> read_scale(Request& request, const phasor::Encoding* prepared);
// Adds the gradients of sinks and QK norm weights.
Response& add(Response& response, const phasor::OptionGradients& gradients);
// Adds the output and the other requested arrays.
Response& add(Response& response, const phasor::AttentionResult& result,
              const phasor::RequestedOutputs& outputs);

// The choices of position ids, in the order of PositionIdMode.
inline constexpr phasor::ChoiceList kPositionIdModes = "fairseq, opt, bloom";

// Frees the object behind a handle.
Status release(Request& request, Response& response);

std::span<const Call> encoding_calls();
std::span<const Call> model_calls();
std::span<const Call> attention_calls();
std::span<const Call> layer_calls();
std::span<const Call> analysis_calls();
std::span<const Call> handle_calls();
std::span<const Call> train_calls();       // only in phasor-nn
std::span<const Call> checkpoint_calls();  // the only calls of phasor-model

}  // namespace phasor_js
