#include "math/finite.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace phasor {

[[gnu::noinline]] float largest_magnitude(std::span<const float> values) {
  // As bits without the sign: they are in the order of the numbers, with NaN above infinity, and compilers find the lanes.
  std::uint32_t largest = 0;
  for (const float x : values) largest = std::max(largest, __builtin_bit_cast(std::uint32_t, x) & 0x7fffffffu);
  return std::isnan(__builtin_bit_cast(float, largest)) ? std::numeric_limits<float>::infinity() : __builtin_bit_cast(float, largest);
}

std::size_t first_not_finite(std::span<const float> values) {
  constexpr std::size_t kBlock = 1024;  // read at a time, because a search number by number is slow
  for (std::size_t start = 0; start < values.size(); start += kBlock) {
    if (std::isfinite(largest_magnitude(values.subspan(start, std::min(kBlock, values.size() - start))))) continue;
    while (std::isfinite(values[start])) ++start;
    return start;
  }
  return values.size();
}

}  // namespace phasor
