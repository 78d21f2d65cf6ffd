#include "golden_attention.h"

#include <algorithm>
#include <cmath>

#include "numbers.h"

namespace golden {

using phasor::Tensor;

namespace {

// The value of the first of these params that the case has.
int first_integer(Case& c, std::initializer_list<const char*> names) {
  for (const char* name : names) {
    if (c.has(name)) return std::max(c.integer(name), 0);
  }
  return c.integer(*names.begin());
}

int read_heads(Case& c) { return first_integer(c, {"q_heads", "heads"}); }
int visible_key_count(Case& c) { return first_integer(c, {"k_len", "n"}); }

}  // namespace

void read_mask(Case& c, phasor::AttentionConfig& config) {
  const std::string text = c.word("mask");
  const std::size_t plus_index = text.find('+');
  const std::string side = text.substr(0, plus_index),
                    rest = plus_index == std::string::npos ? "" : text.substr(plus_index);
  if ((side != "bidir" && side != "causal") || (rest != "" && rest != "+pad"))
    return c.fail("param mask: \"" + text + "\" is not known");
  config.mask = side == "causal" ? phasor::Mask::causal : phasor::Mask::none;
  if (c.has("key_keep") != (rest == "+pad")) return c.fail("params mask and key_keep disagree");
  if (rest == "+pad") {
    for (const double is_kept : c.numbers("key_keep"))
      config.key_mask.push_back(is_kept != 0 ? 1 : 0);
  }
}

void read_scale(Case& c, int head_dim, std::optional<double>& scale) {
  if (!c.has("scale")) return;
  if (c.is_text("scale")) {
    c.expect_param("scale", std::string("1/sqrt(d)"));
    scale = 1 / std::sqrt(static_cast<double>(head_dim));
  } else {
    scale = c.number("scale");
  }
}

void expect_attention(Case& c, const Tensor& q, const Tensor& k, const Tensor& v,
                      phasor::AttentionConfig config, const char* bias) {
  phasor::AttentionResult actual, streamed;
  config.outputs.weights = true;
  config.outputs.bias = bias != nullptr;
  if (!c.ok(phasor::attention(q, k, v, config), actual)) return;
  if (bias != nullptr) c.expect(bias, actual.bias, kAttention);
  c.expect_weights("weights", actual.weights);
  c.expect("out", actual.output, kAttention);
  // With weights, attention computes whole rows; without them it streams keys in tiles.
  config.outputs = {};
  if (!c.ok(phasor::attention(q, k, v, config), streamed)) return;
  c.expect("out", streamed.output, kAttention);
}

void expect_scores_and_attention(Case& c, const Tensor& q, const Tensor& k, const Tensor& v,
                                 const phasor::AttentionConfig& config) {
  phasor::AttentionConfig unmasked_config = config;
  unmasked_config.mask = phasor::Mask::none;
  unmasked_config.key_mask.clear();
  unmasked_config.outputs.scores = true;
  phasor::AttentionResult actual;
  if (!c.ok(phasor::attention(q, k, v, unmasked_config), actual)) return;
  c.expect("scores", actual.scores, kAttention);
  expect_attention(c, q, k, v, config, nullptr);
}

bool has_seeds(const Case& c) { return c.has("seed_q") || c.has("seed_k") || c.has("seed_v"); }

Tensor read_or_draw(Case& c, const std::string& name, std::vector<int> shape,
                    const std::string& multiplier) {
  if (!c.has("seed_" + name)) return c.tensor(name);
  if (c.has(name + "_shape")) {
    shape.clear();
    for (const double extent : c.numbers(name + "_shape"))
      shape.push_back(static_cast<int>(extent));
  }
  const double factor = multiplier.empty() ? 1 : c.number_or(multiplier, 1);
  if (std::any_of(shape.begin(), shape.end(),
                  [](int extent) { return extent < 1 || extent > 65536; })) {
    c.fail("the shape of " + name + " is not one");
    return {};
  }
  Tensor out =
      phasor::test::dyadic(static_cast<std::uint64_t>(c.number("seed_" + name)), std::move(shape));
  for (float& x : out.data) x = static_cast<float>(factor * static_cast<double>(x));
  return out;
}

Inputs read_inputs(Case& c) {
  Inputs in;
  if (has_seeds(c)) {
    const int heads = read_heads(c), kv_heads = first_integer(c, {"kv_heads", "q_heads", "heads"}),
              queries = first_integer(c, {"q_len", "n"}), keys = visible_key_count(c),
              head_dim = c.integer("d");
    in = {read_or_draw(c, "q", {heads, queries, head_dim}, "q_k_multiplier"),
          read_or_draw(c, "k", {kv_heads, keys, head_dim}, "q_k_multiplier"),
          read_or_draw(c, "v", {kv_heads, keys, head_dim}, "")};
  } else {
    in = {c.tensor("q"), c.tensor("k"), c.tensor("v")};
  }
  if (in.q.rank() != 3 || in.k.rank() != 3 || in.v.rank() != 3) {
    c.fail("inputs q, k and v are not [head, token, channel]");
    return in;
  }
  for (const char* name : {"heads", "q_heads"}) c.expect_param(name, in.q.shape[0]);
  for (const char* name : {"q_len", "n"}) c.expect_param(name, in.q.shape[1]);
  for (const char* name : {"k_len", "n"}) c.expect_param(name, in.k.shape[1]);
  c.expect_param("kv_heads", in.k.shape[0]);
  c.expect_param("d", in.q.shape[2]);
  return in;
}

phasor::EncodingConfig rope(Case& c, const char* layout) {
  phasor::EncodingConfig config{.id = "rope", .params = {{"layout", std::string(layout)}}};
  if (c.has("base")) config.params["base"] = c.number("base");
  return config;
}

phasor::EncodingConfig alibi(Case& c) {
  phasor::EncodingConfig config{.id = "alibi", .params = {{"form", std::string("symmetric")}}};
  if (c.has_input("slopes")) config.params["slopes"] = c.tensor("slopes");
  return config;
}

phasor::EncodingConfig t5(Case& c) {
  const double buckets = c.number("num_buckets");
  return {.id = "t5",
          .params = {
              {"num_buckets", buckets},
              {"max_distance", c.number("max_distance")},
              {"bidirectional", c.boolean("bidirectional")},
              {"table", read_or_draw(c, "table",
                                     {static_cast<int>(buckets), has_seeds(c) ? read_heads(c) : 0},
                                     "table_multiplier")}}};
}

phasor::EncodingConfig relative_bias(Case& c) {
  c.expect_param("index", std::string(c.has("k_len") ? "b[i-j+k_len-1]" : "b[i-j+n-1]"));
  const int keys = visible_key_count(c);
  return {.id = "relative_bias",
          .params = {{"max_length", static_cast<double>(keys)},
                     {"placement", std::string("inside")},
                     {"b", read_or_draw(c, "b", {2 * keys - 1}, "table_multiplier")}}};
}

phasor::EncodingConfig shaw(Case& c) {
  const int clip = c.integer("clip");
  const std::vector<int> shape = {2 * clip + 1, c.has("d") ? c.integer("d") : 0};
  return {.id = "shaw",
          .params = {{"clip", static_cast<double>(clip)},
                     {"table_k", read_or_draw(c, "table_k", shape, "table_multiplier")},
                     {"table_v", read_or_draw(c, "table_v", shape, "table_multiplier")}}};
}

}  // namespace golden
