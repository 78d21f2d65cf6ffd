// Positions computed from token content: forget gates, paths of reflections, selective rotations.

#include <cmath>
#include <limits>

#include "golden_attention.h"

namespace golden::family::content_position {
namespace {

using phasor::Tensor;

struct AttentionCall {
  Tensor q, k, v;
  phasor::AttentionConfig config;
};

// The attention call of a case, with its token tensors.
AttentionCall read_call(Case& c, phasor::EncodingConfig encoding,
                        std::initializer_list<const char*> names) {
  auto [q, k, v] = golden::read_inputs(c);
  AttentionCall call{std::move(q), std::move(k), std::move(v), {}};
  phasor::AttentionConfig& config = call.config;
  config.encoding = std::move(encoding);
  // here key_keep is present although the name of the mask has no "+pad"
  if (c.word("mask") == "causal") config.mask = phasor::Mask::causal;
  if (c.word("mask") != "causal" && c.word("mask") != "bidir") c.fail("param mask is not known");
  if (c.has("key_keep")) {
    for (const double is_kept : c.numbers("key_keep"))
      config.key_mask.push_back(is_kept != 0 ? 1 : 0);
  }
  if (!c.failed()) golden::read_scale(c, call.q.shape[2], config.scale);
  if (c.has("q_offset")) config.position_offset = c.number("q_offset");
  if (c.has("window")) config.window = c.integer("window");
  for (const char* name : names) {
    if (c.has_input(name)) config.token_tensors[name] = c.tensor(name);
  }
  return call;
}

// Sets values of hidden keys to 0, like the files do.
void zero_hidden_entries(const Tensor& scores, Tensor& values) {
  for (std::size_t i = 0; i < scores.data.size(); ++i) {
    if (scores.data[i] == -std::numeric_limits<float>::infinity()) values.data[i] = 0;
  }
}

void run(Case& c, AttentionCall call) {
  if (c.failed()) return;
  call.config.outputs = {.weights = true, .scores = true, .bias = true};
  phasor::AttentionResult actual, streamed;
  if (!c.ok(phasor::attention(call.q, call.k, call.v, call.config), actual)) return;
  call.config.outputs = {};
  if (!c.ok(phasor::attention(call.q, call.k, call.v, call.config), streamed)) return;
  zero_hidden_entries(actual.scores, actual.bias);
  zero_hidden_entries(actual.scores, actual.scores);
  if (c.has_output("decay")) c.expect("decay", actual.bias, golden::kAttention);
  if (c.has_output("scores")) c.expect("scores", actual.scores, golden::kAttention);
  c.expect_weights("weights", actual.weights);
  for (const Tensor* output : {&actual.output, &streamed.output})
    c.expect("out", *output, golden::kAttention);
}

void run_gradient(Case& c, const AttentionCall& call) {
  const Tensor d_output = c.tensor("dout");
  if (c.failed()) return;
  phasor::AttentionResult actual;
  phasor::AttentionGradients gradients;
  if (!c.ok(phasor::attention(call.q, call.k, call.v, call.config), actual)) return;
  if (!c.ok(phasor::attention_backward(call.q, call.k, call.v, d_output, call.config), gradients))
    return;
  c.expect("out", actual.output, golden::kAttention);
  c.expect("dq", gradients.d_q, golden::kGradient);
  c.expect("dk", gradients.d_k, golden::kGradient);
  c.expect("dv", gradients.d_v, golden::kGradient);
  for (const auto& [name, gradient] : gradients.token_tensors)
    c.expect("d" + name, gradient, golden::kGradient);
}

AttentionCall forgetting(Case& c) {
  phasor::EncodingConfig encoding{.id = "forgetting", .params = {}};
  const std::string word = c.has("encoding") ? c.word("encoding") : "none";
  if (word != "none") {
    const bool half_split = word == "rope_half_split";
    if (!half_split && word != "rope_interleaved") c.fail("param encoding is not known");
    encoding.params["rotation"] = std::string("rope");
    encoding.params["layout"] = std::string(half_split ? "half_split" : "interleaved");
    encoding.params["base"] = c.number("base");
  }
  return read_call(c, std::move(encoding), {"log_gates"});
}

AttentionCall path(Case& c) {
  phasor::EncodingConfig encoding{.id = "path",
                                  .params = {{"normalise_w", c.boolean("normalise_w")}}};
  if (c.has("eps")) encoding.params["eps"] = c.number("eps");
  if (c.has("gate_scaled")) encoding.params["gate_scaled"] = c.boolean("gate_scaled");
  return read_call(c, std::move(encoding), {"w", "beta", "log_gates"});
}

AttentionCall selective(Case& c) {
  return read_call(c,
                   {.id = "rope_selective",
                    .params = {{"base", c.number("base")},
                               {"layout", c.word("layout")},
                               {"temperature_max", c.number("temperature_max")}}},
                   {"steps", "gate"});
}

void run_rotated(Case& c) {
  const AttentionCall call = selective(c);
  if (c.failed()) return;
  for (const bool query : {true, false}) {
    Tensor rotated_x;
    const phasor::Role role = query ? phasor::Role::query : phasor::Role::key;
    if (!c.ok(phasor::apply_rotary(call.config.encoding, role, call.config.token_tensors,
                                   query ? call.q : call.k),
              rotated_x))
      return;
    c.expect(query ? "q" : "k", rotated_x, golden::kTable);
  }
  run(c, call);
}

constexpr golden::Method kMethods[] = {
    {"attention_forgetting", [](Case& c) { run(c, forgetting(c)); }},
    {"grad_attention_forgetting", [](Case& c) { run_gradient(c, forgetting(c)); }},
    {"attention_path", [](Case& c) { run(c, path(c)); }},
    {"grad_attention_path", [](Case& c) { run_gradient(c, path(c)); }},
    {"rope_selective", run_rotated},
    {"grad_rope_selective", [](Case& c) { run_gradient(c, selective(c)); }},
};

}  // namespace

GOLDEN_FAMILY(content_position) { return kMethods; }

}  // namespace golden::family::content_position
