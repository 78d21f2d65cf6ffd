#pragma once
// What JavaScript can call, by name: each takes a request and answers {shape, data}, {named values} or {error}.

#include <span>

#include "request.h"

namespace phasor_js {

struct Call {
  std::string_view name;
  val (*compute)(Request&);
};

// All but what a layer should answer with, which a gradient does not.
phasor::LayerConfig layer_config(Request& request);
phasor::Want layer_want(Request& request);

std::span<const Call> encoding_calls();
std::span<const Call> attention_calls();
std::span<const Call> analysis_calls();

}  // namespace phasor_js
