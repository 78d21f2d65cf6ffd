#pragma once
// Vectors of four floats, as vector extensions of GCC and Clang: SSE or NEON natively, SIMD128 in
// WebAssembly. WebAssembly without SIMD uses the scalar kernels.

#include <cstdint>

#if defined(__wasm_simd128__) || defined(__SSE2__) || defined(__ARM_NEON)
#define PHASOR_SIMD 1
#else
#define PHASOR_SIMD 0
#endif

namespace phasor::kernels {

inline constexpr int kLanes = 4;

using f32x4 = float __attribute__((vector_size(16)));
using u32x4 = std::uint32_t __attribute__((vector_size(16)));
using f64x2 = double __attribute__((vector_size(16)));

/// Unaligned load and store. Compilers replace the copies with one instruction.
inline f32x4 load(const float* p) {
  f32x4 v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
inline void store(float* p, f32x4 v) { __builtin_memcpy(p, &v, sizeof v); }
inline f64x2 load(const double* p) {
  f64x2 v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
inline void store(double* p, f64x2 v) { __builtin_memcpy(p, &v, sizeof v); }
inline f32x4 splat(float x) { return f32x4{x, x, x, x}; }
inline float sum(f32x4 v) { return (v[0] + v[1]) + (v[2] + v[3]); }

/// The maximum of each lane, written so that compilers use one instruction.
inline f32x4 max(f32x4 a, f32x4 b) { return a < b ? b : a; }

}  // namespace phasor::kernels
