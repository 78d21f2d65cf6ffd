// Calls of attention with its options, with remapped positions and with token tensors.

#include "every_call.h"
#include "numbers.h"
#include "phasor/phasor.h"

namespace phasor::test {
namespace with_options {
namespace {

constexpr int kHeads = 2, kHeadDim = 8, kWindow = 7;

Tensor make_heads(int tokens, std::uint32_t seed) {
  return dyadic(seed, {kHeads, tokens, kHeadDim});
}

Tensor make_filled(std::vector<int> shape, float value) {
  Tensor all(std::move(shape));
  for (float& x : all.data) x = value;
  return all;
}

struct CallSpec {
  std::string name{};
  EncodingConfig encoding{};
  TokenTensors tokens{};
  bool in_layers = true;
};

std::vector<CallSpec> list_encodings(int tokens) {
  const auto remap = [](const char* kind, Params params) {
    params["remap"] = std::string(kind);
    return CallSpec{.name = kind, .encoding = {.id = "rope", .params = std::move(params)}};
  };
  std::vector<CallSpec> all;
  for (const char* id : {"none", "rope", "alibi", "cope", "dape"})
    all.push_back({.name = id, .encoding = {.id = id, .params = {}}});
  all.push_back(remap("self_extend", {{"window", 6.0}, {"group", 3.0}}));
  all.push_back(remap("leaky_rerope", {{"window", 6.0}}));
  all.push_back(remap("dual_chunk", {{"chunk", 9.0}, {"max_position", 12.0}}));
  TokenTensors gates, reflections, steps;
  gates["log_gates"] = make_filled({kHeads, tokens}, -0.25f);
  reflections["w"] = make_heads(tokens, 21);
  reflections["beta"] = make_filled({kHeads, tokens}, 0.5f);
  reflections["log_gates"] = gates["log_gates"];
  steps["steps"] = dyadic(22, {kHeads, tokens, kHeadDim / 2});
  all.push_back({"forgetting", {.id = "forgetting", .params = {}}, gates, false});
  all.push_back({"path", {.id = "path", .params = {}}, reflections, false});
  all.push_back({"rope_selective", {.id = "rope_selective", .params = {}}, steps, false});
  return all;
}

struct Options {
  std::string name{};
  AttentionOptions options{};
  std::optional<int> window{};
  bool is_packed = false, has_pairs = false;
};

// Segment ids of two texts. The second is longer.
std::vector<int> make_segment_ids(int tokens) {
  std::vector<int> ids(static_cast<std::size_t>(tokens), 1);
  std::fill_n(ids.begin(), tokens / 3, 0);
  return ids;
}

std::vector<Options> list_options(const CallSpec& spec) {
  QkNorm norm;
  norm.q_weight = norm.k_weight = make_filled({kHeadDim}, 1.5f);
  QkNorm all_heads_norm{.norm = QkNorm::Norm::layer, .over = QkNorm::Over::all_heads};
  const Tensor sinks({kHeads}, {0.5f, -1});
  std::vector<Options> all = {{"sinks", {.sinks = sinks}},
                              {"softcap", {.softcap = 2}},
                              {"qk_norm", {.qk_norm = norm}},
                              {"all of them",
                               {.sinks = sinks,
                                .softcap = 2,
                                .cap_includes_bias = true,
                                .qk_norm = all_heads_norm,
                                .sink_tokens = 3},
                               kWindow}};
  all.push_back({.name = "packed texts", .window = kWindow, .is_packed = true});
  all.push_back({.name = "a mask and a bias", .has_pairs = true});
  if (spec.name == "rope" || spec.name == "alibi") {
    all.push_back(
        {"sinks of a cache", {.sink_tokens = 3, .sink_positions = SinkPositions::cache}, kWindow});
  }
  return all;
}

void add_calls(const CallSpec& spec, const Options& option_set, int tokens,
               std::vector<EveryCall>& all) {
  AttentionConfig config{
      .encoding = spec.encoding, .mask = Mask::causal, .window = option_set.window};
  config.token_tensors = spec.tokens;
  config.options = option_set.options;
  const std::vector<int> ids = option_set.is_packed ? make_segment_ids(tokens) : std::vector<int>();
  config.query_segment_ids = config.key_segment_ids = ids;
  if (option_set.has_pairs) {
    config.attn_mask = {{1, tokens},
                        std::vector<std::uint8_t>(static_cast<std::size_t>(tokens), 1)};
    config.attn_mask.data[1] = 0;
    config.attn_bias = dyadic(23, {kHeads, 1, tokens});
  }
  const std::string suffix = " of " + spec.name + " with " + option_set.name;
  const Tensor q = make_heads(tokens, 1), k = make_heads(tokens, 2), v = make_heads(tokens, 3);
  const auto add_call = [&](EveryCall new_call) {
    new_call.is_answered = true;
    all.push_back(std::move(new_call));
  };
  AttentionConfig full_config = config;
  full_config.outputs = {.weights = true, .scores = true, .softmax_stats = true};
  for (const AttentionConfig& attention_config : {config, full_config}) {
    add_call(call(
        "attention" + suffix,
        [=](Tensor a, Tensor b, const Tensor& c) {
          return attention(std::move(a), std::move(b), c, attention_config).status();
        },
        q, k, v));
  }
  add_call(call(
      "attention_gradient" + suffix,
      [=](const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& d) {
        return attention_backward(a, b, c, d, config).status();
      },
      q, k, v, make_heads(tokens, 4)));
  if (option_set.has_pairs) return;
  add_call(call(
      "decode" + suffix,
      [=](Tensor a, Tensor b, const Tensor& c, const DecodeConfig& step) -> Status {
        PHASOR_TRY_ASSIGN(const auto cache, KeyValueCache::create({.heads = kHeads,
                                                                   .kv_heads = kHeads,
                                                                   .head_dim = kHeadDim,
                                                                   .max_length = tokens,
                                                                   .encoding = config.encoding,
                                                                   .window = config.window,
                                                                   .options = config.options}));
        PHASOR_TRY(cache->decode(std::move(a), std::move(b), c, step).status());
        return cache->fork().status();
      },
      q, k, v,
      DecodeConfig{.segment_ids = ids,
                   .token_tensors = config.token_tensors,
                   .outputs = {.weights = true}}));
  if (!spec.in_layers) return;
  SelfAttentionConfig layer_config{.heads = kHeads,
                                   .encoding = spec.encoding,
                                   .mask = Mask::causal,
                                   .window = option_set.window,
                                   .projections = Projections::orthogonal};
  layer_config.options = option_set.options;
  layer_config.segment_ids = ids;
  const Tensor x = dyadic(10, {tokens, kHeads * kHeadDim});
  const auto forward = [=](const Tensor& a) { return self_attention(a, layer_config).status(); };
  add_call(call("layer" + suffix, forward, x));
  add_call(call(
      "layer_gradient" + suffix,
      [=](const Tensor& a, const Tensor& b) {
        return self_attention_backward(a, b, layer_config).status();
      },
      x, x));
}

}  // namespace
}  // namespace with_options

std::vector<EveryCall> calls_with_options(int tokens) {
  using namespace with_options;
  std::vector<EveryCall> all;
  for (const CallSpec& spec : list_encodings(tokens)) {
    for (const Options& option_set : list_options(spec)) add_calls(spec, option_set, tokens, all);
  }
  return all;
}

}  // namespace phasor::test
