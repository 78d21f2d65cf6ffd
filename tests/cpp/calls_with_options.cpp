// Calls of attention with its options, with remapped positions and with token tensors.

#include "every_call.h"
#include "numbers.h"
#include "phasor/phasor.h"

namespace phasor::test {
namespace with_options {
namespace {

constexpr int kHeads = 2, kHeadDim = 8, kWindow = 7;

Tensor heads(int tokens, std::uint32_t seed) { return dyadic(seed, {kHeads, tokens, kHeadDim}); }

Tensor filled(std::vector<int> shape, float value) {
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

std::vector<CallSpec> encodings_of(int tokens) {
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
  gates["log_gates"] = filled({kHeads, tokens}, -0.25f);
  reflections["w"] = heads(tokens, 21);
  reflections["beta"] = filled({kHeads, tokens}, 0.5f);
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
std::vector<int> packed(int tokens) {
  std::vector<int> ids(static_cast<std::size_t>(tokens), 1);
  std::fill_n(ids.begin(), tokens / 3, 0);
  return ids;
}

std::vector<Options> options_of(const CallSpec& spec) {
  QkNorm norm;
  norm.q_weight = norm.k_weight = filled({kHeadDim}, 1.5f);
  QkNorm joined{.norm = QkNorm::Norm::layer, .over = QkNorm::Over::all_heads};
  const Tensor sinks({kHeads}, {0.5f, -1});
  std::vector<Options> all = {{"sinks", {.sinks = sinks}},
                              {"softcap", {.softcap = 2}},
                              {"qk_norm", {.qk_norm = norm}},
                              {"all of them",
                               {.sinks = sinks,
                                .softcap = 2,
                                .cap_includes_bias = true,
                                .qk_norm = joined,
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

void add(const CallSpec& spec, const Options& with, int tokens, std::vector<EveryCall>& all) {
  AttentionConfig config{.encoding = spec.encoding, .mask = Mask::causal, .window = with.window};
  config.token_tensors = spec.tokens;
  config.options = with.options;
  const std::vector<int> ids = with.is_packed ? packed(tokens) : std::vector<int>();
  config.query_segment_ids = config.key_segment_ids = ids;
  if (with.has_pairs) {
    config.attn_mask = {{1, tokens},
                        std::vector<std::uint8_t>(static_cast<std::size_t>(tokens), 1)};
    config.attn_mask.data[1] = 0;
    config.attn_bias = dyadic(23, {kHeads, 1, tokens});
  }
  const std::string of = " of " + spec.name + " with " + with.name;
  const Tensor q = heads(tokens, 1), k = heads(tokens, 2), v = heads(tokens, 3);
  const auto succeeds = [&](EveryCall created) {
    created.is_answered = true;
    all.push_back(std::move(created));
  };
  AttentionConfig whole = config;
  whole.outputs = {.weights = true, .scores = true, .softmax_stats = true};
  for (const AttentionConfig& provided : {config, whole}) {
    succeeds(call(
        "attention" + of,
        [=](Tensor a, Tensor b, const Tensor& c) {
          return attention(std::move(a), std::move(b), c, provided).status();
        },
        q, k, v));
  }
  succeeds(call(
      "attention_gradient" + of,
      [=](const Tensor& a, const Tensor& b, const Tensor& c, const Tensor& d) {
        return attention_backward(a, b, c, d, config).status();
      },
      q, k, v, heads(tokens, 4)));
  if (with.has_pairs) return;
  succeeds(call(
      "decode" + of,
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
  SelfAttentionConfig layered{.heads = kHeads,
                              .encoding = spec.encoding,
                              .mask = Mask::causal,
                              .window = with.window,
                              .projections = Projections::orthogonal};
  layered.options = with.options;
  layered.segment_ids = ids;
  const Tensor x = dyadic(10, {tokens, kHeads * kHeadDim});
  const auto forward = [=](const Tensor& a) { return self_attention(a, layered).status(); };
  succeeds(call("layer" + of, forward, x));
  succeeds(call(
      "layer_gradient" + of,
      [=](const Tensor& a, const Tensor& b) {
        return self_attention_backward(a, b, layered).status();
      },
      x, x));
}

}  // namespace
}  // namespace with_options

std::vector<EveryCall> calls_with_options(int tokens) {
  using namespace with_options;
  std::vector<EveryCall> all;
  for (const CallSpec& spec : encodings_of(tokens)) {
    for (const Options& with : options_of(spec)) add(spec, with, tokens, all);
  }
  return all;
}

}  // namespace phasor::test
