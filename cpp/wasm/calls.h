#pragma once
// What JavaScript can call, by name: each reads a request and fills an answer, or says why not.

#include <span>

#include "answer.h"
#include "request.h"

namespace phasor_js {

struct Call {
  std::string_view name;
  Status (*compute)(Request&, Answer&);
};

// All but what a layer should answer with, which a gradient does not.
phasor::LayerConfig layer_config(Request& request);
phasor::RequestedOutputs layer_want(Request& request);
// The output and what else is wanted.
Answer& add(Answer& answer, const phasor::AttentionResult& result, const phasor::RequestedOutputs& want);

std::span<const Call> encoding_calls();
std::span<const Call> attention_calls();
std::span<const Call> analysis_calls();

}  // namespace phasor_js
