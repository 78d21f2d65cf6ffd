// Sinusoidal absolute positions (Vaswani et al. 2017, arXiv 1706.03762, section 3.5), added to the embeddings:
//   pe[p, 2t] = sin(p w_t),  pe[p, 2t+1] = cos(p w_t),  w_t = base^(-2t/d)
// `concatenated` keeps the same frequencies but sets all sines before all cosines (RoFormer, GPT-NeoX, Transformer-XL).
// For an odd width the last cosine has no place; whether the exponent then uses d (the formula) or d+1 (tatp22's
// multidim-positional-encoding) differs between codebases, so it has a name.

#include <cmath>

#include "encodings/encoding_type.h"
#include "math/frequency.h"

namespace phasor {
namespace {

enum class Layout { interleaved, concatenated };
enum class OddWidth { formula, rounded_up };

class Sinusoidal final : public Encoding {
 public:
  Sinusoidal(Layout layout, std::vector<double> frequencies) : layout_(layout), frequencies_(std::move(frequencies)) {}

  void table(Positions positions, MatrixRef out) const override {
    const int sines = static_cast<int>(frequencies_.size());
    for (int p = 0; p < out.rows; ++p) {
      float* row = out.row(p);
      for (int t = 0; t < sines; ++t) {
        // The angle is formed in double: in float32 it would be wrong by about 6e-8 of itself.
        const double angle = positions[p] * frequencies_[static_cast<std::size_t>(t)];
        const int sine = layout_ == Layout::interleaved ? 2 * t : t;
        const int cosine = layout_ == Layout::interleaved ? 2 * t + 1 : sines + t;
        row[sine] = static_cast<float>(std::sin(angle));
        if (cosine < out.columns) row[cosine] = static_cast<float>(std::cos(angle));
      }
    }
  }

 private:
  Layout layout_;
  std::vector<double> frequencies_;
};

Status create(const Values& values, const Geometry& geometry, std::unique_ptr<Encoding>& out) {
  const int sines = (geometry.width + 1) / 2;
  const bool rounded_up = values.choice<OddWidth>("odd_width") == OddWidth::rounded_up;
  const double exponent_width = rounded_up ? 2.0 * sines : geometry.width;
  out = std::make_unique<Sinusoidal>(values.choice<Layout>("layout"), inverse_frequencies(sines, exponent_width, values.real("base")));
  return {};
}

}  // namespace
}  // namespace phasor

PHASOR_ENCODING(sinusoidal) {
  using phasor::ParamSpec;
  static const phasor::EncodingType type{
      .id = "sinusoidal",
      .injection = phasor::Injection::input,
      .prefix_stable = true,
      .params = {ParamSpec::log_real("base", 10000, 1.001, 1e9, "", "How slow the slowest wave is: its frequency is near 1 / base"),
                 ParamSpec::choice("layout", {"interleaved", "concatenated"}, "Sine and cosine alternate, or all sines come first"),
                 ParamSpec::choice("odd_width", {"formula", "rounded_up"},
                                   "For an odd width, the exponent divides by the width itself or by the next even number")},
      .create = phasor::create,
  };
  return type;
}
