#include "phasor/random.h"

#include <cmath>
#include <numbers>

#include "core/format_error.h"
#include "math/scalar_math.h"

namespace phasor {

Result<Tensor> random_normal(std::uint32_t seed, std::vector<int> shape) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    for (const int extent : shape) PHASOR_TRY(check_extent("shape", extent));
    PHASOR_TRY(check_size("shape", "an array", shape));
    out = Tensor(std::move(shape));
    SplitMix64 random(seed);
    for (std::size_t i = 0; i < out.data.size(); i += 2) {
      const double radius = std::sqrt(-2.0 * std::log(random.uniform()));
      const SinCos direction = sincos(2.0 * std::numbers::pi * random.uniform());
      out.data[i] = static_cast<float>(radius * direction.cosine);
      if (i + 1 < out.data.size()) out.data[i + 1] = static_cast<float>(radius * direction.sine);
    }
    return {};
  });
}

}  // namespace phasor
