#pragma once
// How fast pairs of channels turn.

#include <vector>

namespace phasor {

/// The frequencies of a `query_key` encoding that turns pairs of channels.
struct Frequencies {
  std::vector<double> inverse{};  ///< (pairs), radians per token ("inv_freq" in most code)
  double attention_factor = 1;    ///< multiplies cosines and sines, so that scores grow by its square
};

}  // namespace phasor
