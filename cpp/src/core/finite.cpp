#include "core/finite.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace phasor {

namespace {

// Signed, because every supported processor has one instruction to compare such vectors.
using i32x4 = std::int32_t __attribute__((vector_size(16)));

// The bits without the sign bit. They are ordered like absolute values, with NaN above infinity.
std::int32_t magnitude(float x) { return __builtin_bit_cast(std::int32_t, x) & 0x7fffffff; }
i32x4 magnitudes(const float* x) {
  i32x4 bits;
  __builtin_memcpy(&bits, x, sizeof bits);
  return bits & 0x7fffffff;
}
i32x4 larger(i32x4 a, i32x4 b) { return a > b ? a : b; }

using f32x4 = float __attribute__((vector_size(16)));

// Four accumulators of four lanes: additions do not wait for each other.
constexpr std::size_t kValuesPerStep = 16;

f32x4 zeros(const float* x) {
  f32x4 v;
  __builtin_memcpy(&v, x, sizeof v);
  return v * 0;
}

// A finite number times 0 is 0; NaN and infinity times 0 are NaN, which persists in a sum.
bool all_finite(const float* x, std::size_t count) {
  f32x4 a{}, b{}, c{}, d{};
  const float* const end = x + count;
  for (const float* const block_end = x + count / kValuesPerStep * kValuesPerStep; x != block_end;
       x += kValuesPerStep) {
    a += zeros(x);
    b += zeros(x + 4);
    c += zeros(x + 8);
    d += zeros(x + 12);
  }
  const f32x4 lanes = (a + b) + (c + d);
  float sum = (lanes[0] + lanes[1]) + (lanes[2] + lanes[3]);
  for (; x != end; ++x) sum += *x * 0;
  return sum == 0;
}

}  // namespace

float max_abs(std::span<const float> values) {
  i32x4 a{}, b{}, c{}, d{};
  const float* x = values.data();
  const float* const end = x + values.size();
  for (const float* const block_end = x + values.size() / kValuesPerStep * kValuesPerStep;
       x != block_end; x += kValuesPerStep) {
    a = larger(a, magnitudes(x));
    b = larger(b, magnitudes(x + 4));
    c = larger(c, magnitudes(x + 8));
    d = larger(d, magnitudes(x + 12));
  }
  const i32x4 lanes = larger(larger(a, b), larger(c, d));
  std::int32_t largest = std::max(std::max(lanes[0], lanes[1]), std::max(lanes[2], lanes[3]));
  for (; x != end; ++x) largest = std::max(largest, magnitude(*x));
  return std::isnan(__builtin_bit_cast(float, largest)) ? std::numeric_limits<float>::infinity()
                                                        : __builtin_bit_cast(float, largest);
}

std::size_t first_nonfinite(std::span<const float> values) {
  // Finds the block first, because a search value by value is slow.
  constexpr std::size_t kBlockSize = 1024;
  for (std::size_t start = 0; start < values.size(); start += kBlockSize) {
    if (all_finite(values.data() + start, std::min(kBlockSize, values.size() - start))) continue;
    while (std::isfinite(values[start])) ++start;
    return start;
  }
  return values.size();
}

}  // namespace phasor
