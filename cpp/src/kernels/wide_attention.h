// The inner loops of attention that training does not use, without an include guard: the including
// file defines the names that wide_blocks.h needs, and includes wide_softmax.h and wide_softcap.h
// before.

PHASOR_TARGET float row_max(const float* row, int n) {
  Vector tops = spread(-std::numeric_limits<float>::infinity()), others = tops;
  int i = 0;
  // Two chains, because each comparison waits for the one before.
  for (; i + 2 * kWide <= n; i += 2 * kWide) {
    tops = larger(tops, load(row + i));
    others = larger(others, load(row + i + kWide));
  }
  if (i + kWide <= n) {
    tops = larger(tops, load(row + i));
    i += kWide;
  }
  float lanes[kWide];
  store(lanes, larger(tops, others));
  float top = lanes[0];
  for (const float lane : lanes) top = top < lane ? lane : top;
  for (; i < n; ++i) top = top < row[i] ? row[i] : top;
  return top;
}

inline void product(const ConstMatrixRef& a, const Panels& b, float scale, const MatrixRef& c) {
  multiply({a.data, a.stride, 1}, {b.data, kPanel, b.step}, b.inner, scale, false, c);
}
inline void accumulate(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c) {
  multiply({a.data, a.stride, 1}, {b.data, kPanel, b.step}, b.inner, 1, true, c);
}
