#include "golden_case.h"

namespace {

using golden::Case;

// "bidir", "causal", each perhaps with "+pad", which says that key_keep hides keys.
void read_mask(Case& c, phasor::AttentionConfig& config) {
  const std::string text = c.word("mask");
  const std::size_t plus = text.find('+');
  const std::string side = text.substr(0, plus), rest = plus == std::string::npos ? "" : text.substr(plus);
  if ((side != "bidir" && side != "causal") || (rest != "" && rest != "+pad")) return c.fail("param mask: \"" + text + "\" is not known");
  config.mask = side == "causal" ? phasor::Mask::causal : phasor::Mask::none;
  if (c.has("key_keep") != (rest == "+pad")) return c.fail("params mask and key_keep disagree");
  if (rest == "+pad") {
    for (const double keep : c.numbers("key_keep")) config.key_mask.push_back(keep != 0 ? 1 : 0);
  }
}

// "1/sqrt(d)" is what the library does unless told otherwise.
void read_scale(Case& c, std::optional<double>& scale) {
  if (!c.has("scale")) return;
  if (c.is_text("scale")) {
    c.claims("scale", std::string("1/sqrt(d)"));
  } else {
    scale = c.number("scale");
  }
}

void check_sizes(Case& c, const phasor::Tensor& q, const phasor::Tensor& k) {
  if (q.rank() != 3 || k.rank() != 3) return c.fail("inputs q and k are not [head, token, channel]");
  for (const char* name : {"heads", "q_heads"}) c.claims(name, q.shape[0]);
  for (const char* name : {"q_len", "n"}) c.claims(name, q.shape[1]);
  for (const char* name : {"k_len", "n"}) c.claims(name, k.shape[1]);
  c.claims("kv_heads", k.shape[0]);
  c.claims("d", q.shape[2]);
}

// Positions that start elsewhere than at 0. Only encodings of queries and keys could notice, and they are turned beforehand.
bool place(Case& c, phasor::EncodingConfig& encoding, double first_query, double first_key, phasor::Tensor& q, phasor::Tensor& k) {
  std::vector<double> queries, keys;
  if (!c.ok(phasor::consecutive_positions(first_query, q.shape[1], queries))) return false;
  if (!c.ok(phasor::consecutive_positions(first_key, k.shape[1], keys))) return false;
  if (phasor::find(encoding.id)->injection != phasor::Injection::query_key) return true;
  if (!c.ok(phasor::rotate(encoding, phasor::Role::query, queries, q)) || !c.ok(phasor::rotate(encoding, phasor::Role::key, keys, k))) {
    return false;
  }
  encoding = {};
  return true;
}

void run(Case& c, phasor::EncodingConfig encoding) {
  phasor::Tensor q = c.tensor("q"), k = c.tensor("k");
  const phasor::Tensor v = c.tensor("v");
  check_sizes(c, q, k);
  phasor::AttentionConfig config;
  config.want.weights = true;
  read_mask(c, config);
  read_scale(c, config.scale);
  if (encoding.id == "rope" && c.has("base")) encoding.params["base"] = c.number("base");
  if (c.has("q_offset")) config.offset = c.number("q_offset");
  const double shift = c.number_or("position_offset", 0);
  if (c.failed()) return;
  if (shift != 0 && !place(c, encoding, shift + config.offset.value_or(k.shape[1] - q.shape[1]), shift, q, k)) return;
  config.encoding = encoding;
  phasor::AttentionResult got;
  if (!c.ok(phasor::attention(q, k, v, config, got))) return;
  c.expect_weights("weights", got.weights);
  c.expect("out", got.output, golden::kAttention);
}

// Embeddings with the table added, every projection the identity: a layer.
void sinusoidal_added(Case& c) {
  const phasor::Tensor x = c.tensor("x");
  c.claims("projections", std::string("identity"));
  phasor::AttentionConfig mask;
  read_mask(c, mask);
  if (!mask.key_mask.empty()) return c.fail("a layer has no key_keep");
  phasor::LayerConfig config;
  config.heads = c.integer("heads");
  config.encoding.id = "sinusoidal";
  if (c.has("base")) config.encoding.params["base"] = c.number("base");
  config.offset = c.number_or("position_offset", 0);
  config.mask = mask.mask;
  config.want.weights = true;
  read_scale(c, config.scale);
  phasor::AttentionResult got;
  if (!c.ok(phasor::layer(x, config, got))) return;
  const int length = x.shape[0], width = x.shape[1], head_width = width / config.heads;
  c.claims("n", length);
  c.claims("D", width);
  c.claims("d", head_width);
  phasor::Tensor split({config.heads, length, head_width});
  for (int h = 0; h < config.heads; ++h) {
    for (int p = 0; p < length; ++p) {
      std::copy_n(phasor::matrix(got.output).row(p) + h * head_width, head_width, phasor::matrix(split, h).row(p));
    }
  }
  c.expect_weights("weights", got.weights);
  c.expect("out", split, golden::kAttention);
}

constexpr golden::Method kMethods[] = {
    {"attention_none", [](Case& c) { run(c, {}); }},
    {"attention_gqa", [](Case& c) { run(c, {}); }},
    {"attention_rope_half",
     [](Case& c) {
       run(c, {.id = "rope", .params = {{"layout", std::string("half_split")}}});
     }},
    {"attention_rope_interleaved",
     [](Case& c) {
       run(c, {.id = "rope", .params = {{"layout", std::string("interleaved")}}});
     }},
    {"attention_alibi",
     [](Case& c) {
       run(c, {.id = "alibi", .params = {{"form", std::string("symmetric")}}});
     }},
    {"attention_sinusoidal_added", sinusoidal_added},
};

}  // namespace

GOLDEN_FAMILY(attention) { return kMethods; }
