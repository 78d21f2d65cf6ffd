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
  return run(request, compute, [&](const Tensor& t) { response.be(t); });
}

// All fields except the requested outputs, which a backward pass does not have.
phasor::SelfAttentionConfig layer_config(Request& request);
phasor::RequestedOutputs layer_outputs(Request& request);
// Fields shared by attention, layers and caches.
phasor::AttentionOptions attention_options(Request& request);
// `prepared` is the encoding if it is already made, or nullptr.
phasor::AttentionConfig attention_config(Request& request, const Tensor& q, const Tensor& k,
                                         const phasor::Encoding* prepared);
phasor::PoolingConfig pooling_config(Request& request);
std::vector<std::uint8_t> key_mask(Request& request, const Tensor& k);
// The segment ids of the tokens of x (.. heads, tokens, head_dim); nullptr: of a single row of
// tokens.
std::vector<int> segments_of(Request& request, const char* name, const Tensor* x);
phasor::OutputLayout output_layout(Request& request);
std::optional<double> scale_of(Request& request, const phasor::Encoding* prepared);
// Adds the gradients of sinks and of the weights of the QK norm.
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
