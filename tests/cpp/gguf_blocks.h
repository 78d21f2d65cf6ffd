#pragma once
// Decoders of quantised blocks in double that do not call the library.

#include <cmath>
#include <cstdint>
#include <functional>
#include <string_view>
#include <utility>
#include <vector>

#include "phasor/random.h"

namespace phasor::test {

// A block type: values and bytes per block, and a decoder of value i by the comments of
// ggml-common.h.
struct BlockOracle {
  std::string_view dtype;
  std::uint32_t id;  // the type's number in ggml
  std::size_t terms, bytes;
  // Offsets of the float16 scales in a block, and powers of two for them with which random bytes
  // decode to values near 0.1.
  std::vector<std::pair<std::size_t, double>> halves;
  std::function<double(const std::uint8_t*, int)> term;
};

inline double half_number(const std::uint8_t* bytes) {
  const int bits = bytes[0] + 256 * bytes[1], exponent = bits / 1024 % 32, fraction = bits % 1024;
  const double size =
      exponent == 0 ? std::ldexp(fraction, -24) : std::ldexp(1024 + fraction, exponent - 25);
  return bits >= 32768 ? -size : size;
}
inline int nibble(const std::uint8_t* bytes, int i) {
  return i < 16 ? bytes[i] % 16 : bytes[i - 16] / 16;
}
inline int bit(const std::uint8_t* bytes, int i) { return bytes[i / 8] / (1 << i % 8) % 2; }
// The scale and the minimum of part j, like get_scale_min_k4 of ggml.
inline std::pair<int, int> multipliers(const std::uint8_t* q, int j) {
  if (j < 4) return {q[j] & 63, q[j + 4] & 63};
  return {(q[j + 4] & 15) | ((q[j - 4] >> 6) << 4), (q[j + 4] >> 4) | ((q[j] >> 6) << 4)};
}

inline const std::vector<BlockOracle>& block_oracles() {
  using Block = const std::uint8_t*;
  static const std::vector<BlockOracle> oracles = {
      {"Q8_0",
       8,
       32,
       34,
       {{0, 0x1p-10}},
       [](Block b, int i) {
         return half_number(b) * (b[2 + i] < 128 ? b[2 + i] : b[2 + i] - 256);
       }},
      {"Q4_0",
       2,
       32,
       18,
       {{0, 0x1p-6}},
       [](Block b, int i) { return half_number(b) * (nibble(b + 2, i) - 8); }},
      {"Q4_1",
       3,
       32,
       20,
       {{0, 0x1p-7}, {2, -0x1p-4}},
       [](Block b, int i) { return half_number(b) * nibble(b + 4, i) + half_number(b + 2); }},
      {"Q5_0",
       6,
       32,
       22,
       {{0, 0x1p-7}},
       [](Block b, int i) {
         return half_number(b) * (nibble(b + 6, i) + 16 * bit(b + 2, i) - 16);
       }},
      {"Q5_1",
       7,
       32,
       24,
       {{0, 0x1p-8}, {2, -0x1p-4}},
       [](Block b, int i) {
         return half_number(b) * (nibble(b + 8, i) + 16 * bit(b + 4, i)) + half_number(b + 2);
       }},
      {"Q4_K",
       12,
       256,
       144,
       {{0, 0x1p-13}, {2, 0x1p-10}},
       [](Block b, int i) {
         const auto [scale, minimum] = multipliers(b + 4, i / 32);
         const int q = b[16 + 32 * (i / 64) + i % 32];
         return half_number(b) * scale * (i % 64 < 32 ? q % 16 : q / 16) -
                half_number(b + 2) * minimum;
       }},
      {"Q5_K",
       13,
       256,
       176,
       {{0, 0x1p-14}, {2, 0x1p-10}},
       [](Block b, int i) {
         const auto [scale, minimum] = multipliers(b + 4, i / 32);
         const int low = b[48 + 32 * (i / 64) + i % 32];
         const int q = (i % 64 < 32 ? low % 16 : low / 16) + 16 * (b[16 + i % 32] >> (i / 32) & 1);
         return half_number(b) * scale * q - half_number(b + 2) * minimum;
       }},
      {"Q6_K",
       14,
       256,
       210,
       {{208, 0x1p-14}},
       [](Block b, int i) {
         const int n = i / 128, l = i % 32, part = i % 128 / 32;
         const int low = b[64 * n + l + (part % 2 == 1 ? 32 : 0)];
         const int q = (part < 2 ? low % 16 : low / 16) +
                       16 * (b[128 + 32 * n + l] / (1 << 2 * part) % 4) - 32;
         const int scale = b[192 + i / 16];
         return half_number(b + 208) * (scale < 128 ? scale : scale - 256) * q;
       }},
  };
  return oracles;
}

/// Random bytes with the scales of the oracle.
inline std::vector<std::uint8_t> random_block(const BlockOracle& oracle, SplitMix64& random) {
  std::vector<std::uint8_t> block(oracle.bytes);
  for (std::uint8_t& byte : block) byte = static_cast<std::uint8_t>(random.next() >> 56);
  for (const auto& [offset, value] : oracle.halves) {
    const int exponent = std::ilogb(value) + 15;
    block[offset] = 0;
    block[offset + 1] = static_cast<std::uint8_t>((value < 0 ? 128 : 0) + 4 * exponent);
  }
  return block;
}

}  // namespace phasor::test
