#pragma once
// How fast pairs of channels rotate.

#include <vector>

namespace phasor {

/// The frequencies of a `query_key` encoding that rotates pairs of channels.
struct Frequencies {
  std::vector<double> inv_freq{};  ///< (pairs), radians per token
  /// Multiplies cosines and sines, so that scores grow by its square
  double attention_factor = 1;
};

}  // namespace phasor
