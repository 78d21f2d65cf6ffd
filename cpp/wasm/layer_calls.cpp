#include "calls.h"

namespace {

using namespace phasor_js;

Status self_attention(Request& request, Response& response) {
  const Tensor& x = request.tensor("x");
  phasor::SelfAttentionConfig config = read_layer_config(request);
  config.outputs = read_layer_outputs(request);
  config.compute_output = !request.has("computeOutput") || request.flag("computeOutput");
  return run(
      request, [&] { return phasor::self_attention(x, config); },
      [&](const auto& result) { add(response, result, config.outputs); });
}

Status self_attention_backward(Request& request, Response& response) {
  const Tensor &x = request.tensor("x"), &d_output = request.tensor("dOutput");
  const phasor::SelfAttentionConfig config = read_layer_config(request);
  return run(
      request, [&] { return phasor::self_attention_backward(x, d_output, config); },
      [&](const auto& result) {
        add(response.add("dx", result.d_x).add("parameters", result.parameters), result.options);
      });
}

}  // namespace

namespace phasor_js {

phasor::SelfAttentionConfig read_layer_config(Request& request) {
  phasor::SelfAttentionConfig config;
  config.heads = request.integer("heads");
  config.encoding = request.encoding_or_none();
  config.mask = request.choice<phasor::Mask>("mask", "none, causal");
  if (request.has("window")) config.window = request.integer("window");
  config.position_offset = request.number_or("positionOffset", 0);
  config.segment_ids = read_segments(request, "segmentIds", nullptr);
  config.scale = request.optional_number("scale");
  config.projections = request.choice<phasor::Projections>("projections", "identity, orthogonal");
  config.seed = request.seed("seed");
  config.options = read_attention_options(request);
  return config;
}

phasor::RequestedOutputs read_layer_outputs(Request& request) {
  const phasor::RequestedOutputs outputs = request.outputs();
  if (outputs.pooled_weights)
    request.reject("outputs: pooledWeights is not an output of selfAttention; use attention");
  return outputs;
}

std::span<const Call> list_layer_calls() {
  static constexpr Call kCalls[] = {
      {"selfAttention", self_attention},
      {"selfAttentionBackward", self_attention_backward},
  };
  return kCalls;
}

}  // namespace phasor_js
