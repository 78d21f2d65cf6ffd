// exp_and_sum of kernels.h in registers, without an include guard: the including file defines the
// names that wide_blocks.h and exponential.h need.

PHASOR_TARGET double exp_and_sum(float* row, int n, float row_max) {
  // A lane sums at most 32 terms, so that the error does not grow with the row.
  constexpr int kChunk = 32 * kWide;
  const Vector top = spread(row_max);
  double sum = 0;
  const int whole = n / kWide * kWide;
  for (int start = 0; start < whole; start += kChunk) {
    const int end = start + kChunk < whole ? start + kChunk : whole;
    Vector totals = {};
    for (int i = start; i < end; i += kWide) {
      const Vector e = exp_nonpositive(load(row + i) - top);
      store(row + i, e);
      totals += e;
    }
    sum += static_cast<double>(total(totals));
  }
  if (whole == n) return sum;
  const std::size_t rest = static_cast<std::size_t>(n - whole) * sizeof(float);
  float edge[kWide];
  for (float& x : edge) x = -std::numeric_limits<float>::infinity();
  __builtin_memcpy(edge, row + whole, rest);
  const Vector e = exp_nonpositive(load(edge) - top);
  store(edge, e);
  __builtin_memcpy(row + whole, edge, rest);
  return sum + static_cast<double>(total(e));
}
