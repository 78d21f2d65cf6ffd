#include "every_call.h"

#include "numbers.h"
#include "phasor/phasor.h"
#include "variants.h"

namespace phasor::test {
namespace {

constexpr int kHeads = 2, kHeadDim = 8, kBlocks = 5;

// Positions for which every pair has a different distance.
std::vector<double> make_scattered_positions(int tokens) {
  std::vector<double> positions;
  for (int t = 0; t < tokens; ++t) positions.push_back(t + t / kBlocks);
  return positions;
}

Tensor heads(int tokens, std::uint64_t seed) { return dyadic(seed, {kHeads, tokens, kHeadDim}); }

void add_attention(const Variant& variant, int tokens, std::vector<EveryCall>& calls) {
  AttentionConfig default_config;
  default_config.encoding = variant.config;
  if (variant.type->id == "relative_bias")
    default_config.encoding.params["beyond"] = std::string("clip");
  std::vector<std::pair<std::string, AttentionConfig>> configs = {{"", default_config}};
  const auto add_config = [&](const char* name, auto apply_change) {
    configs.push_back({name, default_config});
    apply_change(configs.back().second);
  };
  add_config(" everything", [](AttentionConfig& c) {
    c.mask = Mask::causal;
    c.outputs = {.weights = true,
                 .scores = true,
                 .bias = true,
                 .pooled_weights = true,
                 .softmax_stats = true};
    c.output_layout = OutputLayout::token_major;
  });
  add_config(" scattered", [&](AttentionConfig& c) {
    c.query_positions.values = c.key_positions.values = make_scattered_positions(tokens);
    c.key_mask.assign(static_cast<std::size_t>(tokens), 1);
  });
  add_config(" in double", [](AttentionConfig& c) { c.scale = 1e300; });
  const Tensor q = heads(tokens, 1), k = heads(tokens, 2), v = heads(tokens, 3);
  for (const auto& [name, config] : configs) {
    const std::string call_name = variant.name + name;
    const AttentionConfig call_config = config;
    calls.push_back(call(
        "attention " + call_name,
        [=](Tensor a, Tensor b, Tensor c) {
          return attention(std::move(a), std::move(b), c, call_config).status();
        },
        q, k, v));
    if (config.scale) continue;
    const bool is_token_major = call_config.output_layout == OutputLayout::token_major;
    const Tensor d_output =
        is_token_major ? dyadic(4, {tokens, kHeads * kHeadDim}) : heads(tokens, 4);
    calls.push_back(call(
        "attention_gradient " + call_name,
        [=](Tensor a, Tensor b, Tensor c, Tensor d) {
          return attention_backward(a, b, c, d, call_config).status();
        },
        q, k, v, d_output));
  }
  if (variant.name != variant.type->id) return;
  const Tensor batch = dyadic(5, {2, kHeads, tokens, kHeadDim});
  calls.push_back(call(
      "attention of a batch " + variant.name,
      [=](Tensor a, Tensor b, Tensor c) {
        return attention(std::move(a), std::move(b), c, configs[1].second).status();
      },
      batch, batch, batch));
  calls.push_back(call(
      "attention_gradient of a batch " + variant.name,
      [=](Tensor a, Tensor b, Tensor c, Tensor d) {
        return attention_backward(a, b, c, d, default_config).status();
      },
      batch, batch, batch, batch));
  calls.push_back(call(
      "explain_softmax " + variant.name,
      [=](Tensor a, Tensor b) {
        return explain_softmax(a, b, default_config, 1, tokens - 1).status();
      },
      q, k));
  calls.push_back(call(
      "decode " + variant.name,
      [=](Tensor a, Tensor b, Tensor c) -> Status {
        PHASOR_TRY_ASSIGN(const auto cache,
                          KeyValueCache::create({.heads = kHeads,
                                                 .kv_heads = kHeads,
                                                 .head_dim = kHeadDim,
                                                 .max_length = tokens,
                                                 .encoding = default_config.encoding}));
        PHASOR_TRY(cache
                       ->decode(std::move(a), std::move(b), c,
                                {.outputs = {.weights = true, .softmax_stats = true}})
                       .status());
        return cache->fork().status();
      },
      q, k, v));
}

void add_evaluation(const Variant& variant, int tokens, std::vector<EveryCall>& calls) {
  const EncodingConfig config = variant.config;
  const std::vector<double> positions = positions_from(0, tokens);
  const auto add = [&](const char* name, auto run) {
    calls.push_back(call(name + (" " + variant.name), run));
  };
  switch (variant.type->injection) {
    case Injection::input:
      add("position_table", [=] { return position_table(config, positions, kHeadDim).status(); });
      add("position_table of one row", [=] {
        return position_table(config, std::vector<double>{1}, tokens - tokens % 4).status();
      });
      add("shift_matrix", [=] { return shift_matrix(config, 64, 1).status(); });
      add("table_waves", [=] { return sinusoids(config, tokens - tokens % 4).status(); });
      break;
    case Injection::query_key:
      add("rotary_angles", [=] { return rotary_angles(config, positions, kHeadDim).status(); });
      add("rotation_matrix", [=] {
        return rotation_matrix(config, Role::query, std::vector<double>{1}, 64).status();
      });
      add("rope_frequencies",
          [=] { return rope_frequencies(config, tokens - tokens % 4).status(); });
      calls.push_back(call(
          "rotate " + variant.name,
          [=](Tensor x) {
            return apply_rotary(config, Role::query, positions, std::move(x)).status();
          },
          heads(tokens, 6)));
      calls.push_back(call(
          "rotate one token " + variant.name,
          [=](Tensor x) {
            return apply_rotary(config, Role::query, std::vector<double>{1}, std::move(x)).status();
          },
          dyadic(7, {1, 1, tokens - tokens % 4})));
      calls.push_back(call(
          "relative_position_error " + variant.name,
          [=](Tensor a, Tensor b) {
            return relative_position_error(config, a, b, positions_from(0, 5)).status();
          },
          dyadic(8, {kHeads, kHeadDim}), dyadic(9, {kHeads, kHeadDim})));
      break;
    case Injection::score: {
      EncodingConfig clipped_config = config;
      if (variant.type->id == "relative_bias")
        clipped_config.params["beyond"] = std::string("clip");
      add("bias",
          [=] { return attention_bias(clipped_config, kHeads, tokens, tokens, 0).status(); });
      const std::vector<double> scattered_positions = make_scattered_positions(tokens);
      add("bias of scattered tokens", [=] {
        return attention_bias(clipped_config, kHeads, scattered_positions, scattered_positions)
            .status();
      });
      break;
    }
    default: break;
  }
}

void add_layers(const Variant& variant, int tokens, std::vector<EveryCall>& calls) {
  SelfAttentionConfig config{
      .heads = kHeads, .encoding = variant.config, .projections = Projections::orthogonal};
  if (variant.type->id == "relative_bias") config.encoding.params["beyond"] = std::string("clip");
  if (variant.type->id == "learned")
    config.encoding.params["max_length"] = static_cast<double>(tokens);
  const Tensor x = dyadic(10, {tokens, kHeads * kHeadDim});
  std::vector<int> permutation(static_cast<std::size_t>(tokens));
  for (int t = 0; t < tokens; ++t) permutation[static_cast<std::size_t>(t)] = tokens - 1 - t;
  const auto run_layer = [=](Tensor a) { return self_attention(a, config).status(); };
  calls.push_back(call("layer " + variant.name, run_layer, x));
  calls.push_back(call(
      "layer_gradient " + variant.name,
      [=](Tensor a, Tensor b) { return self_attention_backward(a, b, config).status(); }, x, x));
  calls.push_back(call(
      "reorder " + variant.name,
      [=](Tensor a) { return permutation_test(a, permutation, config).status(); }, x));
}

void add_others(int tokens, std::vector<EveryCall>& calls) {
  const Tensor table = dyadic(11, {tokens, 16}), square = dyadic(12, {tokens, tokens});
  std::vector<int> permutation(static_cast<std::size_t>(tokens)),
      distances(static_cast<std::size_t>(tokens));
  for (int t = 0; t < tokens; ++t)
    permutation[static_cast<std::size_t>(t)] = tokens - 1 - t,
    distances[static_cast<std::size_t>(t)] = t;
  const std::vector<double> frequencies(100, 0.5);
  const std::vector<std::uint8_t> mask(static_cast<std::size_t>(tokens), 1);
  const auto add = [&](const char* name, auto run) {
    const auto call_both = [=](Tensor a, Tensor b) { return run(a, b); };
    calls.push_back(call(name, call_both, table, table));
  };
  add("similarity", [](const Tensor& t, const Tensor&) {
    return similarity(t, SimilarityMetric::cosine).status();
  });
  add("table_statistics",
      [](const Tensor& t, const Tensor&) { return table_statistics(t).status(); });
  add("spectrum", [](const Tensor& t, const Tensor&) { return spectrum(t).status(); });
  add("principal_components",
      [](const Tensor& t, const Tensor&) { return principal_components(t, 16).status(); });
  add("linear_probe", [](const Tensor& t, const Tensor&) { return linear_probe(t, 1).status(); });
  add("permutation_error", [=](const Tensor& a, const Tensor& b) {
    return permutation_error(a, b, permutation).status();
  });
  add("combine, added",
      [](const Tensor& a, const Tensor& b) { return combine(a, b, CombineMode::add).status(); });
  add("combine, concatenated", [](const Tensor& a, const Tensor& b) {
    return combine(a, b, CombineMode::concatenate).status();
  });
  add("contiguous", [=](const Tensor& a, const Tensor&) { return contiguous(view(a)).status(); });
  const std::vector<int> shape = {tokens, 8};
  add("random_normal",
      [=](const Tensor&, const Tensor&) { return random_normal(1, shape).status(); });
  add("shift_matrix", [=](const Tensor&, const Tensor&) {
    return shift_matrix(frequencies, 1, SinusoidLayout::interleaved).status();
  });
  add("position_ids", [=](const Tensor&, const Tensor&) {
    return position_ids(mask, PositionIdMode::opt, 1, 0).status();
  });
  add("consecutive_positions",
      [=](const Tensor&, const Tensor&) { return consecutive_positions(0, tokens).status(); });
  add("alibi_slopes", [=](const Tensor&, const Tensor&) { return alibi_slopes(tokens).status(); });
  add("t5_bucket",
      [=](const Tensor&, const Tensor&) { return t5_bucket(distances, 32, 128, true).status(); });
  add("deberta_log_bucket", [=](const Tensor&, const Tensor&) {
    return deberta_log_bucket(distances, 256, 512).status();
  });
  const RopeScaling yarn{.type = RopeScalingType::yarn};
  add("scaled_frequencies", [=](const Tensor&, const Tensor&) {
    return scaled_frequencies(yarn, tokens - tokens % 2, 10000).status();
  });
  const auto profile = [](Tensor a) { return distance_profile(a).status(); };
  calls.push_back(call("distance_profile", profile, square));
  const auto call_shift = [](Tensor a) { return relative_shift(a).status(); };
  calls.push_back(call("relative_shift", call_shift, square));
  calls.push_back(call(
      "shift_error", [](Tensor a, Tensor b) { return shift_error(a, b, 1).status(); },
      dyadic(13, {tokens, 64}), dyadic(14, {64, 64})));
  calls.push_back(call(
      "cope_bias", [](Tensor a, Tensor b, Tensor c) { return cope_bias(a, b, c).status(); },
      heads(8, 15), dyadic(16, {kHeads, 8, tokens}), dyadic(17, {kHeadDim, tokens})));
  const AttentionConfig alibi{.encoding = {.id = "alibi"}};
  calls.push_back(call(
      "explain_bias",
      [=](Tensor a, Tensor b) { return explain_bias(a, b, alibi, 0, 0, 0).status(); },
      heads(tokens, 18), heads(tokens, 19)));
}

}  // namespace

std::vector<EveryCall> every_call(int tokens) {
  std::vector<EveryCall> calls;
  for (const Variant& variant : every_variant()) {
    add_evaluation(variant, tokens, calls);
    if (variant.type->injection != Injection::input) add_attention(variant, tokens, calls);
    if (variant.name == variant.type->id) add_layers(variant, tokens, calls);
  }
  add_others(tokens, calls);
  for (EveryCall& call : calls_with_options(tokens)) calls.push_back(std::move(call));
  return calls;
}

}  // namespace phasor::test
