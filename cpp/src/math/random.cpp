#include "phasor/random.h"

#include <cmath>
#include <numbers>

#include "math/sentence.h"

namespace phasor {

Status gaussian(std::uint32_t seed, std::vector<int> shape, Tensor& out) {
  for (const int extent : shape) PHASOR_TRY(check_range("shape", extent, 1, kMaxExtent));
  PHASOR_TRY(check_size("shape", shape));
  out = Tensor(std::move(shape));
  SplitMix64 random(seed);
  for (std::size_t i = 0; i < out.data.size(); i += 2) {
    const double radius = std::sqrt(-2.0 * std::log(random.uniform()));
    const double angle = 2.0 * std::numbers::pi * random.uniform();
    out.data[i] = static_cast<float>(radius * std::cos(angle));
    if (i + 1 < out.data.size()) out.data[i + 1] = static_cast<float>(radius * std::sin(angle));
  }
  return {};
}

}  // namespace phasor
