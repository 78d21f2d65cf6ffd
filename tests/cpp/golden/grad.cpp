// Gradients of L = sum(out * dout) by the backward passes of attention and of a layer.

#include <algorithm>
#include <cmath>

#include "golden_attention.h"

namespace golden::family::grad {
namespace {

using phasor::Tensor;

void expect_parameters(Case& c, const phasor::Gradients& gradients) {
  for (const auto& [name, gradient] : gradients) c.expect("d" + name, gradient, golden::kGradient);
}

void run(Case& c, const phasor::EncodingConfig& encoding) {
  const auto [q, k, v] = golden::read_inputs(c);
  const Tensor d_output = c.tensor("dout");
  phasor::AttentionConfig config;
  config.encoding = encoding;
  golden::read_mask(c, config);
  if (c.failed()) return;
  golden::read_scale(c, q.shape[2], config.scale);
  if (c.has("q_offset")) config.position_offset = c.number("q_offset");
  phasor::AttentionResult actual;
  phasor::AttentionGradients gradients;
  if (!c.ok(phasor::attention(q, k, v, config), actual)) return;
  if (!c.ok(phasor::attention_backward(q, k, v, d_output, config), gradients)) return;
  c.expect("out", actual.output, golden::kAttention);
  c.expect("dq", gradients.d_q, golden::kGradient);
  c.expect("dk", gradients.d_k, golden::kGradient);
  c.expect("dv", gradients.d_v, golden::kGradient);
  expect_parameters(c, gradients.parameters);
}

Tensor embed_tokens(Case& c, const Tensor& table, const std::vector<double>& ids) {
  Tensor x({static_cast<int>(ids.size()), table.shape[1]});
  for (int t = 0; t < x.shape[0]; ++t) {
    const double id = ids[static_cast<std::size_t>(t)];
    if (!(id >= 0 && id < table.shape[0]))
      return c.fail("input ids names a row that is not there"), x;
    std::copy_n(phasor::matrix(table).row(static_cast<int>(id)), x.shape[1],
                phasor::matrix(x).row(t));
  }
  return x;
}

// A layer on token embeddings plus learned positions; all projections are the identity. Gradients
// of a repeated token are added.
void learned_pe(Case& c) {
  const std::vector<double> ids = c.input("ids").data;
  const Tensor tokens = c.tensor("tok_table"), positions = c.tensor("pos_table"),
               d_output = c.tensor("dout");
  c.expect_param("projections", std::string("identity"));
  phasor::AttentionConfig mask;
  golden::read_mask(c, mask);
  if (!mask.key_mask.empty()) c.fail("a layer has no key_keep");
  if (tokens.rank() != 2) c.fail("input tok_table is not [token, channel]");
  if (c.failed()) return;
  phasor::SelfAttentionConfig config;
  config.heads = c.integer("heads");
  config.encoding = {.id = "learned", .params = {{"table", positions}}};
  config.mask = mask.mask;
  const int embed_dim = tokens.shape[1];
  c.expect_param("n", static_cast<double>(ids.size()));
  c.expect_param("D", embed_dim);
  if (c.is_text("scale") && c.word("scale") == "1/sqrt(D)") {
    config.scale = 1 / std::sqrt(static_cast<double>(embed_dim));
  } else {
    golden::read_scale(c, embed_dim / std::max(config.heads, 1), config.scale);
  }
  const Tensor x = embed_tokens(c, tokens, ids);
  if (c.failed()) return;
  phasor::AttentionResult actual;
  phasor::SelfAttentionGradients gradients;
  if (!c.ok(phasor::self_attention(x, config), actual)) return;
  if (!c.ok(phasor::self_attention_backward(x, d_output, config), gradients)) return;
  Tensor d_tokens(tokens.shape);
  for (int t = 0; t < x.shape[0]; ++t) {
    float* row = phasor::matrix(d_tokens).row(static_cast<int>(ids[static_cast<std::size_t>(t)]));
    for (int i = 0; i < embed_dim; ++i) row[i] += phasor::matrix(gradients.d_x).row(t)[i];
  }
  c.expect("out", actual.output, golden::kAttention);
  c.expect("dtok_table", d_tokens, golden::kGradient);
  c.expect("dpos_table", gradients.parameters.at("table"), golden::kGradient);
}

constexpr golden::Method kMethods[] = {
    {"grad_attention_none", [](Case& c) { run(c, {}); }},
    {"grad_attention_alibi", [](Case& c) { run(c, golden::alibi(c)); }},
    {"grad_attention_t5", [](Case& c) { run(c, golden::t5(c)); }},
    {"grad_attention_plain_b", [](Case& c) { run(c, golden::relative_bias(c)); }},
    {"grad_attention_shaw", [](Case& c) { run(c, golden::shaw(c)); }},
    {"grad_attention_rope_half", [](Case& c) { run(c, golden::rope(c, "half_split")); }},
    {"grad_attention_rope_interleaved", [](Case& c) { run(c, golden::rope(c, "interleaved")); }},
    {"grad_learned_pe", learned_pe},
};

}  // namespace

GOLDEN_FAMILY(grad) { return kMethods; }

}  // namespace golden::family::grad
