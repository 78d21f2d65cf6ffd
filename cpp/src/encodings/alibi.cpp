// ALiBi (Press, Smith and Lewis 2022, arXiv 2108.12409): a penalty linear in the distance, added after scaling,
//   b(h, i, j) = -m_h (i - j)   for j <= i.
// The slopes are those of the authors' get_slopes for every number of heads, 2^(-8h/H) for a power of two; `bias_max` is the 8
// (MPT's alibi_bias_max). Without a causal mask the paper says nothing about j > i:
//   symmetric    -m |i - j| (x-transformers; NeMo when bidirectional), on the right perhaps with another slope, right_factor m
//   causal       keys on the right are free (NeMo otherwise)
//   row_shifted  +m j, BLOOM's: the same after the softmax, as rows differ by a constant, but only under a causal mask.
//                In a padded batch BLOOM counts j among the keys that are not padding.
//   mpt          +m (j - (max_seq_len - 1)), MPT's: the same again, shifted so that the last key of the longest text is free
//   half_heads   the first half of the heads penalises distance to the left only, the others to the right only; each half has
//                the slopes of H/2 heads (an option the authors name for encoders)

#include <cmath>

#include "encodings/encoding_type.h"
#include "kernels/distances.h"
#include "phasor/relative.h"

namespace phasor {
namespace {

enum class Form { symmetric, causal, row_shifted, mpt, half_heads };

class Alibi final : public Encoding {
 public:
  Alibi(Form form, std::vector<double> slopes, double right_factor, double origin)
      : form_(form), slopes_(std::move(slopes)), right_factor_(right_factor), origin_(origin) {}

  bool symmetric() const override { return form_ == Form::symmetric && right_factor_ == 1; }

  void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const override {
    const int distinct = static_cast<int>(slopes_.size());
    const double slope = slopes_[static_cast<std::size_t>(head % distinct)];
    if (form_ == Form::row_shifted || form_ == Form::mpt) return add_columns(slope, keys, tile);
    const double left = form_ == Form::half_heads && head >= distinct ? 0 : slope;
    const double right = form_ == Form::symmetric ? slope * right_factor_ : form_ == Form::half_heads ? slope - left : 0;
    kernels::add_by_distance(queries, keys, tile, [=](double distance) { return distance < 0 ? left * distance : -right * distance; });
  }

 private:
  void add_columns(double slope, Positions keys, MatrixRef tile) const {
    for (int c = 0; c < tile.columns; ++c) {
      const float bias = static_cast<float>(slope * (keys[c] - origin_));
      for (int r = 0; r < tile.rows; ++r) tile.row(r)[c] += bias;
    }
  }

  Form form_;
  std::vector<double> slopes_;  // of each head; of each half for half_heads
  double right_factor_, origin_;
};

Status create(const Values& values, const Geometry& geometry, std::unique_ptr<Encoding>& out) {
  const Form form = values.choice<Form>("form");
  const double right_factor = values.real("right_factor");
  if (form != Form::symmetric && right_factor != 1) {
    return Status::invalid("right_factor: " + to_words(right_factor) +
                           " is given, but only the form symmetric has a slope of its own on the right");
  }
  const int distinct = form == Form::half_heads ? (geometry.heads + 1) / 2 : geometry.heads;
  const double origin = form == Form::mpt ? values.integer("max_seq_len") - 1 : 0;
  out = std::make_unique<Alibi>(form, alibi_slopes(distinct, values.real("bias_max")), right_factor, origin);
  return {};
}

}  // namespace
}  // namespace phasor

PHASOR_ENCODING(alibi) {
  using phasor::ParamSpec;
  static const phasor::EncodingType type{
      .id = "alibi",
      .injection = phasor::Injection::score,
      .relative = true,
      .symmetric = true,
      .prefix_stable = true,
      .params =
          {ParamSpec::choice(
               "form", {"symmetric", "causal", "row_shifted", "mpt", "half_heads"},
               "Penalty on both sides, on the left only, growing with the key's position (BLOOM, MPT), or one side per half of the heads"),
           ParamSpec::real("bias_max", 8, 0.125, 64, "", "The smallest slope of a power of two of heads is 2 to the minus this"),
           ParamSpec::real("right_factor", 1, 0, 1000, "",
                           "Slope on the right of the query, as a multiple of the slope on the left (symmetric)")
               .only_with("form", {"symmetric"}),
           ParamSpec::integer("max_seq_len", 64, 1, 1048576, "tokens", "Length of the longest text, whose last key is free in the form mpt")
               .only_with("form", {"mpt"})},
      .create = phasor::create,
  };
  return type;
}
