// e^x in registers. This file has no include guard: softmax.cpp and the wide kernels each include
// it in a namespace that defines Vector, multiply_add, broadcast and PHASOR_TARGET (wide_blocks.h),
// and Words, a vector of std::uint32_t.

// e^x for x <= 0 as 2^t with t = x / ln 2. The exponent bits give 2^round(t), and a minimax
// polynomial of degree 5 gives 2^(t - round(t)) with a relative error of at most 1.7e-7 (7e-8 root
// mean square). Rounding t adds a relative error of 6e-8 |x|, as much as rounding x.
PHASOR_TARGET inline Vector exp_nonpositive(Vector x) {
  // 1.5 * 2^23. Adding it rounds to an integer, which is then in the low bits of the sum.
  const Vector rounding_shift = broadcast(12582912.0f);
  const Vector inverse_ln2 = broadcast(1.44269504088896341f),
               shifted_t = multiply_add(x, inverse_ln2, rounding_shift),
               f = multiply_add(x, inverse_ln2, rounding_shift - shifted_t);
  Vector p = broadcast(1.326457875e-3f);
  p = multiply_add(p, f, broadcast(9.671512065e-3f));
  p = multiply_add(p, f, broadcast(5.550734236e-2f));
  p = multiply_add(p, f, broadcast(2.402224211e-1f));
  p = multiply_add(p, f, broadcast(6.931469773e-1f));
  p = multiply_add(p, f, broadcast(1.0f));
  // Words are unsigned, because the sum wraps around if x is very negative. The next line replaces
  // such results with 0.
  const Words bits = reinterpret_cast<Words>(p) + (reinterpret_cast<Words>(shifted_t) << 23);
  return reinterpret_cast<Vector>(x <= broadcast(kMinWeightLogit) ? Words{} : bits);
}
