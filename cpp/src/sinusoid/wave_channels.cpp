#include "sinusoid/wave_channels.h"

namespace phasor {

std::vector<Wave> waves_of(std::span<const double> frequencies, WaveLayout layout, int width) {
  const int count = static_cast<int>(frequencies.size());
  const bool interleaved = layout == WaveLayout::interleaved;
  const int over = std::max(width - 2 * count, 0);
  std::vector<Wave> waves(static_cast<std::size_t>(count + over));
  for (int t = 0; t < count; ++t) {
    const int sine = interleaved ? 2 * t : t, cosine = interleaved ? 2 * t + 1 : count + t;
    waves[static_cast<std::size_t>(t)] = {sine, cosine < width ? cosine : -1,
                                          frequencies[static_cast<std::size_t>(t)]};
  }
  for (int channel = 0; channel < over; ++channel)
    waves[static_cast<std::size_t>(count + channel)].sine = 2 * count + channel;
  return waves;
}

}  // namespace phasor
