#include "kernels/angle_addition.h"

#ifdef __wasm_simd128__
#include <wasm_simd128.h>
#endif

namespace phasor::kernels {

namespace {

// The cosine and sine of one angle, or of two angles if Number is f64x2.
template <class Number>
struct Point {
  Number cosine, sine;
};

template <class Number>
Point<Number> sum_of_angles(Number a_cosine, Number a_sine, Number b_cosine, Number b_sine) {
  return {a_cosine * b_cosine - a_sine * b_sine, a_sine * b_cosine + a_cosine * b_sine};
}

Point<double> add_points(const double* a, const double* b, int count, int t) {
  return sum_of_angles(a[t], a[count + t], b[t], b[count + t]);
}

Point<f64x2> add_two_points(const double* a, const double* b, int count, int t) {
  return sum_of_angles(load(a + t), load(a + count + t), load(b + t), load(b + count + t));
}

// Computes the sums from index `first` on, one at a time, and stores element t at index stride * t.
// Used by the scalar kernels and for the remainder of a row. Not inlined, because it is seldom
// called.
[[gnu::noinline]] void add_one_by_one(const double* a, const double* b, int count, int first,
                                      double factor, float* cosine, float* sine, int stride) {
  for (int t = first; t < count; ++t) {
    const Point<double> p = add_points(a, b, count, t);
    cosine[stride * t] = static_cast<float>(factor * p.cosine);
    sine[stride * t] = static_cast<float>(factor * p.sine);
  }
}

#ifdef __wasm_simd128__
// Uses intrinsics, because Clang 14 and 19 do not vectorize this conversion.
f32x4 round_to_float(f64x2 low, f64x2 high) {
  const v128_t first = wasm_f32x4_demote_f64x2_zero(reinterpret_cast<v128_t>(low));
  const v128_t second = wasm_f32x4_demote_f64x2_zero(reinterpret_cast<v128_t>(high));
  return reinterpret_cast<f32x4>(wasm_i32x4_shuffle(first, second, 0, 1, 4, 5));
}
#else
f32x4 round_to_float(f64x2 low, f64x2 high) {
  using f32x2 = float __attribute__((vector_size(8)));
  return __builtin_shufflevector(__builtin_convertvector(low, f32x2),
                                 __builtin_convertvector(high, f32x2), 0, 1, 2, 3);
}
#endif

}  // namespace

namespace scalar {

void add_angles(const double* a, const double* b, int count, double* sum) {
  for (int t = 0; t < count; ++t) {
    const Point<double> p = add_points(a, b, count, t);
    sum[t] = p.cosine;
    sum[count + t] = p.sine;
  }
}

void add_angles(const double* a, const double* b, int count, double factor, float* cosine,
                float* sine) {
  add_one_by_one(a, b, count, 0, factor, cosine, sine, 1);
}

void add_angles_interleaved(const double* a, const double* b, int count, double factor,
                            float* row) {
  add_one_by_one(a, b, count, 0, factor, row + 1, row, 2);
}

}  // namespace scalar

namespace simd {

void add_angles(const double* a, const double* b, int count, double* sum) {
  int t = 0;
  for (; t + 2 <= count; t += 2) {
    const Point<f64x2> p = add_two_points(a, b, count, t);
    store(sum + t, p.cosine);
    store(sum + count + t, p.sine);
  }
  if (t < count) {
    const Point<double> p = add_points(a, b, count, t);
    sum[t] = p.cosine;
    sum[count + t] = p.sine;
  }
}

void add_angles(const double* a, const double* b, int count, double factor, float* cosine,
                float* sine) {
  const f64x2 scale = {factor, factor};
  int t = 0;
  for (; t + kLanes <= count; t += kLanes) {
    const Point<f64x2> low = add_two_points(a, b, count, t),
                       high = add_two_points(a, b, count, t + 2);
    store(cosine + t, round_to_float(scale * low.cosine, scale * high.cosine));
    store(sine + t, round_to_float(scale * low.sine, scale * high.sine));
  }
  if (t < count) add_one_by_one(a, b, count, t, factor, cosine, sine, 1);
}

void add_angles_interleaved(const double* a, const double* b, int count, double factor,
                            float* row) {
  const f64x2 scale = {factor, factor};
  int t = 0;
  for (; t + 2 <= count; t += 2) {
    const Point<f64x2> p = add_two_points(a, b, count, t);
    const f32x4 sines_and_cosines =
        round_to_float(scale * p.sine, scale * p.cosine);  // s0 s1 c0 c1
    store(row + 2 * t, __builtin_shufflevector(sines_and_cosines, sines_and_cosines, 0, 2, 1, 3));
  }
  if (t < count) add_one_by_one(a, b, count, t, factor, row + 1, row, 2);
}

}  // namespace simd

}  // namespace phasor::kernels
