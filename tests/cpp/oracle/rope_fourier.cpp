// FoPE, Hua et al. 2024, arXiv 2412.17739: cosine and sine of a pair are mixtures of those of all
// frequencies with a full period in floor_length.

#include <cmath>

#include "oracle.h"

namespace phasor::test {
namespace {

class RopeFourier : public Oracle {
 public:
  explicit RopeFourier(const Settings& s)
      : base_(s.number("base")),
        floor_length_(s.number("floor_length")),
        sine_one_(s.word("rest") == "sine_one"),
        sine_(s.parameter("sin_weight")),
        cosine_(s.parameter("cos_weight")) {}

  Vector rotate(Role, int head, std::span<const double> position, const Vector& x) const override {
    const std::size_t half = x.size() / 2, pairs = static_cast<std::size_t>(sine_.shape[2]);
    Vector out = x;
    for (std::size_t m = 0; m < half; ++m) {
      double cosine = m < pairs ? 0 : 1, sine = m < pairs || !sine_one_ ? 0 : 1;
      for (int w = 0; w < sine_.shape[1] && m < pairs; ++w) {
        const double angle = position[0] * frequency(w, x.size());
        cosine += row_of(cosine_, w, head)[m] * std::cos(angle);
        sine += row_of(sine_, w, head)[m] * std::sin(angle);
      }
      out[m] = x[m] * cosine - x[m + half] * sine;
      out[m + half] = x[m] * sine + x[m + half] * cosine;
    }
    return out;
  }

 private:
  // The kept frequency with index w, the fastest first.
  double frequency(int w, std::size_t dim) const {
    int frequency_index = -1;
    for (int t = 0;; ++t) {
      const double f = std::pow(base_, -2.0 * t / static_cast<double>(dim));
      if (floor_length_ > 0 && f < 2 * std::acos(-1.0) / floor_length_) continue;
      if (++frequency_index == w) return f;
    }
  }

  double base_, floor_length_;
  bool sine_one_;
  const Tensor &sine_, &cosine_;  // (heads, kept, pairs)
};

}  // namespace

PHASOR_ORACLE(rope_fourier, RopeFourier);

}  // namespace phasor::test
