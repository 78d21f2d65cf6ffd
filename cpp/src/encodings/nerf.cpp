// The log-linear Fourier map of NeRF (Mildenhall et al. 2020, arXiv 2003.08934, equation 4):
//   g(x) = (sin(2^0 pi x), cos(2^0 pi x), .., sin(2^(L-1) pi x), cos(2^(L-1) pi x)),
//   x = position / extent in [-1, 1],
// applied to each coordinate. The channels are as in the authors' Embedder: [x | sin(f_0 x) |
// cos(f_0 x) | sin(f_1 x) ..], with one channel per coordinate in every block. Paper and code
// differ in two ways: the code has no pi (`factor_pi`), and prepends x itself (`include_input`).
// Without log sampling the f_k are evenly spaced from 1 to 2^(L-1). The paper's x is already within
// [-1, 1]. For token positions every sine would be 0 at extent 1. The default extent is 1024, at
// which the fastest of 10 levels has a period of 4 tokens. Use 1 for coordinates.

#include <cmath>
#include <numbers>

#include "encoding_base/registry_entry.h"
#include "math/scalar_math.h"

namespace phasor::encoding::nerf {
namespace {

enum class Sampling { log, linear };

class Nerf final : public Parameterless<SinusoidalTable> {
 public:
  Nerf(std::vector<double> frequencies, const ResolvedParams& values, int axes)
      : frequencies_(std::move(frequencies)),
        axes_(axes),
        extent_(values.real("extent")),
        include_input_(values.boolean("include_input")),
        factor_pi_(values.boolean("factor_pi")) {}

  int table_dim(int) const override {
    return axes_ * (2 * static_cast<int>(frequencies_.size()) + (include_input_ ? 1 : 0));
  }

  void table(Positions positions, MatrixRef out) const override {
    for (int t = 0; t < out.rows; ++t) {
      for (int axis = 0; axis < axes_; ++axis) {
        const double x = positions.at(t, axis) / extent_;
        float* channels = out.row(t) + axis;
        if (include_input_) {
          *channels = static_cast<float>(x);
          channels += axes_;
        }
        for (const double frequency : frequencies_) {
          const SinCos point = sincos(angle(frequency * x));
          *channels = static_cast<float>(point.sine);
          *(channels + axes_) = static_cast<float>(point.cosine);
          channels += 2 * axes_;
        }
      }
    }
  }

  std::vector<Sinusoid> waves(int) const override {
    const int first = include_input_ ? 1 : 0;
    std::vector<Sinusoid> out(frequencies_.size());
    for (int k = 0; k < static_cast<int>(out.size()); ++k) {
      const auto level = static_cast<std::size_t>(k);
      out[level] = {first + 2 * k, first + 2 * k + 1,
                    (factor_pi_ ? std::numbers::pi : 1.0) * frequencies_[level] / extent_};
    }
    return out;
  }

 private:
  // Subtracts whole rotations before multiplying by pi, because 2^k x is exact and 2^k pi x is not.
  double angle(double x) const {
    return factor_pi_ ? std::numbers::pi * (x - 2 * std::nearbyint(x / 2)) : x;
  }

  std::vector<double> frequencies_;
  int axes_;
  double extent_;
  bool include_input_, factor_pi_;
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const int levels = values.integer("levels");
  const double max_frequency = power(2, levels - 1);
  std::vector<double> frequencies;
  for (int k = 0; k < levels; ++k) {
    const bool is_linear = values.choice<Sampling>("sampling") == Sampling::linear;
    frequencies.push_back(is_linear ? 1 + (levels > 1 ? (max_frequency - 1) * k / (levels - 1) : 0)
                                    : power(2, k));
  }
  return EncodingResult(std::make_unique<Nerf>(std::move(frequencies), values, dims.axes));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::integer("levels", 10, 1, 32, "",
                       "Number L of frequencies per coordinate, each with sine and cosine"),
    ParamInfo::boolean("include_input", false, "Prepends the coordinates, as in the authors' code"),
    ParamInfo::choice("sampling", "log, linear",
                      "Frequencies double from level to level (paper), or are evenly spaced (the "
                      "authors' code)"),
    ParamInfo::boolean("factor_pi", true,
                       "Frequencies are multiplied by pi (paper), or not (the authors' code)"),
    ParamInfo::log_real("extent", 1024, 1e-3, 1e9, "tokens",
                        "Divisor of positions; 1 for coordinates in [-1, 1]"),
};

}  // namespace

PHASOR_ENCODING(nerf) = {
    .id = "nerf",
    .injection = Nerf::kInjection,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::nerf
