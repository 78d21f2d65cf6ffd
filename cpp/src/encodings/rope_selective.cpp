// Selective RoPE (Movahedi, Carstensen, Afzal, Hutter, Orvieto and Cevher 2025, arXiv 2511.17388;
// timurcarstensen/selective-rope): pair m of token t is rotated by
//   temperature_max base^(-2m/d) (g_0 phi_0,m + ... + g_t phi_t,m),
// so that the angle between query and key depends on the tokens between them. Attention takes steps
// phi (heads, tokens, pairs) and optionally gate g (heads, tokens); a layer computes both from its
// embeddings as the authors do (encoding_base/token_tensors/selective_projection.h). The authors
// can train the temperatures base^(-2m/d), which are fixed here. If all steps are 1, this is RoPE
// with positions counted from 1. Sums are computed in double. Each head rotates its keys
// differently, so query heads cannot share keys. The authors normalise queries and keys after the
// rotation.

#include <algorithm>
#include <cmath>

#include "encoding_base/parameter_init.h"
#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"
#include "encoding_base/token_tensors/selective_projection.h"
#include "math/scalar_math.h"
#include "sinusoid/rotate_tokens.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::rope_selective {
namespace {

class Selective final : public Encoding, public TokenTransform, public TokenProjections {
 public:
  static constexpr Injection kInjection = Injection::query_key;

  Selective(PairLayout layout, std::vector<double> frequencies, SelectiveProjection projection)
      : layout_(layout), frequencies_(std::move(frequencies)), projection_(std::move(projection)) {
    interfaces_.token_transform = this;
    if (!projection_.phi.down.empty()) interfaces_.projections = this;
  }

  Injection injection() const override { return kInjection; }
  std::vector<Parameter*> parameters() override { return projection_.parameters(); }

  bool reads_earlier_tokens() const override { return true; }
  Status project(ConstMatrixRef x, TokenTensors& out) const override {
    return projection_.project(x, out);
  }
  void project_backward(ConstMatrixRef x, const TokenTensors& projected,
                        const TokenTensors& d_projected, MatrixRef d_x) override {
    projection_.project_backward(x, projected, d_projected, d_x);
  }

  void transform(Role, const TokenTensors& tokens, int first, Tensor& x) const override {
    rotate(RotationDirection::forward, tokens, first, x);
  }

  // For y = R(a) x, dL/da is x_1 dL/dx_2 - x_2 dL/dx_1, where x_1 and x_2 are the channels of a
  // pair.
  void transform_backward(Role, const TokenTensors& tokens, int first, const Tensor& x, Tensor& d_x,
                          TokenTensors& d_tokens) const override {
    rotate(RotationDirection::transposed, tokens, first, d_x);
    const Tensor &steps = tokens.at("steps"), *gate = tokens.find("gate");
    Tensor &d_steps = d_tokens.at("steps"), *d_gate = d_tokens.find("gate");
    // dL/d(g phi), which sums over this and all later tokens
    std::vector<double> grads(frequencies_.size());
    for (int h = 0; h < x.shape[0]; ++h) {
      std::fill(grads.begin(), grads.end(), 0.0);
      for (int t = first + x.shape[1] - 1; t >= 0; --t) {
        if (t >= first) {
          const float *row = matrix(x, h).row(t - first), *d_row = matrix(d_x, h).row(t - first);
          for (int m = 0; m < pairs(); ++m) {
            const auto [a, b] = channels(m);
            grads[to_size(m)] += frequencies_[to_size(m)] *
                                 (static_cast<double>(row[a]) * static_cast<double>(d_row[b]) -
                                  static_cast<double>(row[b]) * static_cast<double>(d_row[a]));
          }
        }
        const double gate_value =
            gate == nullptr ? 1 : static_cast<double>(matrix(*gate).row(h)[t]);
        const float* step = matrix(steps, h).row(t);
        double d_gate_value = 0;
        for (int m = 0; m < pairs(); ++m) {
          matrix(d_steps, h).row(t)[m] += static_cast<float>(gate_value * grads[to_size(m)]);
          d_gate_value += static_cast<double>(step[m]) * grads[to_size(m)];
        }
        if (d_gate != nullptr) matrix(*d_gate).row(h)[t] += static_cast<float>(d_gate_value);
      }
    }
  }

 private:
  struct Pair {
    int a, b;
  };
  static std::size_t to_size(int m) { return static_cast<std::size_t>(m); }
  int pairs() const { return static_cast<int>(frequencies_.size()); }
  Pair channels(int m) const {
    return layout_ == PairLayout::interleaved ? Pair{2 * m, 2 * m + 1} : Pair{m, m + pairs()};
  }

  void rotate(RotationDirection direction, const TokenTensors& tokens, int first, Tensor& x) const {
    const Tensor &steps = tokens.at("steps"), *gate = tokens.find("gate");
    for (int h = 0; h < x.shape[0]; ++h) {
      std::vector<double> sums(frequencies_.size(), 0.0);
      int next_token = 0;
      const auto add_steps_until = [&](int token) {
        for (; next_token <= token; ++next_token) {
          const double gate_value =
              gate == nullptr ? 1 : static_cast<double>(matrix(*gate).row(h)[next_token]);
          for (int m = 0; m < pairs(); ++m)
            sums[to_size(m)] +=
                gate_value * static_cast<double>(matrix(steps, h).row(next_token)[m]);
        }
      };
      rotate_tokens(layout_, direction, pairs(), x, h, h + 1,
                    [&](int token, float* cosine, float* sine) {
                      add_steps_until(first + token);
                      for (int m = 0; m < pairs(); ++m) {
                        const SinCos point = sincos(frequencies_[to_size(m)] * sums[to_size(m)]);
                        cosine[m] = static_cast<float>(point.cosine);
                        sine[m] = static_cast<float>(point.sine);
                      }
                    });
    }
  }

  PairLayout layout_;
  std::vector<double> frequencies_;  // (pairs), times temperature_max
  SelectiveProjection projection_;   // used by layers
};

// A standard deviation of 1 / sqrt(inputs) preserves the variance of activations.
Status read_projection(const ResolvedParams& values, const EncodingDims& dims,
                       SelectiveProjection& out) {
  const int embed_dim = dims.embed_dim, rank = values.integer("rank"), heads = dims.heads,
            pairs = dims.dim / 2;
  if (embed_dim == 0) {
    for (const char* name :
         {"phi_down", "phi_up", "phi_conv", "phi_bias", "gate_weight", "gate_bias"}) {
      if (values.tensor(name) != nullptr)
        return invalid(
            "{}: applies only to self-attention layers, which compute steps and gate from "
            "embeddings; pass steps and gate to attention",
            name);
    }
    return {};
  }
  out.heads = heads;
  const auto init_param = [&](const char* name, const char* axes, const std::vector<int>& shape,
                              int stream, Parameter& parameter) {
    return init_normal_param(values, name, axes, shape,
                             1 / std::sqrt(static_cast<double>(shape[1])), stream, parameter.value);
  };
  const auto init_zeros = [&](const char* name, const char* axes, const std::vector<int>& shape,
                              Parameter& parameter) -> Status {
    parameter.value = Tensor(shape);
    const Tensor* provided_tensor = values.tensor(name);
    return provided_tensor == nullptr
               ? Status()
               : copy_param(name, *provided_tensor, shape, axes, parameter.value);
  };
  PHASOR_TRY(init_param("phi_down", "rank x embed_dim", {rank, embed_dim}, 0, out.phi.down));
  PHASOR_TRY(init_param("phi_up", "channels x rank", {heads * pairs, rank}, 1, out.phi.up));
  PHASOR_TRY(init_param("phi_conv", "channels x 4", {heads * pairs, SelectiveProjection::kTaps}, 2,
                        out.phi.conv));
  if (values.boolean("biased"))
    PHASOR_TRY(init_zeros("phi_bias", "heads x pairs", {heads, pairs}, out.phi_bias));
  if (!values.boolean("gated")) return {};
  PHASOR_TRY(
      init_param("gate_weight", "heads x embed_dim", {heads, embed_dim}, 3, out.gate_weight));
  return init_zeros("gate_bias", "heads", {heads}, out.gate_bias);
}

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_one_axis("rope_selective", dims.axes));
  if (dims.dim % 2 != 0)
    return invalid("dim: {} is odd, but rope_selective rotates pairs of channels", dims.dim);
  if (dims.kv_heads != 0 && dims.kv_heads != dims.heads) {
    return invalid(
        "{}: {} heads cannot share {} key heads, because rope_selective rotates the keys of each "
        "head by separate steps",
        argument("kv_heads"), dims.heads, dims.kv_heads);
  }
  std::vector<double> frequencies =
      inverse_frequencies(dims.dim / 2, dims.dim, values.real("base"));
  for (double& frequency : frequencies) frequency *= values.real("temperature_max");
  SelectiveProjection projection;
  PHASOR_TRY(read_projection(values, dims, projection));
  const bool is_half_split = values.integer("layout") == 0;
  return EncodingResult(
      std::make_unique<Selective>(is_half_split ? PairLayout::half_split : PairLayout::interleaved,
                                  std::move(frequencies), std::move(projection)));
}

constexpr TokenTensorInfo kTokens[] = {
    {.name = "steps",
     .shape = "heads, tokens, pairs",
     .summary = "Rotation of each pair by each token, in multiples of the pair's frequency"},
    {.name = "gate",
     .shape = "heads, tokens",
     .optional = true,
     .summary = "Factor applied to each token's steps"},
};

constexpr ParamInfo kParams[] = {
    ParamInfo::log_real("base", 500000, 1.001, 1e12, "",
                        "Sets the lowest frequency, which is near 1 / base"),
    ParamInfo::choice(
        "layout", "half_split, interleaved",
        "Pairs of channels: half-split, t and t + d/2, or interleaved, 2t and 2t + 1"),
    ParamInfo::real("temperature_max", 1, 0, 1000, "", "Factor applied to all angles"),
    ParamInfo::integer("rank", 16, 1, 4096, "", "Rank of the projection from embeddings to steps"),
    ParamInfo::tensor("phi_down", "rank x embed_dim", "First projection from embeddings to steps"),
    ParamInfo::tensor("phi_up", "channels x rank", "Second projection from embeddings to steps"),
    ParamInfo::tensor("phi_conv", "channels x 4",
                      "Convolution of the projected steps over four tokens"),
    ParamInfo::boolean("biased", false, "Adds e^phi_bias to the projected steps"),
    ParamInfo::tensor("phi_bias", "heads x pairs",
                      "Logarithm of the bias added to the projected steps")
        .only_with("biased", "true"),
    ParamInfo::boolean("gated", false, "Multiplies each token's steps by a gate"),
    ParamInfo::tensor("gate_weight", "heads x embed_dim",
                      "Weights in gate = sigmoid(weights . x + bias) for an embedding x")
        .only_with("gated", "true"),
    ParamInfo::tensor("gate_bias", "heads",
                      "Bias in gate = sigmoid(weights . x + bias) for an embedding x")
        .only_with("gated", "true"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(rope_selective) = {
    .id = "rope_selective",
    .injection = Selective::kInjection,
    .relative = true,
    .prefix_stable = true,
    .params = kParams,
    .tokens = kTokens,
    .create = create,
};

}  // namespace phasor::encoding::rope_selective
