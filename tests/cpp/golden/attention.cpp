#include <algorithm>
#include <cmath>

#include "golden_case.h"
#include "golden_matrix.h"

namespace {

using golden::Case;
using golden::Matrix;
using phasor::Tensor;

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

// Always given to the library, because some encodings (T5) have a scale of their own.
void read_scale(Case& c, int width, std::optional<double>& scale) {
  if (!c.has("scale")) return;
  if (c.is_text("scale")) {
    c.claims("scale", std::string("1/sqrt(d)"));
    scale = 1 / std::sqrt(static_cast<double>(width));
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
  if (!c.failed()) read_scale(c, q.shape[2], config.scale);
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

// The rows of each head from `first` on.
Tensor rows_from(const Tensor& t, int first) {
  Tensor out({t.shape[0], t.shape[1] - first, t.shape[2]});
  for (int h = 0; h < t.shape[0]; ++h) {
    for (int r = first; r < t.shape[1]; ++r) std::copy_n(phasor::matrix(t, h).row(r), t.shape[2], phasor::matrix(out, h).row(r - first));
  }
  return out;
}

void xpos(Case& c) { run(c, {.id = "xpos", .params = {{"scale_base", c.number("scale_base")}, {"base", c.number("base")}}}); }

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
  if (c.failed() || x.rank() != 2) return c.fail("input x is not [token, channel]");
  read_scale(c, x.shape[1] / std::max(config.heads, 1), config.scale);
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

void t5(Case& c) {
  run(c, {.id = "t5",
          .params = {{"num_buckets", c.number("num_buckets")},
                     {"max_distance", c.number("max_distance")},
                     {"bidirectional", c.boolean("bidirectional")},
                     {"table", c.tensor("table")}}});
}

void plain_b(Case& c) {
  c.claims("index", std::string("b[i-j+k_len-1]"));
  run(c,
      {.id = "relative_bias", .params = {{"max_length", c.number("k_len")}, {"placement", std::string("inside")}, {"b", c.tensor("b")}}});
}

void shaw(Case& c) {
  run(c, {.id = "shaw", .params = {{"clip", c.number("clip")}, {"table_k", c.tensor("table_k")}, {"table_v", c.tensor("table_v")}}});
}

// Rows that are padding themselves are not in the answer. Counting positions from the first token or from the first key is the
// same after the softmax; BLOOM's own numbers are compared by alibi_bloom_row.
void bloom(Case& c) {
  const Tensor q = c.tensor("q"), k = c.tensor("k"), v = c.tensor("v");
  check_sizes(c, q, k);
  if (c.word("mask").rfind("causal+left pad", 0) != 0) return c.fail("param mask: \"" + c.word("mask") + "\" is not known");
  if (c.failed()) return;
  phasor::AttentionConfig config;
  config.encoding = {.id = "alibi", .params = {{"form", std::string("row_shifted")}}};
  config.mask = phasor::Mask::causal;
  config.want.weights = true;
  read_scale(c, q.shape[2], config.scale);
  for (const double keep : c.numbers("key_keep")) config.key_mask.push_back(keep != 0 ? 1 : 0);
  phasor::AttentionResult got;
  if (!c.ok(phasor::attention(q, k, v, config, got))) return;
  const int first = static_cast<int>(std::find(config.key_mask.begin(), config.key_mask.end(), 1) - config.key_mask.begin());
  c.expect_weights("weights", rows_from(got.weights, first));
  c.expect("out", rows_from(got.output, first), golden::kAttention);
}

// torch.nn.MultiheadAttention: projections around attention without positions.
void multi_head(Case& c) {
  const Matrix x = golden::matrix_of(c.input("x")), w = golden::matrix_of(c.input("in_proj_weight")),
               w_o = golden::matrix_of(c.input("out_proj_weight"));
  const int width = x.columns(), heads = c.integer("heads"), padded = c.integer("padded_key");
  c.claims("n", x.rows());
  c.claims("D", width);
  const std::vector<double> none(static_cast<std::size_t>(3 * width));
  const std::vector<double> offsets = c.has_input("in_proj_bias") ? c.input("in_proj_bias").data : none;
  const std::string mask = c.word("mask");
  if (mask != "plain" && mask != "causal" && mask != "keypad") return c.fail("param mask: \"" + mask + "\" is not known");
  if ((mask == "keypad") != (padded >= 0) || padded >= x.rows()) return c.fail("params mask and padded_key disagree");
  if (w.rows() != 3 * width || static_cast<int>(offsets.size()) != 3 * width)
    return c.fail("in_proj_weight or in_proj_bias do not have 3 D rows");
  phasor::AttentionConfig config;
  config.mask = mask == "causal" ? phasor::Mask::causal : phasor::Mask::none;
  config.want.weights = true;
  if (padded >= 0) {
    config.key_mask.assign(static_cast<std::size_t>(x.rows()), 1);
    config.key_mask[static_cast<std::size_t>(padded)] = 0;
  }
  const auto project = [&](int which) {
    const auto from = offsets.begin() + which * width;
    return split_heads(linear(x, part(w, which * width, width), {from, from + width}), heads);
  };
  phasor::AttentionResult got;
  if (!c.ok(phasor::attention(project(0), project(1), project(2), config, got))) return;
  const Matrix joined = golden::join_heads(got.output);
  const Matrix out = c.has_input("out_proj_bias") ? linear(joined, w_o, c.input("out_proj_bias").data) : product(joined, w_o);
  c.expect_weights("weights", got.weights, golden::kComposite);
  c.expect("out", {out.rows(), out.columns()}, out.data(), golden::kComposite);
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
    {"attention_alibi_bloom", bloom},
    {"attention_kerple_log",
     [](Case& c) {
       run(c, {.id = "kerple", .params = {{"r1", c.tensor("r1")}, {"r2", c.tensor("r2")}}});
     }},
    {"attention_t5", t5},
    {"attention_plain_b", plain_b},
    {"attention_shaw", shaw},
    {"attention_xpos", xpos},
    {"multi_head_attention_torch", multi_head},
    {"attention_sinusoidal_added", sinusoidal_added},
};

}  // namespace

GOLDEN_FAMILY(attention) { return kMethods; }
