// PaTH attention (Yang, Shen, Wen, Tan, Mishra, Ren, Panda and Kim 2025, arXiv 2505.16381, section
// 3): every token has a reflection H_t = I - beta_t w_t w_t^T, and the dot product of a query and a
// key includes the reflections of the tokens between them,
//   S_ij = q_i^T H_i H_{i-1} ... H_{j+1} k_j / sqrt(d).
// Attention receives w (kv_heads, tokens, dim) and beta (kv_heads, tokens); a layer computes them
// from its embeddings as fla does (encoding_base/token_tensors/path_projection.h: a projection of
// rank 32, a causal convolution of 3 and SiLU; beta = 2 sigmoid, so that |w| = 1 and beta = 2 is a
// mirror). w is divided by sqrt(|w|^2 + eps), with eps = 1e-6 in fla. With forget gates (PaTH-FoX),
// the paper adds D_ij of forgetting after scaling; fla also multiplies D_ij by 1 / sqrt(d)
// (`gate_scaled`). beta = 0 means no encoding; beta = 1 and all w = e_1 erase channel 1 of all
// earlier keys. The algorithm and its cost are in encoding_base/custom_dot_product/path_products.h.

#include <cmath>

#include "encoding_base/custom_dot_product/path_products.h"
#include "encoding_base/parameter_init.h"
#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"
#include "encoding_base/token_tensors/path_projection.h"

namespace phasor::encoding::path {
namespace {

class Path final : public Encoding, public CustomDotProduct, public TokenProjections {
 public:
  static constexpr Injection kInjection = Injection::score_content;

  Path(PathConfig config, bool scales_gates, PathProjection projection)
      : config_(config), scales_gates_(scales_gates), projection_(std::move(projection)) {
    interfaces_.products = this;
    if (!projection_.w.down.empty()) interfaces_.projections = this;
  }

  Injection injection() const override { return kInjection; }
  bool causal_only() const override { return true; }
  double gate_factor(double scale) const override { return scales_gates_ ? scale : 1; }
  bool by_rows() const override { return true; }
  std::vector<Parameter*> parameters() override {
    PathProjection& p = projection_;
    if (p.w.down.empty()) return {};
    return {&p.w.down, &p.w.up, &p.w.conv, &p.beta_weight, &p.beta_bias};
  }

  std::unique_ptr<DotProductState> products(int kv_head, int head_dim,
                                            bool requires_grad) const override {
    return create_path_products(config_, kv_head, head_dim, requires_grad);
  }
  double product_bytes(int queries, int keys, int head_dim, bool requires_grad) const override {
    return path_bytes(queries, keys, head_dim, requires_grad);
  }

  bool reads_earlier_tokens() const override { return true; }
  Status project(ConstMatrixRef x, TokenTensors& out) const override {
    return projection_.project(x, out);
  }
  void project_backward(ConstMatrixRef x, const TokenTensors& projected,
                        const TokenTensors& d_projected, MatrixRef d_x) override {
    projection_.project_backward(x, projected, d_projected, d_x);
  }

 private:
  PathConfig config_;
  bool scales_gates_;
  PathProjection projection_;  // used by layers
};

// A standard deviation of 1 / sqrt(inputs) preserves the variance of activations.
Status read_projection(const ResolvedParams& values, const EncodingDims& dims,
                       PathProjection& out) {
  const int embed_dim = dims.embed_dim, rank = values.integer("rank"),
            heads = dims.kv_heads != 0 ? dims.kv_heads : dims.heads, channels = heads * dims.dim;
  if (embed_dim == 0) {
    for (const char* name : {"w_down", "w_up", "w_conv", "beta_weight", "beta_bias"}) {
      if (values.tensor(name) != nullptr)
        return invalid(
            "{}: applies only to self-attention layers, which compute w and beta from embeddings; "
            "pass w and beta to attention",
            name);
    }
    return {};
  }
  const auto init_param = [&](const char* name, const char* axes, const std::vector<int>& shape,
                              int stream, Parameter& parameter) {
    return init_normal_param(values, name, axes, shape,
                             1 / std::sqrt(static_cast<double>(shape[1])), stream, parameter.value);
  };
  PHASOR_TRY(init_param("w_down", "rank x embed_dim", {rank, embed_dim}, 0, out.w.down));
  PHASOR_TRY(init_param("w_up", "channels x rank", {channels, rank}, 1, out.w.up));
  PHASOR_TRY(
      init_param("w_conv", "channels x 3", {channels, PathProjection::kTaps}, 2, out.w.conv));
  PHASOR_TRY(
      init_param("beta_weight", "kv_heads x embed_dim", {heads, embed_dim}, 3, out.beta_weight));
  out.beta_bias.value = Tensor({heads});
  if (const Tensor* provided_bias = values.tensor("beta_bias"))
    return copy_param("beta_bias", *provided_bias, {heads}, "kv_heads", out.beta_bias.value);
  return {};
}

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_one_axis("path", dims.axes));
  PathProjection projection;
  PHASOR_TRY(read_projection(values, dims, projection));
  return EncodingResult(std::make_unique<Path>(
      PathConfig{.normalise_w = values.boolean("normalise_w"), .eps = values.real("eps")},
      values.boolean("gate_scaled"), std::move(projection)));
}

constexpr TokenTensorInfo kTokens[] = {
    {.name = "w",
     .shape = "kv_heads, tokens, dim",
     .summary = "The direction of each token's reflection"},
    {.name = "beta",
     .shape = "kv_heads, tokens",
     .min = 0,
     .max = 2,
     .summary = "Strength: 0 is the identity, 1 a projection, 2 a reflection"},
    {.name = "log_gates",
     .shape = "heads, tokens",
     .max = 0,
     .optional = true,
     .summary = "Logarithm of each token's forget gate"},
};

constexpr ParamInfo kParams[] = {
    ParamInfo::boolean("normalise_w", true, "w is normalised to length 1, or unchanged"),
    ParamInfo::real("eps", 1e-6, 0, 1, "", "Added to |w|^2 before the square root")
        .only_with("normalise_w", "true"),
    ParamInfo::boolean("gate_scaled", true,
                       "Multiplies log gates by the attention scale (fla's checkpoints)"),
    ParamInfo::integer("rank", 32, 1, 4096, "",
                       "Rank of the two projections that compute w from embeddings"),
    ParamInfo::tensor("w_down", "rank x embed_dim", "First projection from embeddings to w"),
    ParamInfo::tensor("w_up", "channels x rank", "Second projection from embeddings to w"),
    ParamInfo::tensor("w_conv", "channels x 3", "Convolution of the projected w over three tokens"),
    ParamInfo::tensor("beta_weight", "kv_heads x embed_dim",
                      "Weights in beta = 2 sigmoid(weights . x + bias) for an embedding x"),
    ParamInfo::tensor("beta_bias", "kv_heads",
                      "Bias in beta = 2 sigmoid(weights . x + bias) for an embedding x"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(path) = {
    .id = "path",
    .injection = Path::kInjection,
    .relative = true,
    .prefix_stable = true,
    .params = kParams,
    .tokens = kTokens,
    .create = create,
};

}  // namespace phasor::encoding::path
