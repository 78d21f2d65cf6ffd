#include "math/finite.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace phasor {

std::size_t first_not_finite(std::span<const float> values) {
  // A loop that may leave at any number is not turned into lanes by compilers; one that counts through a block is.
  constexpr std::size_t kBlock = 1024;
  constexpr float kLargest = std::numeric_limits<float>::max();
  const auto finite = [](float x) { return std::fabs(x) <= kLargest; };
  for (std::size_t start = 0; start < values.size(); start += kBlock) {
    int strange = 0;
    for (const float x : values.subspan(start, std::min(kBlock, values.size() - start))) strange |= finite(x) ? 0 : 1;
    if (strange == 0) continue;
    while (finite(values[start])) ++start;
    return start;
  }
  return values.size();
}

float largest_magnitude(std::span<const float> values) {
  // As bits without the sign: they are in the order of the numbers, with NaN above infinity, and compilers find the lanes.
  std::uint32_t largest = 0;
  for (const float x : values) largest = std::max(largest, __builtin_bit_cast(std::uint32_t, x) & 0x7fffffffu);
  return std::isnan(__builtin_bit_cast(float, largest)) ? std::numeric_limits<float>::infinity() : __builtin_bit_cast(float, largest);
}

}  // namespace phasor
