// The calls of a layer, and how a layer is requested.

#include "calls.h"

namespace {

using namespace phasor_js;

Status layer(Request& request, Answer& answer) {
  const Tensor& x = request.tensor("x");
  phasor::SelfAttentionConfig config = layer_config(request);
  config.want = layer_want(request);
  config.output = request.choice<int>("output", "returned, omitted") == 0;
  return run(
      request, [&] { return phasor::self_attention(x, config); },
      [&](const auto& found) { add(answer, found, config.want); });
}

Status self_attention_backward(Request& request, Answer& answer) {
  const Tensor &x = request.tensor("x"), &d_output = request.tensor("dOutput");
  const phasor::SelfAttentionConfig config = layer_config(request);
  return run(
      request, [&] { return phasor::self_attention_backward(x, d_output, config); },
      [&](const auto& found) {
        add(answer.add("dx", found.d_x).add("parameters", found.parameters), found.options);
      });
}

}  // namespace

namespace phasor_js {

phasor::SelfAttentionConfig layer_config(Request& request) {
  phasor::SelfAttentionConfig config;
  config.heads = request.integer("heads");
  config.encoding = request.encoding_or_none();
  config.mask = request.choice<phasor::Mask>("mask", "none, causal");
  if (request.has("window")) config.window = request.integer("window");
  config.offset = request.number_or("offset", 0);
  config.scale = request.optional_number("scale");
  config.projections = request.choice<phasor::Projections>("projections", "identity, orthogonal");
  config.seed = request.seed("seed");
  config.options = attention_options(request);
  return config;
}

phasor::RequestedOutputs layer_want(Request& request) {
  const phasor::RequestedOutputs want = request.want();
  if (want.map) request.refuse("want: map is an answer of attention, not of layer");
  return want;
}

std::span<const Call> layer_calls() {
  static constexpr Call kCalls[] = {
      {"layer", layer},
      {"layerGradient", self_attention_backward},
  };
  return kCalls;
}

}  // namespace phasor_js
