// DAPE (Zheng et al. 2024, arXiv 2405.14722; chuanyang-Zheng/DAPE): at each pair of tokens a small
// network sees the scores of all heads and the bias of another encoding, and adds to both,
//   S = s + B + W2 LeakyReLU(W1 [s; B] + b1) + b2,
// where s = scale * q.k and B are vectors over the heads. The authors have B of KERPLE (the default
// here), ALiBi and FIRE; 32 units are the default of their code, and what is drawn from the seed is
// drawn as by its nn.Linear, U(-1, 1) / sqrt(inputs). Its FIRE has LeakyReLU inside, while here it
// is that of `fire`, with ReLU. W2 = b2 = 0 leaves s + B.

#include <cmath>
#include <numeric>

#include "encoding/learned.h"
#include "encoding/registry_entry.h"
#include "kernels/gemm.h"
#include "kernels/rows.h"
#include "phasor/registry.h"

namespace phasor::encoding::dape {
namespace {

using kernels::columns_of;
using kernels::gemm;
using kernels::matrix_bytes;
using kernels::packed_matrix_bytes;
using kernels::Transpose;

constexpr int kPairs = 1024;  // whose hidden units are formed at a time

struct Network {
  Parameter w1{"w1"}, b1{"b1"}, w2{"w2"}, b2{"b2"};
};

class Dape final : public Encoding, public HeadMixing {
 public:
  static constexpr Injection kInjection = Injection::score_content;

  Dape(Network network, double negative_slope, std::unique_ptr<Encoding> bias)
      : n_(std::move(network)),
        negative_slope_(static_cast<float>(negative_slope)),
        bias_(std::move(bias)) {
    enters_.mixing = this;
  }

  Injection injection() const override { return kInjection; }
  bool symmetric() const override { return bias_->symmetric(); }
  bool causal_only() const override { return bias_->causal_only(); }
  Status check_positions(Positions positions) const override {
    return bias_->check_positions(positions);
  }
  Status check_distances(Positions queries, Positions keys) const override {
    return bias_->check_distances(queries, keys);
  }
  Status recompute() override { return bias_->parameters_changed(); }

  std::vector<Parameter*> parameters() override {
    std::vector<Parameter*> all = {&n_.w1, &n_.b1, &n_.w2, &n_.b2};
    for (Parameter* parameter : bias_->parameters()) all.push_back(parameter);
    return all;
  }

  // The bias of a tile and its gradient; hidden units and theirs; what is packed.
  double working_bytes(const TileSizes& tile) const override {
    const int heads = n_.w2.value.shape[0], units = n_.w2.value.shape[1];
    return 2 * matrix_bytes(heads, static_cast<double>(tile.queries) * tile.keys) +
           2 * matrix_bytes(units, kPairs) + packed_matrix_bytes(kPairs, units + 2 * heads) +
           bias_->working_bytes(tile);
  }

  void mix(const HeadsTile& tile, MatrixRef added) const override {
    add_bias(tile, added);
    Tensor hidden({n_.w1.value.shape[0], kPairs});
    each_stretch(added.columns, [&](int first, int count) {
      const MatrixRef units = part(hidden, count), to = columns_of(added, first, count);
      activate(columns_of(tile.products, first, count), to, units);
      gemm(Transpose::no, Transpose::no, 1, matrix(n_.w2.value), units, 1, to);
      for (int h = 0; h < to.rows; ++h)
        kernels::add_constant(to.row(h), n_.b2.value.data[static_cast<std::size_t>(h)], count);
    });
  }

  void mix_backward(const HeadsTile& tile, ConstMatrixRef d_added, MatrixRef d_products) override {
    Tensor bias({d_added.rows, d_added.columns}), d_bias(bias.shape);
    add_bias(tile, matrix(bias));
    const int heads = d_added.rows;
    const ConstMatrixRef w1 = matrix(std::as_const(n_.w1.value)),
                         w2 = matrix(std::as_const(n_.w2.value));
    const MatrixRef d_w1 = matrix(n_.w1.gradient());
    Tensor hidden({w1.rows, kPairs}), d_hidden(hidden.shape);
    each_stretch(d_added.columns, [&](int first, int count) {
      const ConstMatrixRef products = columns_of(tile.products, first, count),
                           biases = columns_of(matrix(std::as_const(bias)), first, count),
                           d = columns_of(d_added, first, count);
      const MatrixRef units = part(hidden, count), d_units = part(d_hidden, count);
      activate(products, biases, units);
      gemm(Transpose::no, Transpose::yes, 1, d, units, 1, matrix(n_.w2.gradient()));
      add_sums(d, n_.b2);
      gemm(Transpose::yes, Transpose::no, 1, w2, d, 0, d_units);
      // A unit has the sign of what LeakyReLU was given.
      for (int u = 0; u < units.rows; ++u) {
        for (int c = 0; c < count; ++c)
          if (units.row(u)[c] < 0) d_units.row(u)[c] *= negative_slope_;
      }
      add_sums(d_units, n_.b1);
      gemm(Transpose::no, Transpose::yes, 1, d_units, products, 1, columns_of(d_w1, 0, heads));
      gemm(Transpose::no, Transpose::yes, 1, d_units, biases, 1, columns_of(d_w1, heads, heads));
      gemm(Transpose::yes, Transpose::no, 1, columns_of(w1, 0, heads), d_units, 1,
           columns_of(d_products, first, count));
      gemm(Transpose::yes, Transpose::no, 1, columns_of(w1, heads, heads), d_units, 0,
           columns_of(matrix(d_bias), first, count));
    });
    for (int h = 0; h < heads; ++h) {
      const MatrixRef d = of_head(tile, matrix(d_bias).row(h));
      kernels::add_row(d.data, d_added.row(h), d_added.columns);
      bias_->as_score_bias()->bias_backward(h, tile.queries, tile.keys, d);
    }
  }

 private:
  // (units, count) in the memory of (units, kPairs)
  static MatrixRef part(Tensor& units, int count) {
    return {units.data.data(), units.shape[0], count, count};
  }

  template <class F>
  static void each_stretch(int pairs, F&& f) {
    for (int first = 0; first < pairs; first += kPairs) f(first, std::min(kPairs, pairs - first));
  }

  static MatrixRef of_head(const HeadsTile& tile, float* row) {
    return {row, tile.queries.count(), tile.keys.count(), tile.keys.count()};
  }

  void add_bias(const HeadsTile& tile, const MatrixRef& to) const {
    const ScoreEncoding& bias = *std::as_const(*bias_).as_score_bias();
    for (int h = 0; h < to.rows; ++h)
      bias.add_bias(h, tile.queries, tile.keys, of_head(tile, to.row(h)));
  }

  // units (mlp_width, pairs) = LeakyReLU(W1 [products; biases] + b1); both (heads, pairs)
  void activate(const ConstMatrixRef& products, const ConstMatrixRef& biases,
                const MatrixRef& units) const {
    const ConstMatrixRef w1 = matrix(n_.w1.value);
    const int heads = products.rows;
    gemm(Transpose::no, Transpose::no, 1, columns_of(w1, 0, heads), products, 0, units);
    gemm(Transpose::no, Transpose::no, 1, columns_of(w1, heads, heads), biases, 1, units);
    for (int u = 0; u < units.rows; ++u) {
      float* row = units.row(u);
      const float b1 = n_.b1.value.data[static_cast<std::size_t>(u)];
      for (int c = 0; c < units.columns; ++c) {
        const float x = row[c] + b1;
        row[c] = x < 0 ? negative_slope_ * x : x;
      }
    }
  }

  // Summed in double: without a cap or a sink, what a loss asks of b2 cancels to 0.
  static void add_sums(const ConstMatrixRef& d, Parameter& parameter) {
    for (int r = 0; r < d.rows; ++r) {
      const double sum = std::accumulate(d.row(r), d.row(r) + d.columns, 0.0);
      parameter.gradient().data[static_cast<std::size_t>(r)] += static_cast<float>(sum);
    }
  }

  Network n_;
  float negative_slope_;
  std::unique_ptr<Encoding> bias_;
};

constexpr Words kBiases = "kerple, alibi, fire, t5";
// A parameter of the bias is one of the encoding, of the same name behind this.
constexpr std::string_view kPrefix = "bias_";

constexpr ParamSpec kParams[] = {
    ParamSpec::choice("bias", kBiases, "The encoding whose bias the network reads and adds to"),
    ParamSpec::choice("right", "distance, zero",
                      "The bias of keys on the right: by their distance too, or as at distance 0 "
                      "(causal code)")
        .only_with("bias", "kerple, alibi, t5"),
    ParamSpec::integer("mlp_width", 32, 1, 1024, "units", "Hidden units of the network"),
    ParamSpec::real("negative_slope", 0.01, 0, 1, "", "Slope of LeakyReLU below 0"),
    ParamSpec::tensor("w1", "mlp_width x 2 heads",
                      "Trained weights of the first layer, of scores and then of biases"),
    ParamSpec::tensor("b1", "mlp_width", "Its biases"),
    ParamSpec::tensor("w2", "heads x mlp_width", "Trained weights of the second layer"),
    ParamSpec::tensor("b2", "heads", "Its biases"),
    ParamSpec::tensor("bias_r1", "heads", "Trained r1 of KERPLE").only_with("bias", "kerple"),
    ParamSpec::tensor("bias_r2", "heads", "Trained r2 of KERPLE").only_with("bias", "kerple"),
    ParamSpec::tensor("bias_slopes", "heads", "Slopes of ALiBi, instead of the paper's")
        .only_with("bias", "alibi"),
    ParamSpec::tensor("bias_w1", "32 x 1", "Trained w1 of FIRE").only_with("bias", "fire"),
    ParamSpec::tensor("bias_b1", "32", "Trained b1 of FIRE").only_with("bias", "fire"),
    ParamSpec::tensor("bias_w2", "heads x 32", "Trained w2 of FIRE").only_with("bias", "fire"),
    ParamSpec::tensor("bias_b2", "heads", "Trained b2 of FIRE").only_with("bias", "fire"),
    ParamSpec::tensor("bias_c", "1", "Trained c of FIRE").only_with("bias", "fire"),
    ParamSpec::tensor("bias_l_multiplier", "1", "Trained l_multiplier of FIRE")
        .only_with("bias", "fire"),
    ParamSpec::tensor("bias_table", "32 x heads", "Trained table of T5").only_with("bias", "t5"),
    seed_param(),
};

// A parameter of the bias beside those of the network.
std::string_view outer_name(std::string_view inner) {
  for (const ParamSpec& spec : kParams) {
    if (spec.name.starts_with(kPrefix) && spec.name.substr(kPrefix.size()) == inner)
      return spec.name;
  }
  return inner;
}

Status create_bias(const Values& values, const Geometry& geometry, std::unique_ptr<Encoding>& out) {
  EncodingConfig config;
  config.id = std::string(kBiases.list()[static_cast<std::size_t>(values.integer("bias"))]);
  for (const ParamSpec& spec : kParams) {
    if (!spec.name.starts_with(kPrefix)) continue;
    const Tensor* given = values.tensor(spec.name.data());
    if (given == nullptr) continue;
    if (spec.applies_when.values.text() != config.id)
      return invalid("{}: it is given, but the bias is that of {}", spec.name, config.id);
    Tensor copy;
    PHASOR_TRY(take_given(spec.name.data(), *given, copy));
    config.params[spec.name.substr(kPrefix.size())] = std::move(copy);
  }
  for (const ParamSpec& spec : find(config.id)->params) {
    if (spec.name == "seed") config.params["seed"] = values.real("seed");
  }
  if (values.integer("right") != 0) {  // zero
    if (config.id == "kerple") config.params["right"] = std::string("zero");
    if (config.id == "alibi") config.params["form"] = std::string("causal");
    if (config.id == "t5") config.params["bidirectional"] = false;
  }
  Status status = phasor::create(config, geometry).move_to(out);
  for (const auto& [name, value] : config.params)
    status = renamed(std::move(status), name, outer_name(name));
  PHASOR_TRY(std::move(status));
  for (Parameter* parameter : out->parameters()) parameter->name = outer_name(parameter->name);
  return {};
}

Made create(const Values& values, const Geometry& geometry) {
  const int units = values.integer("mlp_width"), heads = geometry.heads;
  const double of_inputs = 1 / std::sqrt(2.0 * heads),
               of_units = 1 / std::sqrt(static_cast<double>(units));
  Network n;
  PHASOR_TRY(given_or_uniform(values, "w1", "mlp_width x 2 heads", {units, 2 * heads}, -of_inputs,
                              of_inputs, 8, n.w1.value));
  PHASOR_TRY(
      given_or_uniform(values, "b1", "mlp_width", {units}, -of_inputs, of_inputs, 9, n.b1.value));
  PHASOR_TRY(given_or_uniform(values, "w2", "heads x mlp_width", {heads, units}, -of_units,
                              of_units, 10, n.w2.value));
  PHASOR_TRY(given_or_uniform(values, "b2", "heads", {heads}, -of_units, of_units, 11, n.b2.value));
  std::unique_ptr<Encoding> bias;
  PHASOR_TRY(create_bias(values, geometry, bias));
  return Made(std::make_unique<Dape>(std::move(n), values.real("negative_slope"), std::move(bias)));
}

}  // namespace

PHASOR_ENCODING(dape) = {
    .id = "dape",
    .injection = Dape::kInjection,
    .learned = true,
    .relative = true,
    .symmetric = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::dape
