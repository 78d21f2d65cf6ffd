// ALiBi (Press, Smith and Lewis 2022, arXiv 2108.12409): a penalty linear in the distance, added after scaling,
//   b(h, i, j) = -m_h (i - j)   for j <= i.
// The slopes m_h are those of the authors' get_slopes for every number of heads: for a power of two H, m_h = 2^(-8h/H);
// otherwise the slopes of the next lower power of two, then every second slope of twice that number.
// Without a causal mask the paper says nothing about j > i. `symmetric` uses |i - j| and so cannot tell left from right;
// `causal` leaves keys on the right without penalty; `row_shifted` is the form of BLOOM and MPT, +m_h j, which is the same
// after the softmax because it differs by a constant in each row, but only where a causal mask hides the right side.

#include <bit>
#include <cmath>

#include "encodings/encoding_type.h"

namespace phasor {
namespace {

enum class Form { symmetric, causal, row_shifted };

std::vector<double> slopes(int heads) {
  const int lower = static_cast<int>(std::bit_floor(static_cast<unsigned>(heads)));
  std::vector<double> m;
  for (int h = 1; h <= lower; ++h) m.push_back(std::exp2(-8.0 * h / lower));
  for (int h = 1; static_cast<int>(m.size()) < heads; h += 2) m.push_back(std::exp2(-8.0 * h / (2 * lower)));
  return m;
}

class Alibi final : public Encoding {
 public:
  Alibi(Form form, std::vector<double> slopes) : form_(form), slopes_(std::move(slopes)) {}

  void add_bias(int head, Positions queries, Positions keys, MatrixRef tile) const override {
    const double slope = slopes_[static_cast<std::size_t>(head)];
    for (int r = 0; r < tile.rows; ++r) {
      const double i = queries[r];
      float* row = tile.row(r);
      for (int c = 0; c < tile.columns; ++c) {
        const double j = keys[c];
        row[c] += static_cast<float>(slope * steps(i, j));
      }
    }
  }

 private:
  // What the slope is multiplied with: minus the distance, in one of its forms.
  double steps(double i, double j) const {
    switch (form_) {
      case Form::symmetric: return -std::fabs(i - j);
      case Form::causal: return j <= i ? j - i : 0.0;
      case Form::row_shifted: return j;
    }
    return 0.0;
  }

  Form form_;
  std::vector<double> slopes_;
};

Status create(const Values& values, const Geometry& geometry, std::unique_ptr<Encoding>& out) {
  out = std::make_unique<Alibi>(values.choice<Form>("form"), slopes(geometry.heads));
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
      .prefix_stable = true,
      .params = {ParamSpec::choice("form", {"symmetric", "causal", "row_shifted"},
                                   "Penalty on both sides, on the left only, or growing with the key's position (BLOOM, MPT)")},
      .create = phasor::create,
  };
  return type;
}
