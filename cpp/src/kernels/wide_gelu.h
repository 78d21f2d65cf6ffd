// GELU of a vector register. There is no include guard: the including file defines the names that
// wide_blocks.h and exponential.h need.

// Returns GELU(x) and replaces x with the derivative. The formulas are in nn/activations.h.
PHASOR_TARGET inline Vector gelu_with_derivative(Vector& x) {
  const Words sign_bit = Words{} + 0x80000000u;
  const Words x_sign = reinterpret_cast<Words>(x) & sign_bit;
  const Vector from = x,
               magnitude = reinterpret_cast<Vector>(reinterpret_cast<Words>(x) & ~sign_bit);
  const Vector e = exp_nonpositive(broadcast(-0.5f) * from * from);
  const Vector u = magnitude * broadcast(0.70710678118654752f), one = broadcast(1.0f),
               half = broadcast(0.5f);
  const Vector t = one / multiply_add(broadcast(0.3275911f), u, one);
  Vector p = broadcast(1.061405429f);
  p = multiply_add(p, t, broadcast(-1.453152027f));
  p = multiply_add(p, t, broadcast(1.421413741f));
  p = multiply_add(p, t, broadcast(-0.284496736f));
  p = multiply_add(p, t, broadcast(0.254829592f));
  const Vector tail = half * p * t * e;  // (1 - erf(u)) / 2
  const Vector signed_half =
      reinterpret_cast<Vector>(reinterpret_cast<Words>(half - tail) | x_sign);  // tail <= half
  const Vector phi = half + signed_half;
  x = multiply_add(from * broadcast(0.39894228040143268f), e, phi);
  return from * phi;
}

PHASOR_TARGET void gelu(float* x, float* y, int n) {
  int i = 0;
  for (; i + kVectorLanes <= n; i += kVectorLanes) {
    Vector slope = load(x + i);
    store(y + i, gelu_with_derivative(slope));
    store(x + i, slope);
  }
  if (i == n) return;
  const std::size_t tail_bytes = static_cast<std::size_t>(n - i) * sizeof(float);
  float slopes[kVectorLanes] = {}, values[kVectorLanes];
  __builtin_memcpy(slopes, x + i, tail_bytes);
  Vector slope = load(slopes);
  store(values, gelu_with_derivative(slope));
  store(slopes, slope);
  __builtin_memcpy(y + i, values, tail_bytes);
  __builtin_memcpy(x + i, slopes, tail_bytes);
}
