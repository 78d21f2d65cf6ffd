// What attention may do beside its mask and its encoding: sinks, soft caps.

#include "golden_attention.h"

namespace golden::family::attention_options {
namespace {

using phasor::AttentionConfig;
using phasor::Tensor;

phasor::EncodingConfig encoding_of(Case& c) {
  const std::string id = c.has("encoding") ? c.word("encoding") : "none";
  if (id == "alibi") {
    if (c.has("base")) c.number("base");  // of rotations only
    return golden::alibi(c);
  }
  if (id == "rope_half_split") return golden::rope(c, "half_split");
  if (id == "rope_interleaved") return golden::rope(c, "interleaved");
  if (id != "none") c.fail("param encoding: \"" + id + "\" is not known");
  if (c.has("base")) c.number("base");
  return {};
}

// All that every method of the family has.
AttentionConfig config_of(Case& c, int width) {
  AttentionConfig config;
  config.encoding = encoding_of(c);
  golden::read_mask(c, config);
  golden::read_scale(c, width, config.scale);
  if (c.has("window")) config.window = c.integer("window");
  if (c.has("q_offset")) config.offset = c.number("q_offset");
  if (c.has_input("sinks")) config.options.sinks = c.tensor("sinks");
  if (c.has("softcap")) config.options.softcap = c.number("softcap");
  if (c.has("cap_includes_bias")) config.options.cap_includes_bias = c.boolean("cap_includes_bias");
  return config;
}

void run(Case& c, const golden::Inputs& in, AttentionConfig config) {
  config.want.weights = true;
  config.want.sink_weights = !config.options.sinks.empty();
  phasor::AttentionResult got, streamed;
  if (c.failed() || !c.ok(phasor::attention(in.q, in.k, in.v, config), got)) return;
  c.expect_weights("weights", got.weights);
  c.expect("out", got.output, golden::kAttention);
  if (c.has_output("sink_weight")) c.expect_weights("sink_weight", got.sink_weights);
  // Rows of weights are whole; without them the keys stream through in tiles.
  config.want.weights = false;
  if (!c.ok(phasor::attention(in.q, in.k, in.v, config), streamed)) return;
  c.expect("out", streamed.output, golden::kAttention);
  if (c.has_output("sink_weight")) c.expect_weights("sink_weight", streamed.sink_weights);
  if (!c.has_output("scores")) return;
  // Those of the file are before the mask.
  config.mask = phasor::Mask::none;
  config.window.reset();
  config.key_mask.clear();
  config.want = {.scores = true};
  if (!c.ok(phasor::attention(in.q, in.k, in.v, config), got)) return;
  c.expect("scores", got.scores, golden::kAttention);
}

void forward(Case& c) {
  const golden::Inputs in = golden::read_inputs(c);
  if (!c.failed()) run(c, in, config_of(c, in.q.shape[2]));
}

void backward(Case& c) {
  const golden::Inputs in = golden::read_inputs(c);
  const Tensor d_output = c.tensor("dout");
  if (c.failed()) return;
  const AttentionConfig config = config_of(c, in.q.shape[2]);
  phasor::AttentionResult got;
  phasor::AttentionGradients gradients;
  if (c.failed() || !c.ok(phasor::attention(in.q, in.k, in.v, config), got)) return;
  if (!c.ok(phasor::attention_gradient(in.q, in.k, in.v, d_output, config), gradients)) return;
  c.expect("out", got.output, golden::kAttention);
  c.expect("dq", gradients.d_q, golden::kGradient);
  c.expect("dk", gradients.d_k, golden::kGradient);
  c.expect("dv", gradients.d_v, golden::kGradient);
  if (c.has_output("dsinks")) c.expect("dsinks", gradients.options.sinks, golden::kGradient);
}

constexpr golden::Method kMethods[] = {
    {"attention_sinks", forward},
    {"grad_attention_sinks", backward},
    {"attention_softcap", forward},
    {"grad_attention_softcap", backward},
};

}  // namespace

GOLDEN_FAMILY(attention_options) { return kMethods; }

}  // namespace golden::family::attention_options
