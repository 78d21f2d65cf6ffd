// RoPE with remapped distances.

#include <cmath>
#include <limits>

#include "golden_attention.h"

namespace golden::family::remap {
namespace {

using phasor::Tensor;

phasor::EncodingConfig read_config(Case& c) {
  phasor::EncodingConfig config{
      .id = "rope",
      .params = {
          {"remap", c.word("remap")}, {"layout", c.word("layout")}, {"base", c.number("base")}}};
  for (const char* name : {"window", "group", "sink_tokens", "max_distance", "chunk",
                           "max_position", "training_length"}) {
    if (c.has(name)) config.params[name] = c.number(name);
  }
  // rope's own `factor` is that of its scaling
  if (c.has("factor")) config.params["leak"] = c.number("factor");
  return config;
}

std::vector<double> make_positions(double first, int count) {
  std::vector<double> positions;
  for (int t = 0; t < count; ++t) positions.push_back(first + t);
  return positions;
}

void run(Case& c) {
  const auto [q, k, v] = golden::read_inputs(c);
  phasor::AttentionConfig config;
  config.encoding = read_config(c);
  config.outputs = {.weights = true, .scores = true};
  golden::read_mask(c, config);
  if (c.failed()) return;
  golden::read_scale(c, q.shape[2], config.scale);
  const double position_offset = c.number_or("q_offset", k.shape[1] - q.shape[1]);
  config.position_offset = position_offset;
  phasor::AttentionResult actual, streamed;
  if (!c.ok(phasor::attention(q, k, v, config), actual)) return;
  config.outputs = {};
  if (!c.ok(phasor::attention(q, k, v, config), streamed)) return;
  Tensor distance, visible({q.shape[1], k.shape[1]});
  if (!c.ok(phasor::rope_distances(config.encoding, make_positions(position_offset, q.shape[1]),
                                   make_positions(0, k.shape[1]), q.shape[2]),
            distance))
    return;
  for (std::size_t i = 0; i < visible.data.size(); ++i) {
    visible.data[i] =
        actual.scores.data[i] == -std::numeric_limits<float>::infinity() ? 0.0f : 1.0f;
    if (visible.data[i] == 0) distance.data[i] = 0;
  }
  c.expect("distance", distance, golden::kTable);
  c.expect("visible", visible, golden::kTable);
  if (c.has_output("weights")) c.expect_weights("weights", actual.weights);
  for (const Tensor* output : {&actual.output, &streamed.output})
    c.expect("out", *output, golden::kAttention);
}

constexpr golden::Method kMethods[] = {
    {"rope_self_extend", run}, {"rope_rerope", run},     {"rope_leaky_rerope", run},
    {"rope_lm_infinite", run}, {"rope_dual_chunk", run},
};

}  // namespace

GOLDEN_FAMILY(remap) { return kMethods; }

}  // namespace golden::family::remap
