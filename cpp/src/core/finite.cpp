#include "core/finite.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace phasor {

namespace {

// Signed, because every processor compares these in one instruction.
using i32x4 = std::int32_t __attribute__((vector_size(16)));

// Without the sign bit, bit patterns are ordered like the numbers, with NaN above infinity.
std::int32_t magnitude(float x) { return __builtin_bit_cast(std::int32_t, x) & 0x7fffffff; }
i32x4 magnitudes(const float* x) {
  i32x4 bits;
  __builtin_memcpy(&bits, x, sizeof bits);
  return bits & 0x7fffffff;
}
i32x4 larger(i32x4 a, i32x4 b) { return a > b ? a : b; }

using f32x4 = float __attribute__((vector_size(16)));

f32x4 zeros(const float* x) {
  f32x4 v;
  __builtin_memcpy(&v, x, sizeof v);
  return v * 0;
}

// A finite number times 0 is 0, anything else gives NaN, which persists in a sum.
bool all_finite(const float* at, std::size_t count) {
  constexpr std::size_t kStep =
      16;  // four accumulators, so that iterations do not depend on each other
  f32x4 a{}, b{}, c{}, d{};
  const float* const end = at + count;
  for (const float* const last = at + count / kStep * kStep; at != last; at += kStep) {
    a += zeros(at);
    b += zeros(at + 4);
    c += zeros(at + 8);
    d += zeros(at + 12);
  }
  const f32x4 lanes = (a + b) + (c + d);
  float sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  for (; at != end; ++at) sum += *at * 0;
  return sum == 0;
}

}  // namespace

float max_abs(std::span<const float> values) {
  constexpr std::size_t kStep =
      16;  // four accumulators, so that iterations do not depend on each other
  i32x4 a{}, b{}, c{}, d{};
  const float* at = values.data();
  const float* const end = at + values.size();
  for (const float* const last = at + values.size() / kStep * kStep; at != last; at += kStep) {
    a = larger(a, magnitudes(at));
    b = larger(b, magnitudes(at + 4));
    c = larger(c, magnitudes(at + 8));
    d = larger(d, magnitudes(at + 12));
  }
  const i32x4 lanes = larger(larger(a, b), larger(c, d));
  std::int32_t largest = std::max(std::max(lanes[0], lanes[1]), std::max(lanes[2], lanes[3]));
  for (; at != end; ++at) largest = std::max(largest, magnitude(*at));
  return std::isnan(__builtin_bit_cast(float, largest)) ? std::numeric_limits<float>::infinity()
                                                        : __builtin_bit_cast(float, largest);
}

std::size_t first_nonfinite(std::span<const float> values) {
  // checks whole blocks first, because searching number by number is slow
  constexpr std::size_t kBlock = 1024;
  for (std::size_t start = 0; start < values.size(); start += kBlock) {
    if (all_finite(values.data() + start, std::min(kBlock, values.size() - start))) continue;
    while (std::isfinite(values[start])) ++start;
    return start;
  }
  return values.size();
}

}  // namespace phasor
