#include "math/wave.h"

#include <algorithm>
#include <cmath>

namespace phasor {

void write_waves(double position, std::span<const double> frequencies, WaveLayout layout, std::span<float> row, double factor) {
  const std::size_t waves = frequencies.size();
  const bool interleaved = layout == WaveLayout::interleaved;
  for (std::size_t t = 0; t < waves; ++t) {
    const double angle = position * frequencies[t];
    const std::size_t sine = interleaved ? 2 * t : t, cosine = interleaved ? 2 * t + 1 : waves + t;
    if (sine < row.size()) row[sine] = static_cast<float>(factor * std::sin(angle));
    if (cosine < row.size()) row[cosine] = static_cast<float>(factor * std::cos(angle));
  }
  if (2 * waves < row.size()) std::fill(row.begin() + static_cast<std::ptrdiff_t>(2 * waves), row.end(), 0.0f);
}

std::vector<Wave> waves_of(std::span<const double> frequencies, WaveLayout layout, int width) {
  const int count = static_cast<int>(frequencies.size());
  const bool interleaved = layout == WaveLayout::interleaved;
  const int over = std::max(width - 2 * count, 0);
  std::vector<Wave> waves(static_cast<std::size_t>(count + over));
  for (int t = 0; t < count; ++t) {
    const int sine = interleaved ? 2 * t : t, cosine = interleaved ? 2 * t + 1 : count + t;
    waves[static_cast<std::size_t>(t)] = {sine, cosine < width ? cosine : -1, frequencies[static_cast<std::size_t>(t)]};
  }
  for (int channel = 0; channel < over; ++channel) waves[static_cast<std::size_t>(count + channel)].sine = 2 * count + channel;
  return waves;
}

}  // namespace phasor
