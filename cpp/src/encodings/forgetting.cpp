// The Forgetting Transformer (Lin, Nikishin, He and Courville 2025, arXiv 2503.02130, section 3):
// each token has a forget gate f_t in (0, 1) per query head. The log gates of the tokens after the
// key, up to the query, are added to the score,
//   S_ij = q_i . k_j / sqrt(d) + D_ij,   D_ij = log f_{j+1} + ... + log f_i,   D_ii = 0.
// Attention takes log_gates (heads, tokens); a layer computes f_t = sigmoid(u_h . x_t + b_h) from
// its embeddings, where u is gate_weight and b is gate_bias. Gates of 1 mean no encoding, and a
// constant gate f is ALiBi with slope -ln f. The paper has no rotations; its ablation, and fla,
// combine gates with RoPE (`rotation`). The authors initialize b with 0, x-transformers with 5. The
// authors' "Pro" block also shifts keys and values and gates the output, which is not part of
// attention. The bidirectional form of x-transformers has separate gates per side and is not
// implemented. The formula requires a causal mask.

#include <cmath>

#include "encoding_base/parameter_init.h"
#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"
#include "math/scalar_math.h"
#include "sinusoid/rotate_tokens.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::forgetting {
namespace {

enum class Rotation { none, rope };

class HeadRotation final : public Parameterless<QueryKeyEncoding> {
 public:
  HeadRotation(PairLayout layout, int dim, double base)
      : layout_(layout), frequencies_(inverse_frequencies(dim / 2, dim, base)) {}

  void transform(Role, Positions positions, Tensor& x) const override {
    rotate(RotationDirection::forward, positions, x);
  }
  void transform_backward(Role, Positions positions, const Tensor&, Tensor& d_x) override {
    rotate(RotationDirection::transposed, positions, d_x);
  }

 private:
  void rotate(RotationDirection direction, Positions positions, Tensor& x) const {
    SinusoidRows rows(frequencies_);
    rotate_tokens(layout_, direction, rows.count(), x, [&](int token, float* cosine, float* sine) {
      rows.write(positions[token], 1, cosine, sine);
    });
  }

  PairLayout layout_;
  std::vector<double> frequencies_;
};

class Forgetting final : public Encoding, public TokenProjections {
 public:
  static constexpr Injection kInjection = Injection::score;

  Forgetting(std::unique_ptr<HeadRotation> rotation, Tensor gate_weight, Tensor gate_bias)
      : rotation_(std::move(rotation)),
        gate_weight_{"gate_weight", std::move(gate_weight)},
        gate_bias_{"gate_bias", std::move(gate_bias)} {
    interfaces_.query_key = rotation_.get();
    if (!gate_weight_.empty()) interfaces_.projections = this;
  }

  Injection injection() const override { return kInjection; }
  bool causal_only() const override { return true; }
  std::vector<Parameter*> parameters() override {
    if (gate_weight_.empty()) return {};
    return {&gate_weight_, &gate_bias_};
  }

  Status project(ConstMatrixRef x, TokenTensors& out) const override {
    const int heads = gate_weight_.value.shape[0];
    PHASOR_TRY(check_size("heads", "gates", {heads, x.rows}));
    Tensor& gates = out["log_gates"];
    gates = Tensor({heads, x.rows});
    for (int h = 0; h < heads; ++h) {
      const float* weight = matrix(gate_weight_.value).row(h);
      const double bias = static_cast<double>(gate_bias_.value.data[static_cast<std::size_t>(h)]);
      for (int t = 0; t < x.rows; ++t) {
        double logit = bias;
        for (int c = 0; c < x.columns; ++c)
          logit += static_cast<double>(weight[c]) * static_cast<double>(x.row(t)[c]);
        matrix(gates).row(h)[t] = static_cast<float>(log_sigmoid(logit));
      }
    }
    return check_result("gate_weight", gates.data, "the logarithm of a gate");
  }

  // d log sigmoid(z) / dz = 1 - sigmoid(z)
  void project_backward(ConstMatrixRef x, const TokenTensors& projected,
                        const TokenTensors& d_projected, MatrixRef d_x) override {
    const Tensor &gates = projected.at("log_gates"), &d_gates = d_projected.at("log_gates");
    for (int h = 0; h < gates.shape[0]; ++h) {
      const float* weight = matrix(gate_weight_.value).row(h);
      float* d_weight = matrix(gate_weight_.gradient()).row(h);
      double d_bias = 0;
      for (int t = 0; t < x.rows; ++t) {
        const double gate = exponential(static_cast<double>(matrix(gates).row(h)[t])),
                     grad = static_cast<double>(matrix(d_gates).row(h)[t]) * (1 - gate);
        d_bias += grad;
        for (int c = 0; c < x.columns; ++c) {
          d_weight[c] += static_cast<float>(grad * static_cast<double>(x.row(t)[c]));
          d_x.row(t)[c] += static_cast<float>(grad * static_cast<double>(weight[c]));
        }
      }
      gate_bias_.gradient().data[static_cast<std::size_t>(h)] += static_cast<float>(d_bias);
    }
  }

 private:
  static double log_sigmoid(double z) {
    return z < 0 ? z - logarithm_1p(exponential(z)) : -logarithm_1p(exponential(-z));
  }

  std::unique_ptr<HeadRotation> rotation_;  // or nullptr
  Parameter gate_weight_, gate_bias_;       // (heads, embed_dim), (heads); used by layers
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_one_axis("forgetting", dims.axes));
  std::unique_ptr<HeadRotation> rotation;
  if (values.choice<Rotation>("rotation") == Rotation::rope) {
    if (dims.dim % 2 != 0)
      return invalid("dim: {} is odd, but rotation needs pairs of channels", dims.dim);
    rotation = std::make_unique<HeadRotation>(values.choice<PairLayout>("layout"), dims.dim,
                                              values.real("base"));
  }
  Tensor gate_weight, gate_bias;
  if (const int embed_dim = dims.embed_dim; embed_dim > 0) {
    PHASOR_TRY(init_normal_param(values, "gate_weight", "heads x embed_dim",
                                 {dims.heads, embed_dim},
                                 1 / std::sqrt(static_cast<double>(embed_dim)), 0, gate_weight));
    gate_bias = Tensor({dims.heads});
    for (float& bias : gate_bias.data) bias = static_cast<float>(values.real("init_bias"));
    if (const Tensor* provided_bias = values.tensor("gate_bias"))
      PHASOR_TRY(copy_param("gate_bias", *provided_bias, {dims.heads}, "heads", gate_bias));
  } else {
    for (const char* name : {"gate_weight", "gate_bias"}) {
      if (values.tensor(name) != nullptr)
        return invalid(
            "{}: applies only to self-attention layers, which compute gates from embeddings; "
            "pass log_gates to attention",
            name);
    }
  }
  return EncodingResult(std::make_unique<Forgetting>(std::move(rotation), std::move(gate_weight),
                                                     std::move(gate_bias)));
}

constexpr TokenTensorInfo kTokens[] = {
    {.name = "log_gates",
     .shape = "heads, tokens",
     .max = 0,
     .summary = "Logarithm of each token's forget gate"},
};

constexpr ParamInfo kParams[] = {
    ParamInfo::choice("rotation", "none, rope",
                      "Queries and keys are unchanged (paper), or rotated"),
    ParamInfo::log_real("base", 10000, 1.001, 1e12, "", "rope: sets the lowest frequency")
        .only_with("rotation", "rope"),
    ParamInfo::choice(
        "layout", "interleaved, half_split",
        "rope: pairs of channels, interleaved (2t and 2t + 1) or half-split (t and t + d/2)")
        .only_with("rotation", "rope"),
    ParamInfo::tensor("gate_weight", "heads x embed_dim",
                      "Trained weights for computing gates from embeddings"),
    ParamInfo::tensor("gate_bias", "heads", "Trained biases for computing gates from embeddings"),
    ParamInfo::real("init_bias", 0, -20, 20, "", "Initial value of gate_bias (x-transformers: 5)"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(forgetting) = {
    .id = "forgetting",
    .injection = Forgetting::kInjection,
    .relative = true,
    .prefix_stable = true,
    .params = kParams,
    .tokens = kTokens,
    .create = create,
};

}  // namespace phasor::encoding::forgetting
