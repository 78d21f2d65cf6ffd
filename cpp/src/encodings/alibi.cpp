// ALiBi (Press, Smith and Lewis 2022, arXiv 2108.12409): a penalty linear in the distance, added
// after scaling,
//   b(h, i, j) = -m_h (i - j)   for j <= i.
// Slopes m_h are as in the authors' get_slopes: 2^(-8h/H) if H is a power of two, where `bias_max`
// replaces the 8 (MPT's alibi_bias_max). The paper does not define j > i:
// - symmetric: -m |i - j| (x-transformers; NeMo if bidirectional), with the slope right_factor m on
//   the right
// - causal: keys on the right have bias 0 (NeMo otherwise)
// - row_shifted: +m j (BLOOM). Under a causal mask the weights are the same, because each row's
//   scores shift by a constant. In a padded batch BLOOM counts j among the keys that are not
//   padding
// - mpt: +m (j - (max_seq_len - 1)) (MPT), row_shifted with bias 0 for the last key of the longest
//   text
// - half_heads: the first half of the heads penalises distance to the left only, the others to the
//   right only; each half has the slopes of H/2 heads (an option that the authors mention for
//   encoders)
// Slopes that are set explicitly are trained. In the paper, training did not improve extrapolation
// to longer texts.

#include <cmath>

#include "encoding_base/parameter_init.h"
#include "encoding_base/registry_entry.h"
#include "phasor/explain.h"
#include "phasor/relative_position.h"
#include "relative_position/relative_positions.h"

namespace phasor::encoding::alibi {
namespace {

enum class Form { symmetric, causal, row_shifted, mpt, half_heads };

class Alibi final : public ScoreEncoding, public ExplainableBias {
 public:
  Alibi(Form form, std::vector<double> slopes, Tensor provided_slopes, double right_factor,
        double origin)
      : form_(form),
        slopes_(std::move(slopes)),
        trained_slopes_{"slopes", std::move(provided_slopes)},
        right_factor_(right_factor),
        origin_(origin) {
    interfaces_.explainable = this;
  }

  std::vector<Parameter*> parameters() override {
    if (trained_slopes_.empty()) return {};
    return {&trained_slopes_};
  }
  Status recompute() override {
    if (!trained_slopes_.empty())
      slopes_.assign(trained_slopes_.value.data.begin(), trained_slopes_.value.data.end());
    return {};
  }

  bool symmetric() const override { return form_ == Form::symmetric && right_factor_ == 1; }
  bool is_toeplitz() const override { return form_ != Form::row_shifted && form_ != Form::mpt; }
  void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const override {
    const double slope = slopes_[static_cast<std::size_t>(head)];
    if (form_ == Form::row_shifted || form_ == Form::mpt) return add_columns(slope, keys, tile);
    const SideFactors factors = side_factors(head);
    const double left = slope * factors.left, right = slope * factors.right;
    add_by_distance(queries, keys, tile, [=](double distance) {
      return distance < 0 ? left * distance : -right * distance;
    });
  }

  void bias_backward(int head, Positions queries, Positions keys, ConstMatrixRef d_tile) override {
    if (trained_slopes_.empty()) return;
    double sum = 0;
    if (form_ == Form::row_shifted || form_ == Form::mpt) {
      for (int r = 0; r < d_tile.rows; ++r) {
        for (int c = 0; c < d_tile.columns; ++c)
          sum += (keys[c] - origin_) * static_cast<double>(d_tile.row(r)[c]);
      }
    } else {
      const SideFactors factors = side_factors(head);
      for_each_distance(queries, keys, d_tile, [&](double distance, double d_bias) {
        sum += (distance < 0 ? factors.left : -factors.right) * distance * d_bias;
      });
    }
    trained_slopes_.gradient().data[static_cast<std::size_t>(head)] += static_cast<float>(sum);
  }

  std::vector<Step> steps(const ContentTile& pair) const override {
    const double slope = slopes_[static_cast<std::size_t>(pair.head)],
                 distance = pair.keys[0] - pair.queries[0];
    if (form_ == Form::row_shifted || form_ == Form::mpt) {
      const double column = pair.keys[0] - origin_;
      return {{"column", column}, {"slope", slope}, {"bias", slope * column}};
    }
    const SideFactors factors = side_factors(pair.head);
    const double side_slope = slope * (distance < 0 ? factors.left : factors.right);
    return {{"slope", side_slope}, {"bias", -side_slope * std::fabs(distance)}};
  }

 private:
  // Multipliers of a head's slope for keys to the left and to the right of the query.
  struct SideFactors {
    double left, right;
  };
  SideFactors side_factors(int head) const {
    if (form_ == Form::half_heads)
      return 2 * head < static_cast<int>(slopes_.size()) ? SideFactors{1, 0} : SideFactors{0, 1};
    return {1, form_ == Form::symmetric ? right_factor_ : 0};
  }

  void add_columns(double slope, Positions keys, MatrixRef tile) const {
    std::vector<float> values(static_cast<std::size_t>(tile.columns));
    for (int c = 0; c < tile.columns; ++c)
      values[static_cast<std::size_t>(c)] = static_cast<float>(slope * (keys[c] - origin_));
    add_to_rows(values, tile);
  }

  Form form_;
  std::vector<double> slopes_;  // per head
  Parameter trained_slopes_;    // (heads), or empty if the caller passed no slopes
  double right_factor_, origin_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const Form form = values.choice<Form>("form");
  const double right_factor = values.real("right_factor");
  if (form != Form::symmetric && right_factor != 1) {
    return invalid(
        "right_factor: {} has no effect; only form \"symmetric\" has a separate slope to the right",
        right_factor);
  }
  const int num_slopes = form == Form::half_heads ? (dims.heads + 1) / 2 : dims.heads;
  const double origin = form == Form::mpt ? values.integer("max_seq_len") - 1 : 0;
  const double bias_max = values.real("bias_max");
  PHASOR_TRY_ASSIGN(std::vector<double> slopes, alibi_slopes(num_slopes, bias_max));
  slopes.reserve(static_cast<std::size_t>(dims.heads));
  for (std::size_t h = 0; static_cast<int>(slopes.size()) < dims.heads; ++h)
    slopes.push_back(slopes[h]);
  Tensor provided_slopes;
  if (const Tensor* tensor = values.tensor("slopes")) {
    if (bias_max != 8) return invalid("bias_max: {} has no effect if slopes are set", bias_max);
    PHASOR_TRY(copy_param("slopes", *tensor, {dims.heads}, "heads", provided_slopes));
    slopes.assign(provided_slopes.data.begin(), provided_slopes.data.end());
  }
  return EncodingResult(std::make_unique<Alibi>(form, std::move(slopes), std::move(provided_slopes),
                                                right_factor, origin));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::choice("form", "symmetric, causal, row_shifted, mpt, half_heads",
                      "Which keys have a penalty: both sides (JinaBERT), left (paper), or one side "
                      "per half of the heads; row_shifted (BLOOM, Falcon) and mpt depend on the "
                      "key position only, but give the same causal attention as the paper"),
    ParamInfo::real("bias_max", 8, 0.125, 64, "",
                    "The smallest slope is 2^-bias_max if the number of heads is a power of 2"),
    ParamInfo::real("right_factor", 1, 0, 1000, "",
                    "Slope to the right of the query, as a multiple of the slope to the left")
        .only_with("form", "symmetric"),
    ParamInfo::integer("max_seq_len", 64, 1, 1048576, "tokens",
                       "Length of the longest text; its last key has no penalty")
        .only_with("form", "mpt"),
    ParamInfo::tensor("slopes", "heads", "Slope of each head; default: the paper's slopes"),
};

}  // namespace

PHASOR_ENCODING(alibi) = {
    .id = "alibi",
    .injection = Alibi::kInjection,
    .relative = true,
    .symmetric = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::alibi
