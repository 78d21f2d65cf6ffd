#include "golden_case.h"
#include "golden_matrix.h"

namespace golden::family::bias_other {
namespace {

using golden::Matrix;
using phasor::EncodingConfig;
using phasor::Tensor;

// ---- KERPLE, FIRE, Sandwich

// In the authors' code keys on the right have distance 0.
void kerple(Case& c, const char* form, const char* formula, const char* clamp) {
  c.expect_param("formula", std::string(formula));
  c.expect_param("clamp", std::string(clamp));
  const int n = c.integer("n");
  const EncodingConfig config{.id = "kerple",
                              .params = {{"form", std::string(form)},
                                         {"right", std::string("zero")},
                                         {"r1", c.tensor("r1")},
                                         {"r2", c.tensor("r2")}}};
  Tensor bias;
  if (c.ok(phasor::attention_bias(config, c.integer("heads"), n, n, 0), bias))
    c.expect("bias_lower", bias, golden::kTable);
}

// The scores are inputs, so the functions of the encoding are called as attention calls them.
void kerple_weighted(Case& c) {
  c.expect_param("formula", std::string("logit*exp(-wa*D^wp) - ba*D^bp"));
  Tensor scores = c.tensor("logit");
  if (scores.rank() != 3 || scores.shape[1] != scores.shape[2])
    return c.fail("input logit is not [head, token, token]");
  const int heads = scores.shape[0], n = scores.shape[1];
  const EncodingConfig config{.id = "kerple",
                              .params = {{"form", std::string("weighted_power")},
                                         {"right", std::string("zero")},
                                         {"r1", c.tensor("bias_a")},
                                         {"r2", c.tensor("bias_p")},
                                         {"wei_a", c.tensor("wei_a")},
                                         {"wei_p", c.tensor("wei_p")}}};
  std::unique_ptr<phasor::Encoding> encoding;
  std::vector<double> positions;
  if (!c.ok(phasor::create_encoding(config, {.length = n, .heads = heads}), encoding) ||
      !c.ok(phasor::consecutive_positions(0, n), positions))
    return;
  for (int h = 0; h < heads; ++h) {
    encoding->as_content_bias()->add_content({.head = h,
                                              .queries = positions,
                                              .keys = positions,
                                              .q = {},
                                              .k = {},
                                              .scale = 1,
                                              .key_mask = nullptr},
                                             phasor::matrix(scores, h));
    encoding->as_score_bias()->add_bias(h, positions, positions, phasor::matrix(scores, h));
  }
  c.expect("out", scores, golden::kTable);
}

void fire(Case& c) {
  c.expect_param("activation", std::string("relu"));
  const int n = c.integer("n");
  const EncodingConfig config{.id = "fire",
                              .params = {{"mlp_width", c.number("mlp_width")},
                                         {"init_l", c.number("L")},
                                         {"eps", c.number("eps")},
                                         {"c", Tensor({1}, {static_cast<float>(c.number("c"))})},
                                         {"w1", c.tensor("W1")},
                                         {"b1", c.tensor("b1")},
                                         {"w2", c.tensor("W2")},
                                         {"b2", c.tensor("b2")}}};
  Tensor bias;
  if (c.ok(phasor::attention_bias(config, c.integer("heads"), n, n, 0), bias))
    c.expect("bias", bias, golden::kTable);
}

void sandwich(Case& c) {
  c.expect_param("formula",
                 std::string("(sum_{i=1..db/2} cos(D/10000^(2i/db)) - db/2) / (8h/H), h=1..H"));
  const int n = c.integer("n");
  const EncodingConfig config{
      .id = "sandwich", .params = {{"db", c.number("d_bar")}, {"index", std::string("from_one")}}};
  Tensor bias;
  if (c.ok(phasor::attention_bias(config, c.integer("heads"), n, n, 0), bias))
    c.expect("bias", bias, golden::kTable);
}

// ---- CoPE

void cope(Case& c) {
  const Tensor q = c.tensor("q"), k = c.tensor("k"), v = c.tensor("v"),
               gate_key = c.tensor("key_gate");
  if (q.rank() != 3) return c.fail("input q is not [head, token, channel]");
  c.expect_param("n", q.shape[1]);
  c.expect_param("d", q.shape[2]);
  if (!c.boolean("causal")) return c.fail("param causal: only true is known");
  phasor::AttentionConfig config;
  config.mask = phasor::Mask::causal;
  config.outputs.weights = true;
  config.encoding = {
      .id = "cope",
      .params = {{"npos", c.number("npos")},
                 {"pos_emb", c.tensor("pos_emb")},
                 {"placement",
                  std::string(c.boolean("divide_pos_logits_by_sqrt_d") ? "inside" : "outside")}}};
  if (c.boolean("separate_gate_key")) config.encoding.params["gate_key"] = gate_key;
  phasor::AttentionResult actual;
  if (!c.ok(phasor::attention(q, k, v, config), actual)) return;
  c.expect_weights("weights", actual.weights, golden::kComposite);
  c.expect("out", actual.output, golden::kComposite);
}

// x-transformers stores one row per position.
void cope_bias(Case& c) {
  const Matrix rows = golden::matrix_of(c.input("pos_emb"));
  c.expect_param("max_pos", rows.rows());
  Tensor bias;
  if (c.ok(phasor::cope_bias(c.tensor("q"), c.tensor("logits"), golden::tensor_of(transpose(rows))),
           bias))
    c.expect("bias", bias, golden::kComposite);
}

// ---- Transformer-XL

void transformer_xl_layer(Case& c) {
  const Matrix x = golden::matrix_of(c.input("x")), memory = golden::matrix_of(c.input("mem")),
               w_qkv = golden::matrix_of(c.input("W_qkv"));
  const Matrix w_o = golden::matrix_of(c.input("W_o"));
  const int heads = c.integer("heads"), dim = c.integer("d_head"), width = heads * dim,
            keys = memory.rows() + x.rows(), model = x.columns();
  c.expect_param("n", x.rows());
  c.expect_param("mem", memory.rows());
  if (c.boolean("pre_lnorm")) return c.fail("param pre_lnorm: only false is known");
  if (!c.boolean("causal")) return c.fail("param causal: only true is known");
  if (w_qkv.rows() != 3 * width) return c.fail("input W_qkv does not have 3 x heads x d_head rows");
  const Matrix memory_and_x = golden::concatenate_rows(memory, x);
  phasor::AttentionConfig config;
  config.mask = phasor::Mask::causal;
  config.encoding = {
      .id = "transformer_xl",
      .params = {
          {"u", c.tensor("u_r_w_bias")}, {"v", c.tensor("v_r_r_bias")}, {"w_r", c.tensor("W_r")}}};
  phasor::AttentionResult actual;
  if (!c.ok(phasor::attention(
                split_heads(product(x, slice_rows(w_qkv, 0, width)), heads),
                split_heads(product(memory_and_x, slice_rows(w_qkv, width, width)), heads),
                split_heads(product(memory_and_x, slice_rows(w_qkv, 2 * width, width)), heads),
                config),
            actual)) {
    return;
  }
  Matrix out = product(golden::join_heads(actual.output), w_o);
  for (int r = 0; r < out.rows(); ++r) {
    for (int column = 0; column < out.columns(); ++column) out.at(r, column) += x.at(r, column);
  }
  golden::normalise_rows(out, c.number("layernorm_eps"));
  c.expect("out", {x.rows(), model}, out.data(), golden::kComposite);
  // Sinusoids of the distances keys - 1 to 0.
  std::vector<double> distances;
  for (int m = keys - 1; m >= 0; --m) distances.push_back(m);
  Tensor sinusoids;
  const EncodingConfig sinusoidal{.id = "sinusoidal",
                                  .params = {{"layout", std::string("concatenated")}}};
  if (c.ok(phasor::position_table(sinusoidal, distances, model), sinusoids))
    c.expect("r_sin_cos", sinusoids, golden::kTable);
}

void relative_shift(Case& c) {
  Tensor shifted;
  if (c.ok(phasor::relative_shift(c.tensor("x")), shifted))
    c.expect("shifted", shifted, golden::kTable);
}

// ---- DeBERTa

void log_bucket(Case& c) {
  const golden::Array r = c.input("relative_pos");
  std::vector<int> actual;
  if (!c.ok(phasor::deberta_log_bucket(std::vector<int>(r.data.begin(), r.data.end()),
                                       c.integer("bucket_size"), c.integer("max_position")),
            actual))
    return;
  c.expect("bucket", r.shape, {actual.begin(), actual.end()}, 0);
}

void run_disentangled(Case& c) {
  const Matrix x = golden::matrix_of(c.input("x")),
               relative = golden::matrix_of(c.input("rel_embeddings"));
  const int heads = c.integer("heads");
  c.expect_param("n", x.rows());
  c.expect_param("d_head", x.columns() / std::max(heads, 1));
  c.expect_param("scale", std::string("1/sqrt(d_head*(1+#terms))"));
  const auto project = [&](const Matrix& rows, const std::string& name) {
    return split_heads(golden::linear(rows, golden::matrix_of(c.input(name + ".weight")),
                                      c.input(name + ".bias").data),
                       heads);
  };
  phasor::AttentionConfig config;
  config.outputs.weights = true;
  config.encoding = {.id = "deberta",
                     .params = {{"position_buckets", std::max(c.number("position_buckets"), 0.0)},
                                {"max_relative_positions", c.number("max_relative_positions")}}};
  std::string term_list;
  for (const std::string& term : c.texts("pos_att_type")) {
    if (term != "c2p" && term != "p2c")
      return c.fail("param pos_att_type: \"" + term + "\" is not known");
    config.encoding.params[term == "c2p" ? "pos_key" : "pos_query"] =
        project(relative, term == "c2p" ? "pos_key_proj" : "pos_query_proj");
    term_list = term_list.empty() ? term : "c2p_p2c";
  }
  config.encoding.params["terms"] = term_list;
  phasor::AttentionResult actual;
  if (c.failed() || !c.ok(phasor::attention(project(x, "query_proj"), project(x, "key_proj"),
                                            project(x, "value_proj"), config),
                          actual))
    return;
  c.expect_weights("weights", actual.weights, golden::kComposite);
  const Matrix out = golden::join_heads(actual.output);
  c.expect("out", {out.rows(), out.columns()}, out.data(), golden::kComposite);
}

constexpr golden::Method kMethods[] = {
    {"kerple_log", [](Case& c) { kerple(c, "log", "-r1*log(1+r2*|i-j|)", "r1,r2>=0.01"); }},
    {"kerple_power", [](Case& c) { kerple(c, "power", "-r1*|i-j|^r2", "r1>=0.01, 0.01<=r2<=2"); }},
    {"kerple_power_weighted", kerple_weighted},
    {"fire", fire},
    {"sandwich_nemo", sandwich},
    {"cope", cope},
    {"cope_bias", cope_bias},
    {"transformer_xl_layer", transformer_xl_layer},
    {"transformer_xl_rel_shift", relative_shift},
    {"deberta_log_bucket", log_bucket},
    {"deberta_disentangled", run_disentangled},
};

}  // namespace

GOLDEN_FAMILY(bias_other) { return kMethods; }

}  // namespace golden::family::bias_other
