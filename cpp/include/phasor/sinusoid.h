#pragma once
// The waves that sinusoidal tables are made of.

namespace phasor {

/// Where the sine and the cosine of one frequency are in a row of a sinusoidal table.
enum class SinusoidLayout {
  interleaved,   ///< channels 2t and 2t + 1
  concatenated,  ///< channels t and t + number of frequencies
};

/// One wave of a table along positions of one coordinate: which channel is its sine and which its
/// cosine, -1 where the table leaves it out, and how far it turns per token in radians. A channel
/// that is always 0 is the sine of a wave of frequency 0.
struct Sinusoid {
  int sine = -1;
  int cosine = -1;
  double frequency = 0;
};

}  // namespace phasor
