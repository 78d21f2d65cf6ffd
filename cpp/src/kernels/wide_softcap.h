// Soft-caps scores in vector registers. There is no include guard: softcap.cpp and the wide kernels
// include this file within a namespace that defines Vector, kVectorLanes, load, store, broadcast,
// multiply_add and PHASOR_TARGET (wide_blocks.h).

PHASOR_TARGET inline Vector elementwise_min(Vector a, Vector b) { return b < a ? b : a; }
PHASOR_TARGET inline Vector elementwise_max(Vector a, Vector b) { return a < b ? b : a; }

// The largest x^2 for which small_tanh_ratio() is used.
constexpr float kSmallSquare = 0.25f;

// Number of scores that are capped together. The result for one score does not depend on the
// others, so decoding token by token gives the same bits.
constexpr int kCapChunk = 64;

// tanh(x) / x as a polynomial of z = x^2 <= kSmallSquare, with a relative error of 2e-8 before
// rounding.
PHASOR_TARGET inline Vector small_tanh_ratio(Vector z) {
  Vector p = broadcast(1.724149151e-2f);
  p = multiply_add(p, z, broadcast(-5.304549428e-2f));
  p = multiply_add(p, z, broadcast(0.1332587896f));
  p = multiply_add(p, z, broadcast(-0.3333314390f));
  return multiply_add(p, z, broadcast(1.0f));
}

// tanh(x) / x as a rational function of z = x^2 <= 81, with a relative error of 2e-8 before
// rounding and 3e-7 after it.
PHASOR_TARGET inline Vector tanh_ratio(Vector z) {
  Vector p = broadcast(1.333666821e-8f);
  p = multiply_add(p, z, broadcast(2.059614115e-5f));
  p = multiply_add(p, z, broadcast(3.49480296e-3f));
  p = multiply_add(p, z, broadcast(0.1338036481f));
  p = multiply_add(p, z, broadcast(0.9999999792f));
  Vector q = broadcast(7.769208345e-7f);
  q = multiply_add(q, z, broadcast(3.28434999e-4f));
  q = multiply_add(q, z, broadcast(2.587399604e-2f));
  q = multiply_add(q, z, broadcast(0.4671368023f));
  q = multiply_add(q, z, broadcast(1.0f));
  return p / q;
}

// The loops are inside these functions, because V8 moves constants out of a loop, but not out of a
// function call.

// Caps n scores with the polynomial for small scores, and saves the original scores in `scores`. n
// must be a multiple of kVectorLanes. Returns true if all scores are small.
PHASOR_TARGET __attribute__((noinline)) bool cap_small_scores(float* row, int n, float cap,
                                                              float* scores) {
  const Vector inverse_cap = broadcast(1 / cap);
  Vector largest_square = broadcast(0);
  for (int i = 0; i < n; i += kVectorLanes) {
    const Vector score = load(row + i), x = score * inverse_cap, z = x * x;
    store(scores + i, score);
    store(row + i, score * small_tanh_ratio(z));
    largest_square = elementwise_max(largest_square, z);
  }
  float lanes[kVectorLanes];
  store(lanes, largest_square);
  bool are_small = true;
  for (const float lane : lanes) are_small &= !(lane > kSmallSquare);
  return are_small;
}

// Recomputes the scores that are too large for cap_small_scores(). Above 9, tanh(x) is 1 in
// float32. NaN stays NaN. Scores are clamped instead of x, because V8 compiles the minimum of two
// variables to one instruction, but the minimum with a constant to eight.
PHASOR_TARGET __attribute__((noinline)) void cap_large_scores(float* row, int n, float cap,
                                                              const float* scores) {
  const float max_score =
      9 * cap < std::numeric_limits<float>::max() ? 9 * cap : std::numeric_limits<float>::max();
  const Vector inverse_cap = broadcast(1 / cap), upper = broadcast(max_score),
               lower = broadcast(-max_score);
  for (int i = 0; i < n; i += kVectorLanes) {
    const Vector score = elementwise_max(elementwise_min(load(scores + i), upper), lower),
                 x = score * inverse_cap, z = x * x;
    store(row + i, z <= broadcast(kSmallSquare) ? load(row + i) : score * tanh_ratio(z));
  }
}

inline void cap_chunk(float* row, int n, float cap) {
  float scores[kCapChunk];
  if (!cap_small_scores(row, n, cap, scores)) cap_large_scores(row, n, cap, scores);
}

// Computes row[i] = cap * tanh(row[i] / cap).
inline void cap_row(float* row, int n, float cap) {
  const int vector_end = n / kVectorLanes * kVectorLanes;
  for (int i = 0; i < vector_end; i += kCapChunk)
    cap_chunk(row + i, vector_end - i < kCapChunk ? vector_end - i : kCapChunk, cap);
  if (vector_end == n) return;
  const std::size_t tail_bytes = static_cast<std::size_t>(n - vector_end) * sizeof(float);
  float padded[kVectorLanes] = {};
  __builtin_memcpy(padded, row + vector_end, tail_bytes);
  cap_chunk(padded, kVectorLanes, cap);
  __builtin_memcpy(row + vector_end, padded, tail_bytes);
}
