#include "safetensors/half.h"

#include <cstring>

namespace phasor {

namespace {

// Replaces std::bit_cast, which the oldest supported standard library does not have.
std::uint32_t to_bits(float x) {
  std::uint32_t bits = 0;
  std::memcpy(&bits, &x, sizeof bits);
  return bits;
}
float to_float(std::uint32_t bits) {
  float x = 0;
  std::memcpy(&x, &bits, sizeof x);
  return x;
}

}  // namespace

float from_half(std::uint16_t bits) {
  const std::uint32_t sign_bits = (bits & 0x8000u) << 16, exponent = (bits >> 10) & 31u,
                      fraction = bits & 1023u;
  if (exponent == 0) {  // subnormal: fraction * 2^-24
    const float magnitude = static_cast<float>(fraction) * 0x1p-24f;
    return sign_bits != 0 ? -magnitude : magnitude;
  }
  const std::uint32_t float_exponent = exponent == 31 ? 255u : exponent + 112;
  return to_float(sign_bits | (float_exponent << 23) | (fraction << 13));
}

float from_bfloat16(std::uint16_t bits) { return to_float(std::uint32_t{bits} << 16); }

std::uint16_t to_half(float x) {
  const std::uint32_t bits = to_bits(x), magnitude = bits & 0x7fffffffu;
  const auto sign_bits = static_cast<std::uint16_t>((bits >> 16) & 0x8000u);
  const auto with_sign = [sign_bits](std::uint32_t magnitude_bits) {
    return static_cast<std::uint16_t>(sign_bits | magnitude_bits);
  };
  if (magnitude > 0x7f800000u) return with_sign(0x7e00u);   // NaN
  if (magnitude >= 0x477ff000u) return with_sign(0x7c00u);  // 65520 and above
  // Below 2^-14, half-precision numbers are spaced like floats near 0.5, so adding 0.5 rounds to
  // the nearest one.
  if (magnitude < 0x38800000u) {
    const float sum = to_float(magnitude) + 0.5f;
    return with_sign(to_bits(sum) - 0x3f000000u);
  }
  const std::uint32_t last_bit = (magnitude >> 13) & 1u;
  return with_sign((magnitude - 0x38000000u + 0xfffu + last_bit) >> 13);
}

}  // namespace phasor
