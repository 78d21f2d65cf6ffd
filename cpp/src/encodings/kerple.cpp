// KERPLE (Chi, Fan, Ramadge and Rudnicky 2022, arXiv 2205.09921): biases from conditionally
// positive definite kernels of the distance D = |i - j|, with learned parameters per head,
//   log             S_ij = s_ij - r1 ln(1 + r2 D)
//   power           S_ij = s_ij - r1 D^r2
//   weighted_power  S_ij = s_ij exp(-wei_a D^wei_p) - r1 D^r2
// where s_ij is the scaled q.k.
// Parameters are clamped to at least 0.01 and exponents to at most 2, as in the authors' code
// (chijames/KERPLE). Gradients are evaluated at the clamped values. Initial values are r1 ~ U(0,
// 2), r2 ~ U(0, 1) for log and r1 ~ U(0, 1), r2 ~ U(0, 2) for power (bias_a and bias_p in the
// code), wei_a ~ U(0, 1), wei_p ~ U(0, 2). ALiBi is power with r2 = 1. The code is causal and gives
// keys on the right the distance 0 (`right` = zero), which a causal mask hides. The weighted form
// needs scores, so attention_bias() returns only the subtracted term. NeMo calls another formula
// KERPLE.

#include <algorithm>
#include <cmath>

#include "encoding_base/parameter_init.h"
#include "encoding_base/registry_entry.h"
#include "kernels/gemm.h"
#include "kernels/vector_ops.h"
#include "math/scalar_math.h"
#include "phasor/explain.h"
#include "relative_position/relative_positions.h"

namespace phasor::encoding::kerple {
namespace {

using kernels::gemm;
using kernels::matrix_bytes;
using kernels::packed_matrix_bytes;
using kernels::Transpose;

enum class Form { log, power, weighted_power };
enum class RightKeys { distance, zero };

struct LearnedParameters {
  Parameter r1{"r1"}, r2{"r2"}, wei_a{"wei_a"}, wei_p{"wei_p"};  // (heads)
};

double clamped_value(const Parameter& p, int head, double maximum = HUGE_VAL) {
  return std::clamp(static_cast<double>(p.value.data[static_cast<std::size_t>(head)]), 0.01,
                    maximum);
}
double distance_power(double distance, double p) { return distance > 0 ? power(distance, p) : 0.0; }
double distance_power_derivative(double distance, double p) {
  return distance > 0 ? power(distance, p) * std::log(distance) : 0.0;
}

class Kerple final : public ScoreEncoding, public ContentBias, public ExplainableBias {
 public:
  Kerple(Form form, RightKeys right_keys, LearnedParameters params)
      : form_(form), right_keys_(right_keys), params_(std::move(params)) {
    interfaces_.explainable = this;
    if (form == Form::weighted_power) interfaces_.content_bias = this;
  }

  bool symmetric() const override { return right_keys_ == RightKeys::distance; }

  std::vector<Parameter*> parameters() override {
    if (form_ == Form::weighted_power)
      return {&params_.r1, &params_.r2, &params_.wei_a, &params_.wei_p};
    return {&params_.r1, &params_.r2};
  }

  // Includes one weight per distance, and for the backward pass a tile, its transpose, and packed
  // keys or queries.
  double working_bytes(const TileSizes& tile) const override {
    if (form_ != Form::weighted_power) return 0;
    return sizeof(double) * static_cast<double>(tile.distances) +
           2 * matrix_bytes(tile.queries, tile.keys) +
           packed_matrix_bytes(tile.queries + tile.keys, tile.head_dim);
  }

  bool is_toeplitz() const override { return true; }
  void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const override {
    const double r1 = clamped_value(params_.r1, head),
                 r2 = clamped_value(params_.r2, head, form_ == Form::log ? HUGE_VAL : 2.0);
    add_by_distance(queries, keys, tile, [&](double signed_distance) {
      const double d = distance(signed_distance);
      return form_ == Form::log ? -r1 * logarithm_1p(r2 * d) : -r1 * distance_power(d, r2);
    });
  }

  void bias_backward(int head, Positions queries, Positions keys, ConstMatrixRef d_tile) override {
    const double r1 = clamped_value(params_.r1, head),
                 r2 = clamped_value(params_.r2, head, form_ == Form::log ? HUGE_VAL : 2.0);
    double d_r1 = 0, d_r2 = 0;
    for_each_distance(queries, keys, d_tile, [&](double signed_distance, double sum) {
      const double d = distance(signed_distance);
      d_r1 -= sum * (form_ == Form::log ? logarithm_1p(r2 * d) : distance_power(d, r2));
      d_r2 -= sum * r1 * (form_ == Form::log ? d / (1 + r2 * d) : distance_power_derivative(d, r2));
    });
    add(params_.r1, head, d_r1);
    add(params_.r2, head, d_r2);
  }

  void add_content(const ContentTile& tile, MatrixRef scores) const override {
    const RelativePositions distances(tile.queries, tile.keys);
    const std::vector<double> w = compute_weights(tile.head, distances);
    for (int r = 0; r < scores.rows; ++r) {
      const double* from = w.data() + distances.index(r, 0);
      for (int c = 0; c < scores.columns; ++c)
        scores.row(r)[c] = static_cast<float>(static_cast<double>(scores.row(r)[c]) * from[c]);
    }
  }

  void content_backward(const ContentTile& tile, ConstMatrixRef scores, ConstMatrixRef d_scores,
                        MatrixRef d_q, MatrixRef d_k) override {
    const RelativePositions distances(tile.queries, tile.keys);
    const std::vector<double> w = compute_weights(tile.head, distances);
    const double a = clamped_value(params_.wei_a, tile.head),
                 p = clamped_value(params_.wei_p, tile.head, 2.0);
    double d_a = 0, d_p = 0;
    Tensor d_products({scores.rows, scores.columns});
    for (int r = 0; r < scores.rows; ++r) {
      for (int c = 0; c < scores.columns; ++c) {
        const int n = distances.index(r, c);
        const double weight = w[static_cast<std::size_t>(n)],
                     d = distance(distances.get_difference(n));
        const double grad = static_cast<double>(d_scores.row(r)[c]),
                     d_log_weight = grad * static_cast<double>(scores.row(r)[c]) * weight;
        d_a -= d_log_weight * distance_power(d, p);
        d_p -= d_log_weight * a * distance_power_derivative(d, p);
        // The weighted form adds (weight - 1) scale q.k to the score.
        matrix(d_products).row(r)[c] =
            static_cast<float>(grad * (weight - 1) * static_cast<double>(tile.scale));
      }
    }
    gemm(Transpose::no, Transpose::no, 1, matrix(std::as_const(d_products)), tile.k, 1, d_q);
    gemm(Transpose::yes, Transpose::no, 1, matrix(std::as_const(d_products)), tile.q, 1, d_k);
    add(params_.wei_a, tile.head, d_a);
    add(params_.wei_p, tile.head, d_p);
  }

  std::vector<Step> steps(const ContentTile& pair) const override {
    const double r1 = clamped_value(params_.r1, pair.head),
                 r2 = clamped_value(params_.r2, pair.head, form_ == Form::log ? HUGE_VAL : 2.0),
                 d = distance(pair.keys[0] - pair.queries[0]);
    double bias = form_ == Form::log ? -r1 * logarithm_1p(r2 * d) : -r1 * distance_power(d, r2);
    std::vector<Step> out = {
        {"r1", r1}, {"r2", r2}, {form_ == Form::log ? "logarithm" : "power", bias / -r1}};
    if (form_ == Form::weighted_power) {
      const double weight =
          exponential(-clamped_value(params_.wei_a, pair.head) *
                      distance_power(d, clamped_value(params_.wei_p, pair.head, 2.0)));
      const double product = kernels::dot_in_double(pair.q.row(0), pair.k.row(0), pair.q.columns);
      out.insert(out.end(), {{"penalty", bias}, {"weight", weight}});
      bias += (weight - 1) * static_cast<double>(pair.scale) * product;
    }
    out.push_back({"bias", bias});
    return out;
  }

 private:
  static void add(Parameter& parameter, int head, double value) {
    parameter.gradient().data[static_cast<std::size_t>(head)] += static_cast<float>(value);
  }
  double distance(double signed_distance) const {
    return right_keys_ == RightKeys::zero ? std::max(-signed_distance, 0.0)
                                          : std::fabs(signed_distance);
  }
  std::vector<double> compute_weights(int head, const RelativePositions& distances) const {
    const double a = clamped_value(params_.wei_a, head),
                 p = clamped_value(params_.wei_p, head, 2.0);
    std::vector<double> w(static_cast<std::size_t>(distances.count()));
    for (int n = 0; n < distances.count(); ++n) {
      w[static_cast<std::size_t>(n)] =
          exponential(-a * distance_power(distance(distances.get_difference(n)), p));
    }
    return w;
  }

  Form form_;
  RightKeys right_keys_;
  LearnedParameters params_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const Form form = values.choice<Form>("form");
  const bool is_log = form == Form::log;
  LearnedParameters params;
  PHASOR_TRY(init_uniform_param(values, "r1", "heads", {dims.heads}, 0, is_log ? 2 : 1, 0,
                                params.r1.value));
  PHASOR_TRY(init_uniform_param(values, "r2", "heads", {dims.heads}, 0, is_log ? 1 : 2, 1,
                                params.r2.value));
  for (const char* name : {"wei_a", "wei_p"}) {
    if (values.tensor(name) != nullptr && form != Form::weighted_power) {
      return invalid("{}: has no effect; only form \"weighted_power\" multiplies the scores", name);
    }
  }
  PHASOR_TRY(
      init_uniform_param(values, "wei_a", "heads", {dims.heads}, 0, 1, 2, params.wei_a.value));
  PHASOR_TRY(
      init_uniform_param(values, "wei_p", "heads", {dims.heads}, 0, 2, 3, params.wei_p.value));
  return EncodingResult(
      std::make_unique<Kerple>(form, values.choice<RightKeys>("right"), std::move(params)));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::choice(
        "form", "log, power, weighted_power",
        "Penalty: the logarithm of the distance (best in the paper), a power of it, or a "
        "power together with weighted scores"),
    ParamInfo::choice("right", "distance, zero",
                      "Keys to the right of the query are penalised by distance, or not at all "
                      "(the authors' code)"),
    ParamInfo::tensor("r1", "heads", "Trained scale of the penalty"),
    ParamInfo::tensor("r2", "heads", "Trained scale of the distance (log) or exponent (power)"),
    ParamInfo::tensor("wei_a", "heads",
                      "Trained a in exp(-a D^p), the multiplier of scores at distance D")
        .only_with("form", "weighted_power"),
    ParamInfo::tensor("wei_p", "heads",
                      "Trained p in exp(-a D^p), the multiplier of scores at distance D")
        .only_with("form", "weighted_power"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(kerple) = {
    .id = "kerple",
    .injection = Kerple::kInjection,
    .learned = true,
    .relative = true,
    .symmetric = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::kerple
