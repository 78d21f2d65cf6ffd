#pragma once
// The channels and frequencies of sinusoidal tables.

namespace phasor {

/// The channel order of the sines and cosines in a row of a sinusoidal table.
enum class SinusoidLayout {
  interleaved,   ///< channels 2t and 2t + 1
  concatenated,  ///< channels t and t + number of frequencies
};

/// One sinusoid of a table, for positions with one coordinate: the channels of its sine and its
/// cosine, and its frequency in radians per token. -1 stands for a missing channel. A channel that
/// is always 0 is a sine of frequency 0.
struct Sinusoid {
  int sine = -1;
  int cosine = -1;
  double frequency = 0;
};

}  // namespace phasor
