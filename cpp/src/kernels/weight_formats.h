#pragma once
// The number formats of a stored matrix within a panel, and their conversion to float32.

#include <cstdint>
#include <cstring>

#include "kernels/kernels.h"
#include "kernels/stored_matrix.h"

namespace phasor::kernels {

inline constexpr int kVectors = kPanel / kLanes;

// A block of a panel: the bytes q of 16 columns, then their scales and their offsets.
constexpr std::size_t block_numbers(int terms) { return static_cast<std::size_t>(terms) * kPanel; }
constexpr std::size_t block_bytes(int terms) {
  return block_numbers(terms) + 2 * kPanel * sizeof(float);
}

using i16x4 = std::int16_t __attribute__((vector_size(8)));
using i16x8 = std::int16_t __attribute__((vector_size(16)));
using i8x8 = std::int8_t __attribute__((vector_size(8)));
using i32x4 = std::int32_t __attribute__((vector_size(16)));

template <class Vector>
Vector load_as(const void* from) {
  Vector v;
  std::memcpy(&v, from, sizeof v);
  return v;
}

// One row of a panel, 16 numbers, as float32. Two columns of 16 bits share a lane of 32: column c
// is the lower half, column c + 4 the upper one.
struct Float32 {
  static constexpr std::size_t kRow = kPanel * sizeof(float);
  static void widen(const std::uint8_t* row, f32x4* to) {
    for (int v = 0; v < kVectors; ++v) to[v] = load_as<f32x4>(row + 16 * v);
  }
};

struct BFloat16 {
  static constexpr std::size_t kRow = kPanel * 2;
  static void widen(const std::uint8_t* row, f32x4* to) {
    for (int pair = 0; pair < kVectors / 2; ++pair) {
      const u32x4 both = load_as<u32x4>(row + 16 * pair);
      to[2 * pair] = reinterpret_cast<f32x4>(both << 16);
      to[2 * pair + 1] = reinterpret_cast<f32x4>(both & 0xffff0000u);
    }
  }
};

struct Float16 {
  static constexpr std::size_t kRow = kPanel * 2;
  // The bits in the upper half. Moved by three, exponent and fraction are those of a float32 that
  // is 2^112 times too small; subnormal numbers are widened by the same product.
  static f32x4 from_upper(u32x4 bits) {
    const u32x4 moved = (bits & 0x80000000u) | ((bits >> 3) & 0x0fffe000u);
    return reinterpret_cast<f32x4>(moved) * splat(0x1p112f);
  }
  static void widen(const std::uint8_t* row, f32x4* to) {
    for (int pair = 0; pair < kVectors / 2; ++pair) {
      const u32x4 both = load_as<u32x4>(row + 16 * pair);
      to[2 * pair] = from_upper(both << 16);
      to[2 * pair + 1] = from_upper(both & 0xffff0000u);
    }
  }
};

template <class Format>
void widen_rows(const std::uint8_t* row, int count, float* to) {
  for (int i = 0; i < count; ++i, row += Format::kRow, to += kPanel) {
    f32x4 numbers[kVectors];
    Format::widen(row, numbers);
    for (int v = 0; v < kVectors; ++v) store(to + v * kLanes, numbers[v]);
  }
}

// Terms 2 t and 2 t + 1 of a column are the lower and the upper byte of a lane of 16 bits.
inline void widen_blocks(const std::uint8_t* block, int terms, int count, float* to) {
  for (; count > 0; block += block_bytes(terms), count -= terms) {
    const std::uint8_t *scales = block + block_numbers(terms),
                       *offsets = scales + kPanel * sizeof(float);
    for (int t = 0; t < terms / 2; ++t, to += 2 * kPanel) {
      if (2 * t >= count) return;
      for (int v = 0; v < kVectors; ++v) {
        const i16x4 both = load_as<i16x4>(block + 32 * t + 8 * v);
        const f32x4 even = __builtin_convertvector((both << 8) >> 8, f32x4),
                    odd = __builtin_convertvector(both >> 8, f32x4),
                    scale = load_as<f32x4>(scales + 16 * v),
                    offset = load_as<f32x4>(offsets + 16 * v);
        store(to + v * kLanes, scale * even + offset);
        if (2 * t + 1 < count) store(to + kPanel + v * kLanes, scale * odd + offset);
      }
    }
  }
}

}  // namespace phasor::kernels
