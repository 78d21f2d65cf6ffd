// Inner loops of attention that are not part of WideKernels. There is no include guard: the
// including file defines the names that wide_blocks.h needs, and first includes wide_softmax.h and
// wide_softcap.h.

PHASOR_TARGET float row_max(const float* row, int n) {
  Vector maxima = broadcast(-std::numeric_limits<float>::infinity()), other_maxima = maxima;
  int i = 0;
  // Keeps two independent maxima, because each comparison has to wait for the previous one.
  for (; i + 2 * kVectorLanes <= n; i += 2 * kVectorLanes) {
    maxima = elementwise_max(maxima, load(row + i));
    other_maxima = elementwise_max(other_maxima, load(row + i + kVectorLanes));
  }
  if (i + kVectorLanes <= n) {
    maxima = elementwise_max(maxima, load(row + i));
    i += kVectorLanes;
  }
  float lanes[kVectorLanes];
  store(lanes, elementwise_max(maxima, other_maxima));
  float maximum = lanes[0];
  for (const float lane : lanes) maximum = maximum < lane ? lane : maximum;
  for (; i < n; ++i) maximum = maximum < row[i] ? row[i] : maximum;
  return maximum;
}

inline void product(const ConstMatrixRef& a, const Panels& b, float scale, const MatrixRef& c) {
  multiply({a.data, a.stride, 1}, {b.data, kPanelColumns, b.panel_stride}, b.inner, scale, false,
           c);
}
inline void accumulate(const ConstMatrixRef& a, const Panels& b, const MatrixRef& c) {
  multiply({a.data, a.stride, 1}, {b.data, kPanelColumns, b.panel_stride}, b.inner, 1, true, c);
}
