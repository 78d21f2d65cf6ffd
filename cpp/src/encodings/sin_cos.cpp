// The position as a point on a circle: pe[p] = (sin(p + start), cos(p + start)). The point never
// repeats exactly, but 44 tokens are 7 rotations to within 0.02 rad. The table has 2 channels at
// any embed_dim; they are concatenated, or added to the first two channels.

#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::sin_cos {
namespace {

class SinCos final : public Parameterless<SinusoidalTable> {
 public:
  explicit SinCos(double first_position) : first_position_(first_position) {}

  int table_dim(int) const override { return 2; }

  void table(Positions positions, MatrixRef out) const override {
    constexpr double kFrequencies[] = {1.0};
    const auto shifted_position = [&](int p) { return positions[p] + first_position_; };
    write_sines(kFrequencies, SinusoidLayout::interleaved, shifted_position, out);
  }

  std::vector<Sinusoid> waves(int) const override {
    return {{.sine = 0, .cosine = 1, .frequency = 1}};
  }

 private:
  double first_position_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_one_axis("sin_cos", dims.axes));
  return EncodingResult(std::make_unique<SinCos>(values.real("start")));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::integer("start", 0, 0, 1, "tokens", "Position of the first token"),
};

}  // namespace

PHASOR_ENCODING(sin_cos) = {
    .id = "sin_cos",
    .injection = SinCos::kInjection,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::sin_cos
