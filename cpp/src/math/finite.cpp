#include "math/finite.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace phasor {

std::size_t first_not_finite(std::span<const float> values) {
  // A loop that may leave at any number is not turned into lanes by compilers; one that counts through a block is.
  constexpr std::size_t kBlock = 1024;
  constexpr float kLargest = std::numeric_limits<float>::max();
  for (std::size_t start = 0; start < values.size(); start += kBlock) {
    const std::span<const float> block = values.subspan(start, std::min(kBlock, values.size() - start));
    int strange = 0;
    for (const float x : block) strange |= std::fabs(x) <= kLargest ? 0 : 1;
    if (strange == 0) continue;
    const auto found = std::find_if(block.begin(), block.end(), [](float x) { return !std::isfinite(x); });
    return start + static_cast<std::size_t>(found - block.begin());
  }
  return values.size();
}

}  // namespace phasor
