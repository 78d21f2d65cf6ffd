// XPos (Sun et al. 2022, arXiv 2212.10554): RoPE whose pairs also grow or shrink with the position,
// so that products decay with distance. With zeta_t = (2t + gamma d) / ((1 + gamma) d), a query is
// multiplied by zeta_t^((p - c)/B) and a key by the inverse, where B = scale_base. Then q.k has the
// factor zeta_t^((i - j)/B). XPos is for causal attention, because products with keys on the right
// grow. Products do not depend on the centre c, which keeps the vectors of long texts within
// float32. The paper has c = 0. torchscale counts from ceil(n/2) (written floor(-n/2)), lucidrains
// and sunyt32 from n // 2, for n tokens. All three read n from the shape of the vectors, which is
// wrong for the queries of a cache; here n is the parameter `length`. NeMo uses B = 2048.

#include <cmath>

#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"
#include "math/scalar_math.h"
#include "sinusoid/rotate_tokens.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::xpos {
namespace {

enum class CenterRule { torchscale, lucidrains };

double compute_center(CenterRule rule, int length) {
  return rule == CenterRule::torchscale ? std::ceil(length / 2.0) : std::floor(length / 2.0);
}

class Xpos final : public Parameterless<RotaryEncoding> {
 public:
  Xpos(PairLayout layout, std::vector<double> frequencies, std::vector<double> log_growth,
       double center_position)
      : layout_(layout),
        frequencies_(std::move(frequencies)),
        log_growth_(std::move(log_growth)),
        center_position_(center_position) {}

  int pairs() const override { return static_cast<int>(frequencies_.size()); }

  Status check_positions(Positions positions) const override {
    // A query and a key may each be scaled by up to e^40, because float32 overflows near e^88.
    constexpr double kMaxExponent = 40;
    for (int p = 0; p < positions.count(); ++p) {
      if (std::fabs((positions[p] - center_position_) * log_growth_[0]) > kMaxExponent) {
        return invalid(
            "positions[{}]: {} is too far from the centre {} for scales in float32; expected a "
            "distance of at most {} tokens",
            p, positions[p], center_position_,
            std::floor(kMaxExponent / std::fabs(log_growth_[0])));
      }
    }
    return {};
  }

  void angles(Positions positions, MatrixRef out) const override {
    for (int p = 0; p < out.rows; ++p) {
      for (int t = 0; t < out.columns; ++t)
        out.row(p)[t] =
            static_cast<float>(positions[p] * frequencies_[static_cast<std::size_t>(t)]);
    }
  }

  void transform(Role role, Positions positions, Tensor& x) const override {
    rotate_all(RotationDirection::forward, role, positions, x);
  }

  void transform_backward(Role role, Positions positions, const Tensor&, Tensor& d_x) override {
    rotate_all(RotationDirection::transposed, role, positions, d_x);
  }

 private:
  void rotate_all(RotationDirection direction, Role role, Positions positions, Tensor& x) const {
    SinusoidRows rows(frequencies_);
    std::vector<double> point(2 * frequencies_.size());
    rotate_tokens(layout_, direction, pairs(), x, [&](int token, float* cosine, float* sine) {
      rows.write(positions[token], point.data());
      const double steps = role == Role::query ? positions[token] - center_position_
                                               : center_position_ - positions[token];
      for (std::size_t t = 0; t < frequencies_.size(); ++t) {
        const double gain = exponential(steps * log_growth_[t]);
        cosine[t] = static_cast<float>(gain * point[t]);
        sine[t] = static_cast<float>(gain * point[frequencies_.size() + t]);
      }
    });
  }

  PairLayout layout_;
  std::vector<double> frequencies_;
  std::vector<double> log_growth_;  // ln(zeta_t) / B; the first has the largest magnitude
  double center_position_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const int dim = dims.dim, pairs = dim / 2;
  if (dim % 2 != 0) {
    return invalid(
        "dim: {} is odd, but xpos rotates pairs of channels and needs an even dim per head", dim);
  }
  PHASOR_TRY(check_one_axis("xpos", dims.axes));
  const double gamma = values.real("gamma"), scale_base = values.real("scale_base");
  std::vector<double> log_growth;
  for (int t = 0; t < pairs; ++t)
    log_growth.push_back(std::log((2.0 * t + gamma * dim) / ((1.0 + gamma) * dim)) / scale_base);
  return EncodingResult(std::make_unique<Xpos>(
      values.choice<PairLayout>("layout"), inverse_frequencies(pairs, dim, values.real("base")),
      std::move(log_growth),
      compute_center(values.choice<CenterRule>("center"), values.integer("length"))));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::log_real("base", 10000, 1.001, 1e9, "",
                        "Sets the lowest frequency, which is near 1 / base"),
    ParamInfo::choice("layout", "interleaved, half_split",
                      "Pairs of channels: interleaved, 2t and 2t + 1 (torchscale), or half-split, "
                      "t and t + d/2 (most models)"),
    ParamInfo::log_real("scale_base", 512, 1, 1e9, "tokens",
                        "B: number of tokens over which pair t decays by the factor zeta_t"),
    ParamInfo::log_real("gamma", 0.4, 1e-3, 1000, "",
                        "Sets the factor of the fastest pair, zeta_0 = gamma / (1 + gamma)"),
    ParamInfo::integer(
        "length", 0, 0, 2147483647, "tokens",
        "Number of tokens n; the middle position has scale 1, or position 0 if n is 0"),
    ParamInfo::choice("center", "torchscale, lucidrains",
                      "The middle position: ceil(n/2) or floor(n/2)"),
};

}  // namespace

PHASOR_ENCODING(xpos) = {
    .id = "xpos",
    .injection = Xpos::kInjection,
    .relative = true,
    .prefix_stable = true,
    .rotates = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::xpos
