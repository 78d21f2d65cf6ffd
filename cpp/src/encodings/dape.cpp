// DAPE (Zheng et al. 2024, arXiv 2405.14722; chuanyang-Zheng/DAPE): for each pair of tokens a small
// network maps the scores of all heads and the bias of another encoding to an additional term,
//   S = s + B + W2 LeakyReLU(W1 [s; B] + b1) + b2,
// where s = scale * q.k and B are vectors over the heads. The authors use the biases of KERPLE (the
// default here), ALiBi and FIRE, and 32 hidden units. Weights are initially U(-1, 1) /
// sqrt(inputs), as in nn.Linear. FIRE has LeakyReLU in their code and ReLU here, as in `fire`. W2 =
// b2 = 0 gives s + B.

#include <cmath>

#include "encoding_base/parameter_init.h"
#include "encoding_base/parts/pair_network.h"
#include "encoding_base/registry_entry.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "phasor/registry.h"

namespace phasor::encoding::dape {
namespace {

class Dape final : public Encoding, public HeadMixing {
 public:
  static constexpr Injection kInjection = Injection::score_content;

  Dape(PairNetwork network, std::unique_ptr<Encoding> bias_encoding)
      : network_(std::move(network)), bias_encoding_(std::move(bias_encoding)) {
    interfaces_.mixing = this;
  }

  Injection injection() const override { return kInjection; }
  bool symmetric() const override { return bias_encoding_->symmetric(); }
  bool causal_only() const override { return bias_encoding_->causal_only(); }
  Status check_positions(Positions positions) const override {
    return bias_encoding_->check_positions(positions);
  }
  Status check_distances(Positions queries, Positions keys) const override {
    return bias_encoding_->check_distances(queries, keys);
  }
  Status recompute() override { return bias_encoding_->parameters_changed(); }

  std::vector<Parameter*> parameters() override {
    std::vector<Parameter*> parameters = {&network_.w1, &network_.b1, &network_.w2, &network_.b2};
    for (Parameter* parameter : bias_encoding_->parameters()) parameters.push_back(parameter);
    return parameters;
  }

  // Includes a tile's bias and its gradient, the network, and the bias encoding.
  double working_bytes(const TileSizes& tile) const override {
    const double pairs = static_cast<double>(tile.queries) * tile.keys;
    return 2 * kernels::matrix_bytes(network_.heads(), pairs) + network_.working_bytes() +
           bias_encoding_->working_bytes(tile);
  }

  void mix(const HeadsTile& tile, MatrixRef added_terms) const override {
    add_bias(tile, added_terms);
    network_.add_output(tile.products, added_terms);
  }

  void mix_backward(const HeadsTile& tile, ConstMatrixRef d_terms, MatrixRef d_products) override {
    Tensor bias({d_terms.rows, d_terms.columns}), d_bias(bias.shape);
    add_bias(tile, matrix(bias));
    network_.backward(tile.products, matrix(std::as_const(bias)), d_terms, d_products,
                      matrix(d_bias));
    for (int h = 0; h < d_terms.rows; ++h) {
      const MatrixRef d = head_tile(tile, matrix(d_bias).row(h));
      kernels::add_row(d.data, d_terms.row(h), d_terms.columns);
      bias_encoding_->as_score_bias()->bias_backward(h, tile.queries, tile.keys, d);
    }
  }

 private:
  static MatrixRef head_tile(const HeadsTile& tile, float* row) {
    return {row, tile.queries.count(), tile.keys.count(), tile.keys.count()};
  }

  void add_bias(const HeadsTile& tile, const MatrixRef& out) const {
    const ScoreEncoding& bias = *std::as_const(*bias_encoding_).as_score_bias();
    for (int h = 0; h < out.rows; ++h)
      bias.add_bias(h, tile.queries, tile.keys, head_tile(tile, out.row(h)));
  }

  PairNetwork network_;
  std::unique_ptr<Encoding> bias_encoding_;
};

constexpr ChoiceList kBiasEncodings = "kerple, alibi, fire, t5";
constexpr std::string_view kBiasPrefix = "bias_";

constexpr ParamInfo kParams[] = {
    ParamInfo::choice("bias", kBiasEncodings, "Encoding whose bias the network reads"),
    ParamInfo::choice(
        "right", "distance, zero",
        "Keys to the right of the query have the bias for their distance, or for distance 0 "
        "(the authors' code)")
        .only_with("bias", "kerple, alibi, t5"),
    ParamInfo::integer("mlp_width", 32, 1, 1024, "units", "Hidden units of the network"),
    ParamInfo::real("negative_slope", 0.01, 0, 1, "", "LeakyReLU's slope for negative inputs"),
    ParamInfo::tensor("w1", "mlp_width x 2 heads",
                      "Trained weights of the first layer: first for scores, then for biases"),
    ParamInfo::tensor("b1", "mlp_width", "Trained biases of the first layer"),
    ParamInfo::tensor("w2", "heads x mlp_width", "Trained weights of the second layer"),
    ParamInfo::tensor("b2", "heads", "Trained biases of the second layer"),
    ParamInfo::tensor("bias_r1", "heads", "Trained scale of KERPLE's penalty")
        .only_with("bias", "kerple"),
    ParamInfo::tensor("bias_r2", "heads", "Trained scale of distances in KERPLE")
        .only_with("bias", "kerple"),
    ParamInfo::tensor("bias_slopes", "heads", "ALiBi's slopes; default: the paper's")
        .only_with("bias", "alibi"),
    ParamInfo::tensor("bias_w1", "32 x 1", "Trained weights of FIRE's first layer")
        .only_with("bias", "fire"),
    ParamInfo::tensor("bias_b1", "32", "Trained biases of FIRE's first layer")
        .only_with("bias", "fire"),
    ParamInfo::tensor("bias_w2", "heads x 32", "Trained weights of FIRE's second layer")
        .only_with("bias", "fire"),
    ParamInfo::tensor("bias_b2", "heads", "Trained biases of FIRE's second layer")
        .only_with("bias", "fire"),
    ParamInfo::tensor("bias_c", "1", "FIRE's trained c, which compresses distances")
        .only_with("bias", "fire"),
    ParamInfo::tensor("bias_l_multiplier", "1", "Trained multiplier of FIRE's threshold L")
        .only_with("bias", "fire"),
    ParamInfo::tensor("bias_table", "32 x heads", "Trained bias of each T5 bucket and head")
        .only_with("bias", "t5"),
    seed_param(),
};

// Returns the name in kParams of a parameter of the bias encoding. Some of these names begin with
// kBiasPrefix.
std::string_view find_prefixed_name(std::string_view param_name) {
  for (const ParamInfo& param : kParams) {
    if (param.name.starts_with(kBiasPrefix) && param.name.substr(kBiasPrefix.size()) == param_name)
      return param.name;
  }
  return param_name;
}

Status create_bias(const ResolvedParams& values, const EncodingDims& dims,
                   std::unique_ptr<Encoding>& out) {
  EncodingConfig config;
  config.id = std::string(kBiasEncodings.list()[static_cast<std::size_t>(values.integer("bias"))]);
  for (const ParamInfo& param : kParams) {
    if (!param.name.starts_with(kBiasPrefix)) continue;
    const Tensor* provided_tensor = values.tensor(param.name.data());
    if (provided_tensor == nullptr) continue;
    if (param.applies_when.values.text() != config.id)
      return invalid("{}: has no effect with bias {}", param.name, config.id);
    Tensor param_copy;
    PHASOR_TRY(copy_param(param.name.data(), *provided_tensor, param_copy));
    config.params[param.name.substr(kBiasPrefix.size())] = std::move(param_copy);
  }
  for (const ParamInfo& param : find_encoding(config.id)->params) {
    if (param.name == "seed") config.params["seed"] = values.real("seed");
  }
  if (values.integer("right") != 0) {  // zero
    if (config.id == "kerple") config.params["right"] = std::string("zero");
    if (config.id == "alibi") config.params["form"] = std::string("causal");
    if (config.id == "t5") config.params["bidirectional"] = false;
  }
  Status status = phasor::create_encoding(config, dims).move_to(out);
  for (const auto& [name, value] : config.params)
    status = rename_argument(std::move(status), name, find_prefixed_name(name));
  PHASOR_TRY(std::move(status));
  for (Parameter* parameter : out->parameters())
    parameter->name = find_prefixed_name(parameter->name);
  return {};
}

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const int units = values.integer("mlp_width"), heads = dims.heads;
  const double input_bound = 1 / std::sqrt(2.0 * heads),
               unit_bound = 1 / std::sqrt(static_cast<double>(units));
  PairNetwork network{.negative_slope = static_cast<float>(values.real("negative_slope"))};
  PHASOR_TRY(init_uniform_param(values, "w1", "mlp_width x 2 heads", {units, 2 * heads},
                                -input_bound, input_bound, 8, network.w1.value));
  PHASOR_TRY(init_uniform_param(values, "b1", "mlp_width", {units}, -input_bound, input_bound, 9,
                                network.b1.value));
  PHASOR_TRY(init_uniform_param(values, "w2", "heads x mlp_width", {heads, units}, -unit_bound,
                                unit_bound, 10, network.w2.value));
  PHASOR_TRY(init_uniform_param(values, "b2", "heads", {heads}, -unit_bound, unit_bound, 11,
                                network.b2.value));
  std::unique_ptr<Encoding> bias_encoding;
  PHASOR_TRY(create_bias(values, dims, bias_encoding));
  return EncodingResult(std::make_unique<Dape>(std::move(network), std::move(bias_encoding)));
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
