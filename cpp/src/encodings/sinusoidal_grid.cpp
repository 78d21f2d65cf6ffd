// Fixed sines and cosines for positions with several coordinates. Each coordinate has its own block
// of channels, with K sinusoids of frequencies w_t. There are three conventions:
//   mae           He et al. 2021 (arXiv 2111.06377), also MoCo v3: K = d/4, w_t = base^(-t/K),
//                 [sin(x w) | cos(x w) | sin(y w) | cos(y w)] for row y, column x. The COLUMN comes
//                 first, although the code calls that half emb_h: its meshgrid has the width first.
//                 Defined for one or two coordinates.
//   interleaved   tatp22/multidim-positional-encoding: row first, c = 2 ceil(d / (2 axes)) channels
//                 per coordinate, sine and cosine alternate, w_t = base^(-2t/c); all blocks
//                 together are cut to d channels.
//   tensor2tensor add_timing_signal_nd: row first, K = floor(d / (2 axes)), [sin | cos] per
//                 coordinate, timescales from min_timescale to max_timescale; unused channels are
//                 0.
// A class token before the patches (MAE) has no position; the caller adds its row of zeros.

#include <cmath>

#include "encoding_base/parts/timescale.h"
#include "encoding_base/registry_entry.h"
#include "kernels/gemm.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::sinusoidal_grid {
namespace {

enum class Convention { mae, interleaved, tensor2tensor };

class SinusoidalGrid final : public Parameterless<SinusoidalTable> {
 public:
  SinusoidalGrid(Convention convention, std::vector<double> frequencies)
      : convention_(convention), frequencies_(std::move(frequencies)) {}

  void table(Positions positions, MatrixRef out) const override {
    const int axes = positions.axes(), block = 2 * static_cast<int>(frequencies_.size());
    // write_sines sets the channels after a block to 0. The next block overwrites them.
    for (int b = 0; b < axes && b * block < out.columns; ++b) {
      const int axis = convention_ == Convention::mae ? axes - 1 - b : b;
      write_sines(
          frequencies_, layout(), [&](int t) { return positions.at(t, axis); },
          kernels::columns_of(out, b * block, out.columns - b * block));
    }
  }

  std::vector<Sinusoid> waves(int dim) const override {
    return list_sinusoids(frequencies_, layout(), dim);
  }

 private:
  SinusoidLayout layout() const {
    return convention_ == Convention::interleaved ? SinusoidLayout::interleaved
                                                  : SinusoidLayout::concatenated;
  }

  Convention convention_;
  std::vector<double> frequencies_;
};

Status make_frequencies(const ResolvedParams& values, const EncodingDims& dims,
                        std::vector<double>& out) {
  const int dim = dims.dim, channels_per_frequency = 2 * dims.axes;
  switch (values.choice<Convention>("convention")) {
    case Convention::mae:
      if (dims.axes > 2)
        return invalid(
            "convention: mae does not support 3 coordinates; expected interleaved or "
            "tensor2tensor");
      if (dim % channels_per_frequency != 0) {
        return invalid("dim: {} is not a multiple of {}; each coordinate needs a sine and a cosine",
                       dim, channels_per_frequency);
      }
      out = inverse_frequencies(dim / channels_per_frequency, 2.0 * (dim / channels_per_frequency),
                                values.real("base"));
      return {};
    case Convention::interleaved: {
      const int num_frequencies = (dim + channels_per_frequency - 1) / channels_per_frequency;
      out = inverse_frequencies(num_frequencies, 2.0 * num_frequencies, values.real("base"));
      return {};
    }
    case Convention::tensor2tensor: break;
  }
  const double min = values.real("min_timescale"), max = values.real("max_timescale");
  PHASOR_TRY(check_timescales(min, max));
  out = timescale_frequencies(dim / channels_per_frequency, min, max);
  return {};
}

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  std::vector<double> frequencies;
  PHASOR_TRY(make_frequencies(values, dims, frequencies));
  return EncodingResult(std::make_unique<SinusoidalGrid>(values.choice<Convention>("convention"),
                                                         std::move(frequencies)));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::choice(
        "convention", "mae, interleaved, tensor2tensor",
        "Channel order and frequencies: column first (MAE, MoCo v3); or row first, with sine and "
        "cosine alternating (tatp22) or in blocks"),
    ParamInfo::log_real("base", 10000, 1.001, 1e9, "", "Sets the lowest frequency")
        .only_with("convention", "mae, interleaved"),
    ParamInfo::log_real("min_timescale", 1, 1e-6, 1e9, "", "Sets the highest frequency")
        .only_with("convention", "tensor2tensor"),
    ParamInfo::log_real("max_timescale", 10000, 1e-6, 1e9, "tokens", "Sets the lowest frequency")
        .only_with("convention", "tensor2tensor"),
};

}  // namespace

PHASOR_ENCODING(sinusoidal_grid) = {
    .id = "sinusoidal_grid",
    .injection = SinusoidalGrid::kInjection,
    .prefix_stable = true,
    .axes = 2,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::sinusoidal_grid
