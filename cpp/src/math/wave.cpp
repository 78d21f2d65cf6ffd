#include "math/wave.h"

namespace phasor {

std::vector<Wave> waves_of(std::span<const double> frequencies, WaveLayout layout, int width) {
  const int count = static_cast<int>(frequencies.size());
  const bool interleaved = layout == WaveLayout::interleaved;
  const auto inside = [width](int channel) { return channel < width ? channel : -1; };
  std::vector<Wave> waves;
  for (int t = 0; t < count; ++t) {
    const Wave wave{.sine = inside(interleaved ? 2 * t : t),
                    .cosine = inside(interleaved ? 2 * t + 1 : count + t),
                    .frequency = frequencies[static_cast<std::size_t>(t)]};
    if (wave.sine >= 0) waves.push_back(wave);
  }
  for (int channel = 2 * count; channel < width; ++channel) waves.push_back({.sine = channel});
  return waves;
}

}  // namespace phasor
