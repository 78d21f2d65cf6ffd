// A trained bias per distance, without buckets: b[i - j + n - 1], a table of 2n - 1 entries for
// sequences of n tokens (Liu et al. 2021, arXiv 2103.14030, in one dimension; Raffel et al. 2019
// without buckets). `placement`: b is added to the scaled scores, S = q.k / sqrt(d) + b, or to q.k
// before scaling, S = (q.k + b) / sqrt(d), as in some lecture notes. A caller's scale then applies
// to b too. T5, ALiBi and Swin use the first. A distance beyond the table is rejected, or clamped
// with `beyond` = clip. Initial values are N(0, init_std^2); Swin uses 0.02.

#include <algorithm>
#include <cmath>
#include <limits>

#include "encoding_base/parameter_init.h"
#include "encoding_base/registry_entry.h"
#include "phasor/explain.h"
#include "relative_position/relative_positions.h"

namespace phasor::encoding::relative_bias {
namespace {

enum class Placement { outside, inside };
enum class OutOfRange { refuse, clip };

double max_difference(Positions from, Positions to) {
  double min_from = std::numeric_limits<double>::infinity(), max_to = -min_from;
  for (const double position : from.values()) min_from = std::min(min_from, position);
  for (const double position : to.values()) max_to = std::max(max_to, position);
  return max_to - min_from;
}

class RelativeBias final : public ScoreEncoding, public ExplainableBias {
 public:
  RelativeBias(Tensor b, OutOfRange out_of_range, double factor)
      : b_{"b", std::move(b)},
        out_of_range_(out_of_range),
        factor_(factor),
        max_distance_((b_.value.shape.back() - 1) / 2) {
    interfaces_.explainable = this;
  }

  std::vector<Parameter*> parameters() override { return {&b_}; }

  Status check_distances(Positions queries, Positions keys) const override {
    if (out_of_range_ == OutOfRange::clip) return {};
    const double distance = std::max(max_difference(queries, keys), max_difference(keys, queries));
    if (distance <= max_distance_) return {};
    return invalid(
        "max_length: {} is too small for tokens at distance {}; expected a larger value, or "
        "beyond: \"clip\"",
        max_distance_ + 1, distance);
  }

  bool is_toeplitz() const override { return true; }
  void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const override {
    const float* b = b_.value.data.data() + head_offset(head);
    add_by_distance(queries, keys, tile, [&](double distance) {
      return factor_ * static_cast<double>(b[index(distance)]);
    });
  }

  void bias_backward(int head, Positions queries, Positions keys, ConstMatrixRef d_tile) override {
    float* d_b = b_.gradient().data.data() + head_offset(head);
    for_each_distance(queries, keys, d_tile, [&](double distance, double sum) {
      d_b[index(distance)] += static_cast<float>(factor_ * sum);
    });
  }

  std::vector<Step> steps(const ContentTile& pair) const override {
    const int row = index(pair.keys[0] - pair.queries[0]);
    const double entry =
        static_cast<double>(b_.value.data[static_cast<std::size_t>(head_offset(pair.head) + row)]);
    return {{"row", static_cast<double>(row)}, {"entry", entry}, {"bias", factor_ * entry}};
  }

 private:
  std::ptrdiff_t head_offset(int head) const {
    return b_.value.rank() == 1 ? 0 : static_cast<std::ptrdiff_t>(head) * b_.value.shape[1];
  }
  // The table index i - j + n - 1 of the distance j - i.
  int index(double distance) const {
    return static_cast<int>(std::lround(std::clamp(-distance, static_cast<double>(-max_distance_),
                                                   static_cast<double>(max_distance_)))) +
           max_distance_;
  }

  Parameter b_;  // (2n - 1) or (heads, 2n - 1)
  OutOfRange out_of_range_;
  double factor_;
  int max_distance_;  // n - 1
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  std::vector<int> shape = {2 * values.integer("max_length") - 1};
  const bool has_head_tables = values.boolean("per_head");
  if (has_head_tables) shape = prepend_dim(dims.heads, shape);
  Tensor b;
  PHASOR_TRY(init_normal_param(values, "b",
                               has_head_tables ? "heads x (2 max_length - 1)" : "2 max_length - 1",
                               shape, values.real("init_std"), 0, b));
  const bool is_before_scaling = values.choice<Placement>("placement") == Placement::inside;
  return EncodingResult(std::make_unique<RelativeBias>(
      std::move(b), values.choice<OutOfRange>("beyond"),
      is_before_scaling ? dims.scale.value_or(1 / std::sqrt(static_cast<double>(dims.dim))) : 1.0));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::integer("max_length", 2048, 1, 65536, "tokens",
                       "Longest text; the table has 2 max_length - 1 entries"),
    ParamInfo::choice("placement", "outside, inside",
                      "Adds the bias to the scaled scores (Swin), or to q.k before scaling"),
    ParamInfo::choice("beyond", "refuse, clip",
                      "Distances beyond the table: an error, or the last entry on the same side"),
    ParamInfo::boolean("per_head", false, "Separate tables per head (Swin)"),
    ParamInfo::tensor("b", "2 max_length - 1, or heads x (2 max_length - 1)",
                      "Trained bias of each distance i - j, at index i - j + max_length - 1"),
    ParamInfo::real("init_std", 1, 0, 100, "", "Standard deviation of random initial values"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(relative_bias) = {
    .id = "relative_bias",
    .injection = RelativeBias::kInjection,
    .learned = true,
    .relative = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::relative_bias
