// FIRE (Li et al. 2024, arXiv 2310.04418): a small network applied to the distance relative to the
// query's position,
//   b(h, i, j) = MLP_h(phi(i - j) / (phi(max(i, L)) + eps)),
//   phi(x) = ln(|c x| + 1),
//   L = |l_multiplier init_l|,
//   MLP_h(x) = w2[h] . relu(w1 x + b1) + b2[h],
// where w1, b1, w2, b2, c and l_multiplier are trained. Division by phi(i) keeps the network input
// in [0, 1] at any length, but makes the bias depend on i as well as on i - j. The paper is causal;
// here a key on the right has the distance |i - j|, as in mcleish7/arithmetic. The paper counts i
// from 1, mcleish7/arithmetic from 0; here i is the position in the call. Initial values are
// U(-1/sqrt(n), 1/sqrt(n)) for n inputs (PyTorch's Linear), init_c for c and 1 for l_multiplier.

#include <algorithm>
#include <cmath>
#include <utility>

#include "encoding_base/parameter_init.h"
#include "encoding_base/registry_entry.h"
#include "math/scalar_math.h"
#include "phasor/explain.h"
#include "relative_position/relative_positions.h"

namespace phasor::encoding::fire {
namespace {

struct Network {
  Parameter w1{"w1"}, b1{"b1"}, w2{"w2"}, b2{"b2"};  // (units, 1), (units), (heads, units), (heads)
  Parameter c{"c"}, l_multiplier{"l_multiplier"};    // (1)
};

class Fire final : public ScoreEncoding, public ExplainableBias {
 public:
  Fire(Network network, double init_l, double eps)
      : network_(std::move(network)), init_l_(init_l), eps_(eps) {
    interfaces_.explainable = this;
  }

  std::vector<Parameter*> parameters() override {
    return {&network_.w1, &network_.b1, &network_.w2,
            &network_.b2, &network_.c,  &network_.l_multiplier};
  }

  void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const override {
    const RelativePositions distances(queries, keys);
    std::vector<double> distance_phi(static_cast<std::size_t>(distances.count()));
    for (int n = 0; n < distances.count(); ++n)
      distance_phi[static_cast<std::size_t>(n)] = phi(distances.get_difference(n));
    // Queries at positions up to L have the same normaliser, so the network runs once per distance.
    bool has_shared_normaliser = true;
    for (int r = 0; r < tile.rows; ++r)
      has_shared_normaliser = has_shared_normaliser && queries[r] <= threshold();
    if (has_shared_normaliser) {
      std::vector<float> values(distance_phi.size());
      for (std::size_t n = 0; n < values.size(); ++n)
        values[n] =
            static_cast<float>(network_output(head, distance_phi[n] / normaliser(threshold())));
      return distances.add(values, tile);
    }
    for (int r = 0; r < tile.rows; ++r) {
      const double row_normaliser = normaliser(queries[r]);
      const double* from = distance_phi.data() + distances.index(r, 0);
      for (int j = 0; j < tile.columns; ++j)
        tile.row(r)[j] += static_cast<float>(network_output(head, from[j] / row_normaliser));
    }
  }

  void bias_backward(int head, Positions queries, Positions keys, ConstMatrixRef d_tile) override {
    // Accumulates in double, because float32 would lose small addends over long sequences.
    const std::size_t count = static_cast<std::size_t>(units());
    std::vector<double> d_w1(count), d_b1(count), d_w2(count);
    double d_b2 = 0, d_c = 0, d_l = 0;
    const double c = value(network_.c, 0), l = value(network_.l_multiplier, 0);
    const RelativePositions distances(queries, keys);
    std::vector<double> grads(static_cast<std::size_t>(distances.count()));
    for (int r = 0, end = 0; r < d_tile.rows; r = end) {
      // Queries at positions up to L have the same normaliser, so their gradients are summed per
      // distance.
      const bool is_below_threshold = queries[r] <= threshold();
      int begin_index = distances.index(r, 0), end_index = begin_index;
      for (end = r;
           end == r || (is_below_threshold && end < d_tile.rows && queries[end] <= threshold());
           ++end) {
        const int row_begin = distances.index(end, 0);
        begin_index = std::min(begin_index, row_begin);
        end_index = std::max(end_index, row_begin + d_tile.columns);
        for (int j = 0; j < d_tile.columns; ++j)
          grads[static_cast<std::size_t>(row_begin + j)] += static_cast<double>(d_tile.row(end)[j]);
      }
      const double i = std::max(queries[r], threshold()), row_normaliser = normaliser(i);
      for (int n = begin_index; n < end_index; ++n) {
        const double distance = std::fabs(distances.get_difference(n)),
                     x = phi(distance) / row_normaliser,
                     grad = std::exchange(grads[static_cast<std::size_t>(n)], 0.0);
        double d_x = 0;
        for (int u = 0; u < units(); ++u) {
          const double pre_activation = unit_input(u, x), w2 = w2_value(head, u);
          if (pre_activation > 0) {
            const std::size_t index = static_cast<std::size_t>(u);
            d_w2[index] += grad * pre_activation;
            d_w1[index] += grad * w2 * x;
            d_b1[index] += grad * w2;
            d_x += grad * w2 * value(network_.w1, u);
          }
        }
        d_b2 += grad;
        const double d_normaliser = -d_x * x / row_normaliser;
        d_c += std::copysign(1.0, c) *
               (d_x / row_normaliser * distance / (std::fabs(c) * distance + 1) +
                d_normaliser * std::fabs(i) / (std::fabs(c * i) + 1));
        if (is_below_threshold)
          d_l += d_normaliser * std::fabs(c) / (std::fabs(c * i) + 1) * init_l_ *
                 std::copysign(1.0, l);
      }
    }
    add(d_w1, network_.w1.gradient().data.data());
    add(d_b1, network_.b1.gradient().data.data());
    add(d_w2, matrix(network_.w2.gradient()).row(head));
    add({&d_b2, 1}, &network_.b2.gradient().data[static_cast<std::size_t>(head)]);
    add({&d_c, 1}, network_.c.gradient().data.data());
    add({&d_l, 1}, network_.l_multiplier.gradient().data.data());
  }

  std::vector<Step> steps(const ContentTile& pair) const override {
    const double i = pair.queries[0], distance_phi = phi(pair.keys[0] - i),
                 row_normaliser = normaliser(i), input = distance_phi / row_normaliser;
    return {{"phi of distance", distance_phi},
            {"phi of position", row_normaliser},
            {"input", input},
            {"bias", network_output(pair.head, input)}};
  }

 private:
  static void add(std::span<const double> sums, float* to) {
    for (const double sum : sums) *to++ += static_cast<float>(sum);
  }

  static double value(const Parameter& p, int index) {
    return static_cast<double>(p.value.data[static_cast<std::size_t>(index)]);
  }
  int units() const { return network_.w1.value.shape[0]; }
  double w2_value(int head, int unit) const {
    return static_cast<double>(matrix(network_.w2.value).row(head)[unit]);
  }
  double threshold() const { return std::fabs(value(network_.l_multiplier, 0) * init_l_); }
  double phi(double x) const { return logarithm_1p(std::fabs(value(network_.c, 0) * x)); }
  double normaliser(double i) const { return phi(std::max(i, threshold())) + eps_; }
  double unit_input(int unit, double x) const {
    return value(network_.w1, unit) * x + value(network_.b1, unit);
  }
  double network_output(int head, double x) const {
    double sum = value(network_.b2, head);
    for (int u = 0; u < units(); ++u) sum += w2_value(head, u) * std::max(unit_input(u, x), 0.0);
    return sum;
  }

  Network network_;
  double init_l_, eps_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const int units = values.integer("mlp_width");
  const double init_bound = 1 / std::sqrt(static_cast<double>(units)),
               init_c = values.real("init_c");
  Network network;
  PHASOR_TRY(
      init_uniform_param(values, "w1", "mlp_width x 1", {units, 1}, -1, 1, 0, network.w1.value));
  PHASOR_TRY(init_uniform_param(values, "b1", "mlp_width", {units}, -1, 1, 1, network.b1.value));
  PHASOR_TRY(init_uniform_param(values, "w2", "heads x mlp_width", {dims.heads, units}, -init_bound,
                                init_bound, 2, network.w2.value));
  PHASOR_TRY(init_uniform_param(values, "b2", "heads", {dims.heads}, -init_bound, init_bound, 3,
                                network.b2.value));
  PHASOR_TRY(
      init_uniform_param(values, "c", "a single number", {1}, init_c, init_c, 4, network.c.value));
  PHASOR_TRY(init_uniform_param(values, "l_multiplier", "a single number", {1}, 1, 1, 5,
                                network.l_multiplier.value));
  return EncodingResult(
      std::make_unique<Fire>(std::move(network), values.real("init_l"), values.real("eps")));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::log_real(
        "init_c", 0.1, 1e-4, 1000, "per token",
        "Initial value of the trained c; a larger c compresses large distances more"),
    ParamInfo::log_real(
        "init_l", 512, 1, 1e6, "tokens",
        "Initial value of the trained L; queries up to position L share one normaliser"),
    ParamInfo::log_real("eps", 1e-6, 1e-12, 1, "", "Small constant added to the normaliser"),
    ParamInfo::integer("mlp_width", 32, 1, 1024, "units", "Hidden units of the network"),
    ParamInfo::tensor("w1", "mlp_width x 1", "Trained weights of the first layer"),
    ParamInfo::tensor("b1", "mlp_width", "Trained biases of the first layer"),
    ParamInfo::tensor("w2", "heads x mlp_width", "Trained weights of the second layer"),
    ParamInfo::tensor("b2", "heads", "Trained biases of the second layer"),
    ParamInfo::tensor("c", "1", "Trained c of phi, which compresses distances"),
    ParamInfo::tensor("l_multiplier", "1", "Trained multiplier of init_l"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(fire) = {
    .id = "fire",
    .injection = Fire::kInjection,
    .learned = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::fire
