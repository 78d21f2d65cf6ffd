#pragma once
// Frequencies as in tensor2tensor's get_timing_signal and in fairseq.

#include <algorithm>
#include <cmath>
#include <vector>

#include "core/format_error.h"
#include "math/scalar_math.h"

namespace phasor {

/// min_timescale * (max_timescale / min_timescale)^(-t / max(count - 1, 1)), in radians per token.
/// As in tensor2tensor, min_timescale multiplies all frequencies, so the slowest is min^2 / max.
inline std::vector<double> timescale_frequencies(int count, double min_timescale,
                                                 double max_timescale) {
  std::vector<double> frequencies(static_cast<std::size_t>(count));
  const double step = std::log(max_timescale / min_timescale) / std::max(count - 1, 1);
  for (int t = 0; t < count; ++t)
    frequencies[static_cast<std::size_t>(t)] = min_timescale * exponential(-t * step);
  return frequencies;
}

inline Status check_timescales(double min_timescale, double max_timescale) {
  if (max_timescale >= min_timescale) return {};
  return invalid("max_timescale: {} is below min_timescale {}", max_timescale, min_timescale);
}

}  // namespace phasor
