// Options of attention: sinks, soft caps, sink tokens, normalized queries and keys, masks and
// biases per query and key, segments.

#include <cmath>

#include "attention/streaming/qk_norm.h"
#include "golden_attention.h"

namespace golden::family::attention_options {
namespace {

using phasor::AttentionConfig;
using phasor::Tensor;

phasor::EncodingConfig encoding_of(Case& c) {
  const std::string id = c.has("encoding") ? c.word("encoding") : "none";
  if (id == "alibi") {
    if (c.has("base")) c.number("base");  // for rotations only
    return golden::alibi(c);
  }
  if (id == "rope_half_split") return golden::rope(c, "half_split");
  if (id == "rope_interleaved") return golden::rope(c, "interleaved");
  if (id != "none") c.fail("param encoding: \"" + id + "\" is not known");
  if (c.has("base")) c.number("base");
  return {};
}

template <class Enum>
Enum read_choice(Case& c, const char* name, std::initializer_list<const char*> words) {
  const std::string word = c.word(name);
  int index = 0;
  for (const char* known : words) {
    if (word == known) return static_cast<Enum>(index);
    ++index;
  }
  c.fail(std::string("param ") + name + ": \"" + word + "\" is not known");
  return {};
}

phasor::QkNorm norm_of(Case& c) {
  using phasor::QkNorm;
  if (c.has("zero_row")) c.boolean("zero_row");  // describes q or k, which are inputs
  return {.norm = read_choice<QkNorm::Norm>(c, "norm", {"rms", "layer", "l2"}),
          .over = read_choice<QkNorm::Over>(c, "over", {"head", "all_heads"}),
          .weight_form = read_choice<QkNorm::WeightForm>(c, "weight_form", {"plain", "one_plus"}),
          .order = read_choice<QkNorm::Order>(c, "order", {"before_encoding", "after_encoding"}),
          .eps = c.number("eps"),
          .q_weight = c.has_input("q_weight") ? c.tensor("q_weight") : Tensor(),
          .k_weight = c.has_input("k_weight") ? c.tensor("k_weight") : Tensor()};
}

template <class T>
std::vector<T> read_numbers(Case& c, const char* name) {
  std::vector<T> converted;
  for (const double number : c.numbers(name)) converted.push_back(static_cast<T>(number));
  return converted;
}

AttentionConfig config_of(Case& c, int head_dim) {
  AttentionConfig config;
  config.encoding = encoding_of(c);
  golden::read_mask(c, config);
  golden::read_scale(c, head_dim, config.scale);
  if (c.has("window")) config.window = c.integer("window");
  if (c.has("q_offset")) config.position_offset = c.number("q_offset");
  if (c.has_input("sinks")) config.options.sinks = c.tensor("sinks");
  if (c.has("attn_mask")) {
    config.attn_mask = {read_numbers<int>(c, "attn_mask_shape"),
                        read_numbers<std::uint8_t>(c, "attn_mask")};
  }
  if (c.has_input("attn_bias")) config.attn_bias = c.tensor("attn_bias");
  if (c.has("query_segments")) {
    config.query_segment_ids = read_numbers<int>(c, "query_segments");
    config.key_segment_ids = read_numbers<int>(c, "key_segments");
  }
  if (c.has("softcap")) config.options.softcap = c.number("softcap");
  if (c.has("cap_includes_bias")) config.options.cap_includes_bias = c.boolean("cap_includes_bias");
  if (c.has("norm")) config.options.qk_norm = norm_of(c);
  if (c.has("sink_tokens")) {
    config.options.sink_tokens = c.integer("sink_tokens");
    config.options.sink_positions =
        read_choice<phasor::SinkPositions>(c, "numbering", {"original", "cache"});
  }
  return config;
}

// Compares visible keys and their distances, measured by a bias of -1 per token of distance.
void expect_distances(Case& c, AttentionConfig config, int tokens) {
  config.encoding = {.id = "alibi", .params = {{"slopes", Tensor({1}, {1})}}};
  config.outputs = {.scores = true, .bias = true};
  const Tensor x({1, tokens, 1});
  phasor::AttentionResult actual;
  if (!c.ok(phasor::attention(x, x, x, config), actual)) return;
  std::vector<double> visible, distance;
  for (std::size_t i = 0; i < actual.scores.data.size(); ++i) {
    visible.push_back(std::isfinite(actual.scores.data[i]) ? 1 : 0);
    distance.push_back(visible.back() == 0 ? 0 : -static_cast<double>(actual.bias.data[i]));
  }
  c.expect("visible", {tokens, tokens}, visible, 0);
  c.expect("distance", {tokens, tokens}, distance, 0);
}

// Compares normalized queries and keys, which are rotated first if the order requires it.
void expect_normalised(Case& c, const golden::Inputs& in, const AttentionConfig& config) {
  const phasor::QkNorm& norm = *config.options.qk_norm;
  Tensor q = in.q, k = in.k;
  if (norm.order == phasor::QkNorm::Order::after_encoding && config.encoding.id == "rope") {
    std::vector<double> queries, keys;
    const int first = k.shape[1] - q.shape[1];
    if (!c.ok(phasor::consecutive_positions(config.position_offset.value_or(first), q.shape[1]),
              queries) ||
        !c.ok(phasor::consecutive_positions(0, k.shape[1]), keys) ||
        !c.ok(phasor::apply_rotary(config.encoding, phasor::Role::query, queries, q), q) ||
        !c.ok(phasor::apply_rotary(config.encoding, phasor::Role::key, keys, k), k))
      return;
  }
  phasor::normalise(norm, norm.q_weight, q);
  phasor::normalise(norm, norm.k_weight, k);
  c.expect("normed_q", q, golden::kTable);
  c.expect("normed_k", k, golden::kTable);
}

void run(Case& c, const golden::Inputs& in, AttentionConfig config) {
  config.outputs.weights = true;
  config.outputs.sink_weights = !config.options.sinks.empty();
  phasor::AttentionResult actual, streamed;
  if (c.failed() || !c.ok(phasor::attention(in.q, in.k, in.v, config), actual)) return;
  c.expect_weights("weights", actual.weights);
  c.expect("out", actual.output, golden::kAttention);
  if (c.has_output("sink_weight")) c.expect_weights("sink_weight", actual.sink_weights);
  // With weights, attention computes whole rows; without them it streams keys in tiles.
  config.outputs.weights = false;
  if (!c.ok(phasor::attention(in.q, in.k, in.v, config), streamed)) return;
  c.expect("out", streamed.output, golden::kAttention);
  if (c.has_output("sink_weight")) c.expect_weights("sink_weight", streamed.sink_weights);
  if (config.options.qk_norm) expect_normalised(c, in, config);
  if (c.has_output("visible")) expect_distances(c, config, in.q.shape[1]);
  if (!c.has_output("scores")) return;
  // The file contains scores without a mask.
  config.mask = phasor::Mask::none;
  config.window.reset();
  config.key_mask.clear();
  config.outputs = {.scores = true};
  if (!c.ok(phasor::attention(in.q, in.k, in.v, config), actual)) return;
  c.expect("scores", actual.scores, golden::kAttention);
}

void run_forward(Case& c) {
  const golden::Inputs in = golden::read_inputs(c);
  if (!c.failed()) run(c, in, config_of(c, in.q.shape[2]));
}

void run_backward(Case& c) {
  const golden::Inputs in = golden::read_inputs(c);
  const Tensor d_output = c.tensor("dout");
  if (c.failed()) return;
  const AttentionConfig config = config_of(c, in.q.shape[2]);
  phasor::AttentionResult actual;
  phasor::AttentionGradients gradients;
  if (c.failed() || !c.ok(phasor::attention(in.q, in.k, in.v, config), actual)) return;
  if (!c.ok(phasor::attention_backward(in.q, in.k, in.v, d_output, config), gradients)) return;
  c.expect("out", actual.output, golden::kAttention);
  c.expect("dq", gradients.d_q, golden::kGradient);
  c.expect("dk", gradients.d_k, golden::kGradient);
  c.expect("dv", gradients.d_v, golden::kGradient);
  if (c.has_output("dsinks")) c.expect("dsinks", gradients.options.sinks, golden::kGradient);
  if (c.has_output("dattn_bias")) c.expect("dattn_bias", gradients.d_attn_bias, golden::kGradient);
  if (c.has_output("dq_weight"))
    c.expect("dq_weight", gradients.options.q_weight, golden::kGradient);
  if (c.has_output("dk_weight"))
    c.expect("dk_weight", gradients.options.k_weight, golden::kGradient);
}

constexpr golden::Method kMethods[] = {
    {"attention_sinks", run_forward},         {"grad_attention_sinks", run_backward},
    {"attention_softcap", run_forward},       {"grad_attention_softcap", run_backward},
    {"attention_qk_norm", run_forward},       {"attention_sink_window", run_forward},
    {"grad_attention_qk_norm", run_backward}, {"attention_masked", run_forward},
    {"grad_attention_masked", run_backward},
};

}  // namespace

GOLDEN_FAMILY(attention_options) { return kMethods; }

}  // namespace golden::family::attention_options
