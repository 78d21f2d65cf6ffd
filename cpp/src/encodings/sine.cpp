// One sine of the position, in every channel: pe[p, c] = sin(p + start). Values are bounded, but
// nearly repeat after 6, 44 and 710 tokens, and each occurs twice per period.

#include <algorithm>
#include <cmath>

#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"
#include "math/scalar_math.h"

namespace phasor::encoding::sine {
namespace {

class Sine final : public Parameterless<SinusoidalTable> {
 public:
  explicit Sine(double start) : first_position_(start) {}

  void table(Positions positions, MatrixRef out) const override {
    for (int p = 0; p < out.rows; ++p)
      std::fill_n(out.row(p), out.columns,
                  static_cast<float>(sincos(positions[p] + first_position_).sine));
  }

  std::vector<Sinusoid> waves(int dim) const override {
    std::vector<Sinusoid> out(static_cast<std::size_t>(dim));
    for (int c = 0; c < dim; ++c) out[static_cast<std::size_t>(c)] = {.sine = c, .frequency = 1};
    return out;
  }

 private:
  double first_position_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_one_axis("sine", dims.axes));
  return EncodingResult(std::make_unique<Sine>(values.real("start")));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::integer("start", 0, 0, 1, "tokens", "Position of the first token"),
};

}  // namespace

PHASOR_ENCODING(sine) = {
    .id = "sine",
    .injection = Sine::kInjection,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::sine
