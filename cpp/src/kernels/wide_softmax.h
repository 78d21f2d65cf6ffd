// Implements exp_and_sum() of kernels.h with vector registers. There is no include guard: the
// including file defines the names that wide_blocks.h and exponential.h need.

PHASOR_TARGET double exp_and_sum(float* row, int n, float row_max) {
  // Each lane sums at most 32 values, so that the rounding error does not grow with the row length.
  constexpr int kChunk = 32 * kVectorLanes;
  const Vector maximum = broadcast(row_max);
  double sum = 0;
  const int vector_end = n / kVectorLanes * kVectorLanes;
  for (int begin = 0; begin < vector_end; begin += kChunk) {
    const int end = begin + kChunk < vector_end ? begin + kChunk : vector_end;
    Vector totals = {};
    for (int i = begin; i < end; i += kVectorLanes) {
      const Vector e = exp_nonpositive(load(row + i) - maximum);
      store(row + i, e);
      totals += e;
    }
    sum += static_cast<double>(sum_lanes(totals));
  }
  if (vector_end == n) return sum;
  const std::size_t tail_bytes = static_cast<std::size_t>(n - vector_end) * sizeof(float);
  float padded[kVectorLanes];
  for (float& x : padded) x = -std::numeric_limits<float>::infinity();
  __builtin_memcpy(padded, row + vector_end, tail_bytes);
  const Vector e = exp_nonpositive(load(padded) - maximum);
  store(padded, e);
  __builtin_memcpy(row + vector_end, padded, tail_bytes);
  return sum + static_cast<double>(sum_lanes(e));
}
