// PaTH attention (Yang, Shen, Wen, Tan, Mishra, Ren, Panda and Kim 2025, arXiv 2505.16381, section
// 3): every token has a reflection H_t = I - beta_t w_t w_t^T, and a query meets a key through
// those of the tokens between them,
//   S_ij = q_i^T H_i H_{i-1} ... H_{j+1} k_j / sqrt(d).
// Attention is given w (kv_heads, tokens, width) and beta (kv_heads, tokens), which a model makes
// of its embeddings (a projection of rank 32, a causal convolution of 3 and SiLU; beta = 2 sigmoid,
// so that |w| = 1 and beta = 2 is a mirror). w is divided by sqrt(|w|^2 + eps), with eps = 1e-6 in
// fla. With forget gates (PaTH-FoX) D_ij of forgetting is added: the formula adds it after scaling,
// but fla multiplies it by 1 / sqrt(d) too, in reference, kernel and decoding alike
// (`gate_scaled`). beta = 0 is no encoding; beta = 1 and all w = e_1 erase channel 1 of all earlier
// keys. How products are formed, and what they cost, is in encoding/path_products.h.

#include "encoding/path_products.h"
#include "encoding/position_check.h"
#include "encoding/registry_entry.h"

namespace phasor::encoding::path {
namespace {

class Path final : public Encoding, public ProductEncoding {
 public:
  static constexpr Injection kInjection = Injection::score_content;

  Path(PathConfig config, bool gate_scaled) : config_(config), gate_scaled_(gate_scaled) {
    enters_.products = this;
  }

  Injection injection() const override { return kInjection; }
  std::vector<Parameter*> parameters() override { return {}; }
  bool causal_only() const override { return true; }
  double gate_factor(double scale) const override { return gate_scaled_ ? scale : 1; }
  bool by_rows() const override { return true; }

  std::unique_ptr<KeyProducts> products(int kv_head, int width, bool learns) const override {
    return path_products(config_, kv_head, width, learns);
  }
  double product_bytes(int queries, int keys, int width, bool learns) const override {
    return path_bytes(queries, keys, width, learns);
  }

 private:
  PathConfig config_;
  bool gate_scaled_;
};

Made create(const Values& values, const Geometry& geometry) {
  PHASOR_TRY(check_one_axis("path", geometry.axes));
  return Made(std::make_unique<Path>(
      PathConfig{.normalise_w = values.boolean("normalise_w"), .eps = values.real("eps")},
      values.boolean("gate_scaled")));
}

constexpr TokenTensorSpec kTokens[] = {
    {.name = "w",
     .shape = "kv_heads, tokens, width",
     .summary = "The direction that each token reflects"},
    {.name = "beta",
     .shape = "kv_heads, tokens",
     .summary = "How strongly: 0 leaves it, 1 erases it, 2 is a mirror"},
    {.name = "log_gates",
     .shape = "heads, tokens",
     .max = 0,
     .optional = true,
     .summary = "Logarithm of each token's forget gate"},
};

constexpr ParamSpec kParams[] = {
    ParamSpec::boolean("normalise_w", true, "w is made a unit vector, or taken as it is"),
    ParamSpec::real("eps", 1e-6, 0, 1, "", "Added to |w|^2 before the root")
        .only_with("normalise_w", "true"),
    ParamSpec::boolean("gate_scaled", true,
                       "Forget gates are multiplied by the factor on q.k too (fla's checkpoints)"),
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
