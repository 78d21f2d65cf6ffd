#pragma once
// The parameters that every form of RoPE shares: how many channels are turned, and how their frequencies are scaled.

#include <vector>

#include "phasor/encoding.h"
#include "phasor/rope_frequencies.h"

namespace phasor {

/// `own` followed by the shared parameters.
std::vector<ParamSpec> with_rope_parameters(std::vector<ParamSpec> own);

/// What the parameters mean for heads of this width.
struct RopeFrequencies {
  std::vector<double> original{};     ///< base^(-2t/rotary width)
  std::vector<double> frequencies{};  ///< after scaling, the slowest set to 0 where kept_fraction is below 1
  double attention_factor = 1;        ///< multiplies cosines and sines
};

/// Reads the shared parameters and `base`; refuses widths and combinations that cannot be.
Status rope_frequencies(const Values& values, int width, RopeFrequencies& out);

/// The slowest pairs stand still: of n pairs int(kept * 2n) / 2 keep their frequency (p-RoPE, Barbero et al. 2024).
void keep_fastest(double kept_fraction, std::vector<double>& frequencies);

}  // namespace phasor
