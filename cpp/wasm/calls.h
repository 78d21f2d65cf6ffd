#pragma once
// The calls of JavaScript by name: each reads a request and fills a response or an error.

#include <span>

#include "request.h"
#include "response.h"

namespace phasor_js {

struct Call {
  std::string_view name;
  Status (*compute)(Request&, Answer&);
};

// The end of most calls: after all fields are read the result is computed, and `fill` puts it into
// the answer, perhaps twice.
template <class Compute, class Fill>
Status run(Request& request, Compute compute, Fill fill) {
  PHASOR_TRY(request.done());
  auto result = compute();
  PHASOR_TRY(std::move(result).status());
  do fill(*result);
  while (Answer::again());
  return {};
}
// The same where the answer is a tensor.
template <class Compute>
Status run(Request& request, Answer& answer, Compute compute) {
  return run(request, compute, [&](const Tensor& t) { answer.be(t); });
}

// All but what a layer should answer with, which a gradient does not.
phasor::SelfAttentionConfig layer_config(Request& request);
phasor::RequestedOutputs layer_outputs(Request& request);
// Those of attention, of a layer and of a cache are the same fields.
phasor::AttentionOptions attention_options(Request& request);
// `prepared` is the encoding if it is already made, or nullptr.
phasor::AttentionConfig attention_config(Request& request, const Tensor& q, const Tensor& k,
                                         const phasor::Encoding* prepared);
phasor::PoolingConfig pooling_config(Request& request);
std::vector<std::uint8_t> key_mask(Request& request, const Tensor& k);
phasor::OutputLayout output_layout(Request& request);
std::optional<double> scale_of(Request& request, const phasor::Encoding* prepared);
// The gradients of what was given.
Answer& add(Answer& answer, const phasor::OptionGradients& gradients);
// The output and what else is wanted.
Answer& add(Answer& answer, const phasor::AttentionResult& result,
            const phasor::RequestedOutputs& outputs);

// The conventions of position ids, in the order of PositionIdMode.
inline constexpr phasor::ChoiceList kPositionIdModes = "fairseq, opt, bloom";

std::span<const Call> encoding_calls();
std::span<const Call> model_calls();
std::span<const Call> attention_calls();
std::span<const Call> layer_calls();
std::span<const Call> analysis_calls();
std::span<const Call> handle_calls();
std::span<const Call> train_calls();  // of phasor-nn alone

}  // namespace phasor_js
