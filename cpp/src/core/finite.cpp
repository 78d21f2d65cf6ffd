#include "core/finite.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

namespace phasor {

namespace {

// Signed, because every supported processor can compare vectors of signed integers in one
// instruction.
using i32x4 = std::int32_t __attribute__((vector_size(16)));

// The bits of x without the sign bit. They are ordered like absolute values, and NaN is above
// infinity.
std::int32_t magnitude_bits(float x) { return __builtin_bit_cast(std::int32_t, x) & 0x7fffffff; }
i32x4 magnitude_bits_x4(const float* x) {
  i32x4 bits;
  __builtin_memcpy(&bits, x, sizeof bits);
  return bits & 0x7fffffff;
}
i32x4 elementwise_max(i32x4 a, i32x4 b) { return a > b ? a : b; }

using f32x4 = float __attribute__((vector_size(16)));

// Four accumulators of four lanes, so that additions do not wait for each other.
constexpr std::size_t kValuesPerStep = 16;

f32x4 times_zero(const float* x) {
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
    a += times_zero(x);
    b += times_zero(x + 4);
    c += times_zero(x + 8);
    d += times_zero(x + 12);
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
    a = elementwise_max(a, magnitude_bits_x4(x));
    b = elementwise_max(b, magnitude_bits_x4(x + 4));
    c = elementwise_max(c, magnitude_bits_x4(x + 8));
    d = elementwise_max(d, magnitude_bits_x4(x + 12));
  }
  const i32x4 lanes = elementwise_max(elementwise_max(a, b), elementwise_max(c, d));
  std::int32_t max_bits = std::max(std::max(lanes[0], lanes[1]), std::max(lanes[2], lanes[3]));
  for (; x != end; ++x) max_bits = std::max(max_bits, magnitude_bits(*x));
  return std::isnan(__builtin_bit_cast(float, max_bits)) ? std::numeric_limits<float>::infinity()
                                                         : __builtin_bit_cast(float, max_bits);
}

std::size_t find_first_nonfinite(std::span<const float> values) {
  // First finds the block that contains the value, because testing the values one by one is slow.
  constexpr std::size_t kBlockSize = 1024;
  for (std::size_t index = 0; index < values.size(); index += kBlockSize) {
    if (all_finite(values.data() + index, std::min(kBlockSize, values.size() - index))) continue;
    while (std::isfinite(values[index])) ++index;
    return index;
  }
  return values.size();
}

}  // namespace phasor
