#include <algorithm>
#include <cmath>

#include "golden_attention.h"
#include "golden_matrix.h"

namespace golden::family::attention {
namespace {

using golden::Matrix;
using golden::read_mask;
using golden::read_scale;
using phasor::Tensor;

// Sets positions that do not start at 0. They only affect query-key encodings, which are applied to
// q and k here.
bool set_positions(Case& c, phasor::EncodingConfig& encoding, double first_query, double first_key,
                   phasor::Tensor& q, phasor::Tensor& k) {
  std::vector<double> queries, keys;
  if (!c.ok(phasor::consecutive_positions(first_query, q.shape[1]), queries)) return false;
  if (!c.ok(phasor::consecutive_positions(first_key, k.shape[1]), keys)) return false;
  if (phasor::find_encoding(encoding.id)->injection != phasor::Injection::query_key) return true;
  if (!c.ok(phasor::apply_rotary(encoding, phasor::Role::query, queries, q), q) ||
      !c.ok(phasor::apply_rotary(encoding, phasor::Role::key, keys, k), k)) {
    return false;
  }
  encoding = {};
  return true;
}

// The elements of t at the (n, 3) indices [head, row, column].
Tensor gather_entries(Case& c, const char* name, const Tensor& t) {
  const golden::Array positions = c.input(name);
  Tensor out({positions.shape.empty() ? 0 : positions.shape[0]});
  if (positions.data.size() != 3 * out.data.size())
    c.fail(std::string("input ") + name + " is not [place, 3]");
  for (std::size_t n = 0; n < out.data.size() && !c.failed(); ++n) {
    std::size_t flat = 0;
    for (std::size_t axis = 0; axis < 3; ++axis) {
      const double index = positions.data[3 * n + axis];
      if (!(index >= 0 && index < t.shape[axis]))
        c.fail(std::string("input ") + name + " names a place that is not there");
      flat = flat * static_cast<std::size_t>(t.shape[axis]) + static_cast<std::size_t>(index);
    }
    if (!c.failed()) out.data[n] = t.data[flat];
  }
  return out;
}

template <class F>
double sum_of(const Tensor& t, F&& f) {
  double sum = 0;
  for (const float x : t.data) sum += f(static_cast<double>(x));
  return sum;
}

// Compares sums and samples of results that are too large for a file.
void expect_samples(Case& c, const phasor::AttentionResult& actual) {
  const auto expect_number = [&](const char* name, double value, double allowed) {
    if (c.has_output(name)) c.expect(name, {}, {value}, allowed);
  };
  const auto squared = [](double x) { return x * x; };
  const double sum = sum_of(actual.output, [](double x) { return x; }),
               absolute = sum_of(actual.output, [](double x) { return std::fabs(x); });
  // Relative to the sum of absolute values, because terms may cancel.
  expect_number("out_sum", sum, golden::kSum * absolute / (1 + std::fabs(sum)));
  expect_number("out_abs_sum", absolute, golden::kSum);
  expect_number("out_sq_sum", sum_of(actual.output, squared), golden::kSum);
  expect_number("weight_sq_sum", sum_of(actual.weights, squared), golden::kSample);
  const double rows = static_cast<double>(actual.weights.data.size()) / actual.weights.shape[2];
  expect_number(
      "row_entropy_mean",
      sum_of(actual.weights, [](double w) { return w > 0 ? -w * std::log(w) : 0; }) / rows,
      golden::kSample);
  c.expect("out_samples", gather_entries(c, "out_index", actual.output), golden::kSample);
  c.expect_weights("weight_samples", gather_entries(c, "weight_index", actual.weights),
                   golden::kSample);
}

void run(Case& c, phasor::EncodingConfig encoding) {
  auto [q, k, v] = golden::read_inputs(c);
  phasor::AttentionConfig config;
  config.outputs.weights = true;
  read_mask(c, config);
  if (!c.failed()) read_scale(c, q.shape[2], config.scale);
  if (c.has("q_offset")) config.position_offset = c.number("q_offset");
  const double position_offset = c.number_or("position_offset", 0);
  if (c.failed()) return;
  if (position_offset != 0 &&
      !set_positions(c, encoding,
                     position_offset + config.position_offset.value_or(k.shape[1] - q.shape[1]),
                     position_offset, q, k))
    return;
  config.encoding = encoding;
  const auto compare = [&](const phasor::AttentionResult& actual) {
    if (golden::has_seeds(c)) return expect_samples(c, actual);
    c.expect_weights("weights", actual.weights);
    c.expect("out", actual.output, golden::kAttention);
  };
  phasor::AttentionResult actual, streamed;
  if (!c.ok(phasor::attention(q, k, v, config), actual)) return;
  compare(actual);
  // With weights, attention computes whole rows; without them it streams keys in tiles.
  config.outputs = {};
  if (!c.ok(phasor::attention(q, k, v, config), streamed)) return;
  actual.output = streamed.output;
  compare(actual);
}

Tensor drop_tokens(const Tensor& t, int first) {
  Tensor out({t.shape[0], t.shape[1] - first, t.shape[2]});
  for (int h = 0; h < t.shape[0]; ++h) {
    for (int r = first; r < t.shape[1]; ++r)
      std::copy_n(phasor::matrix(t, h).row(r), t.shape[2], phasor::matrix(out, h).row(r - first));
  }
  return out;
}

void xpos(Case& c) {
  run(c, {.id = "xpos",
          .params = {{"scale_base", c.number("scale_base")}, {"base", c.number("base")}}});
}

// A layer with the table added to embeddings; all projections are the identity.
void sinusoidal_added(Case& c) {
  const phasor::Tensor x = c.tensor("x");
  c.expect_param("projections", std::string("identity"));
  phasor::AttentionConfig mask;
  read_mask(c, mask);
  if (!mask.key_mask.empty()) return c.fail("a layer has no key_keep");
  phasor::SelfAttentionConfig config;
  config.heads = c.integer("heads");
  config.encoding.id = "sinusoidal";
  if (c.has("base")) config.encoding.params["base"] = c.number("base");
  config.position_offset = c.number_or("position_offset", 0);
  config.mask = mask.mask;
  config.outputs.weights = true;
  if (c.failed() || x.rank() != 2) return c.fail("input x is not [token, channel]");
  read_scale(c, x.shape[1] / std::max(config.heads, 1), config.scale);
  phasor::AttentionResult actual;
  if (!c.ok(phasor::self_attention(x, config), actual)) return;
  const int length = x.shape[0], embed_dim = x.shape[1], head_dim = embed_dim / config.heads;
  c.expect_param("n", length);
  c.expect_param("D", embed_dim);
  c.expect_param("d", head_dim);
  phasor::Tensor split({config.heads, length, head_dim});
  for (int h = 0; h < config.heads; ++h) {
    for (int p = 0; p < length; ++p) {
      std::copy_n(phasor::matrix(actual.output).row(p) + h * head_dim, head_dim,
                  phasor::matrix(split, h).row(p));
    }
  }
  c.expect_weights("weights", actual.weights);
  c.expect("out", split, golden::kAttention);
}

// The file has no rows of padding. Counting positions from the first token or from the first key is
// equivalent after the softmax; alibi_bloom_row compares BLOOM's bias itself.
void bloom(Case& c) {
  const auto [q, k, v] = golden::read_inputs(c);
  if (c.word("mask").rfind("causal+left pad", 0) != 0)
    return c.fail("param mask: \"" + c.word("mask") + "\" is not known");
  if (c.failed()) return;
  phasor::AttentionConfig config;
  config.encoding = {.id = "alibi", .params = {{"form", std::string("row_shifted")}}};
  config.mask = phasor::Mask::causal;
  config.outputs.weights = true;
  read_scale(c, q.shape[2], config.scale);
  for (const double is_kept : c.numbers("key_keep"))
    config.key_mask.push_back(is_kept != 0 ? 1 : 0);
  phasor::AttentionResult actual;
  if (!c.ok(phasor::attention(q, k, v, config), actual)) return;
  const int first = static_cast<int>(std::find(config.key_mask.begin(), config.key_mask.end(), 1) -
                                     config.key_mask.begin());
  c.expect_weights("weights", drop_tokens(actual.weights, first));
  c.expect("out", drop_tokens(actual.output, first), golden::kAttention);
}

// torch.nn.MultiheadAttention: projections around attention without positions.
void multi_head(Case& c) {
  const Matrix x = golden::matrix_of(c.input("x")),
               w = golden::matrix_of(c.input("in_proj_weight")),
               w_o = golden::matrix_of(c.input("out_proj_weight"));
  const int embed_dim = x.columns(), heads = c.integer("heads"), padded = c.integer("padded_key");
  c.expect_param("n", x.rows());
  c.expect_param("D", embed_dim);
  const std::vector<double> no_offset(static_cast<std::size_t>(3 * embed_dim));
  const std::vector<double> offsets =
      c.has_input("in_proj_bias") ? c.input("in_proj_bias").data : no_offset;
  const std::string mask = c.word("mask");
  if (mask != "plain" && mask != "causal" && mask != "keypad")
    return c.fail("param mask: \"" + mask + "\" is not known");
  if ((mask == "keypad") != (padded >= 0) || padded >= x.rows())
    return c.fail("params mask and padded_key disagree");
  if (w.rows() != 3 * embed_dim || static_cast<int>(offsets.size()) != 3 * embed_dim)
    return c.fail("in_proj_weight or in_proj_bias do not have 3 D rows");
  phasor::AttentionConfig config;
  config.mask = mask == "causal" ? phasor::Mask::causal : phasor::Mask::none;
  config.outputs.weights = true;
  if (padded >= 0) {
    config.key_mask.assign(static_cast<std::size_t>(x.rows()), 1);
    config.key_mask[static_cast<std::size_t>(padded)] = 0;
  }
  const auto project = [&](int projection) {
    const auto first_offset = offsets.begin() + projection * embed_dim;
    return split_heads(linear(x, slice_rows(w, projection * embed_dim, embed_dim),
                              {first_offset, first_offset + embed_dim}),
                       heads);
  };
  phasor::AttentionResult actual;
  if (!c.ok(phasor::attention(project(0), project(1), project(2), config), actual)) return;
  const Matrix joined_output = golden::join_heads(actual.output);
  const Matrix out = c.has_input("out_proj_bias")
                         ? linear(joined_output, w_o, c.input("out_proj_bias").data)
                         : product(joined_output, w_o);
  c.expect_weights("weights", actual.weights, golden::kComposite);
  c.expect("out", {out.rows(), out.columns()}, out.data(), golden::kComposite);
}

constexpr golden::Method kMethods[] = {
    {"attention_none", [](Case& c) { run(c, {}); }},
    {"attention_gqa", [](Case& c) { run(c, {}); }},
    {"attention_rope_half", [](Case& c) { run(c, golden::rope(c, "half_split")); }},
    {"attention_rope_interleaved", [](Case& c) { run(c, golden::rope(c, "interleaved")); }},
    {"attention_alibi", [](Case& c) { run(c, golden::alibi(c)); }},
    {"attention_alibi_bloom", bloom},
    {"attention_kerple_log",
     [](Case& c) {
       run(c, {.id = "kerple", .params = {{"r1", c.tensor("r1")}, {"r2", c.tensor("r2")}}});
     }},
    {"attention_t5", [](Case& c) { run(c, golden::t5(c)); }},
    {"attention_plain_b", [](Case& c) { run(c, golden::relative_bias(c)); }},
    {"attention_shaw", [](Case& c) { run(c, golden::shaw(c)); }},
    {"attention_xpos", xpos},
    {"multi_head_attention_torch", multi_head},
    {"attention_sinusoidal_added", sinusoidal_added},
};

}  // namespace

GOLDEN_FAMILY(attention) { return kMethods; }

}  // namespace golden::family::attention
