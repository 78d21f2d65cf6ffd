// Sines and cosines of harmonic frequencies:
//   pe[p, 2k-2] = sin(p' / k),  pe[p, 2k-1] = cos(p' / k),
//   k = 1 .. K,  p' = p + start,  K = dim / 2.
// Tutorials use this table before the sinusoidal one with its geometric frequencies. Its slowest
// sinusoid is only K times slower than the fastest, so long sequences need many channels.

#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::multi_frequency {
namespace {

class MultiFrequency final : public Parameterless<SinusoidalTable> {
 public:
  MultiFrequency(double first_position, int wave_count) : first_position_(first_position) {
    for (int k = 1; k <= wave_count; ++k) frequencies_.push_back(1.0 / k);
  }

  void table(Positions positions, MatrixRef out) const override {
    write_sines(
        frequencies_, SinusoidLayout::interleaved,
        [&](int p) { return positions[p] + first_position_; }, out);
  }

  std::vector<Sinusoid> waves(int dim) const override {
    return list_sinusoids(frequencies_, SinusoidLayout::interleaved, dim);
  }

 private:
  double first_position_;
  std::vector<double> frequencies_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_one_axis("multi_frequency", dims.axes));
  if (dims.dim % 2 != 0) {
    return invalid("dim: {} is odd; expected a sine and a cosine per frequency", dims.dim);
  }
  return EncodingResult(std::make_unique<MultiFrequency>(values.real("start"), dims.dim / 2));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::integer("start", 0, 0, 1, "tokens", "Position of the first token"),
};

}  // namespace

PHASOR_ENCODING(multi_frequency) = {
    .id = "multi_frequency",
    .injection = MultiFrequency::kInjection,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::multi_frequency
