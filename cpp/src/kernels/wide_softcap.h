// The soft cap of scores in registers, without an include guard: softcap.cpp and the wide kernels
// include this once each within a namespace that defines Vector, kWide, load, store, spread,
// multiply_add and PHASOR_TARGET (wide_blocks.h).

PHASOR_TARGET inline Vector smaller(Vector a, Vector b) { return b < a ? b : a; }
PHASOR_TARGET inline Vector larger(Vector a, Vector b) { return a < b ? b : a; }

// For x^2 up to this bound a short polynomial approximates tanh; most scores are within half of the
// cap.
constexpr float kSmallSquare = 0.25f;

// Number of scores capped at a time. The result of a score does not depend on the others, so
// decoding gives the same bits as the whole text.
constexpr int kCapChunk = 64;

// tanh(x) / x as a function of z = x^2 <= kSmallSquare: minimax for the relative error, 2e-8 before
// rounding.
PHASOR_TARGET inline Vector small_tanh(Vector z) {
  Vector p = spread(1.724149151e-2f);
  p = multiply_add(p, z, spread(-5.304549428e-2f));
  p = multiply_add(p, z, spread(0.1332587896f));
  p = multiply_add(p, z, spread(-0.3333314390f));
  return multiply_add(p, z, spread(1.0f));
}

// tanh(x) / x as a function of z = x^2 <= 81, minimax for the relative error, 2e-8 before rounding
// and 3e-7 with it.
PHASOR_TARGET inline Vector tanh_of(Vector z) {
  Vector p = spread(1.333666821e-8f);
  p = multiply_add(p, z, spread(2.059614115e-5f));
  p = multiply_add(p, z, spread(3.49480296e-3f));
  p = multiply_add(p, z, spread(0.1338036481f));
  p = multiply_add(p, z, spread(0.9999999792f));
  Vector q = spread(7.769208345e-7f);
  q = multiply_add(q, z, spread(3.28434999e-4f));
  q = multiply_add(q, z, spread(2.587399604e-2f));
  q = multiply_add(q, z, spread(0.4671368023f));
  q = multiply_add(q, z, spread(1.0f));
  return p / q;
}

// Two loops in separate functions, because V8 computes the constants of a loop once, but the
// constants of a function that is called per vector at every call.

// Caps n scores, a multiple of kWide, as if all were small, and saves them in `scores`. Returns
// whether all are small.
PHASOR_TARGET __attribute__((noinline)) bool cap_small(float* row, int n, float cap,
                                                       float* scores) {
  const Vector part = spread(1 / cap);
  Vector largest = spread(0);
  for (int i = 0; i < n; i += kWide) {
    const Vector score = load(row + i), x = score * part, z = x * x;
    store(scores + i, score);
    store(row + i, score * small_tanh(z));
    largest = larger(largest, z);
  }
  float lanes[kWide];
  store(lanes, largest);
  bool is_small = true;
  for (const float lane : lanes) is_small &= !(lane > kSmallSquare);
  return is_small;
}

// Recomputes the scores of cap_small() that are not small. For x above 9, tanh is 1 in float32. NaN
// stays NaN. Scores rather than x are clamped, because V8 needs one instruction for the minimum of
// two variables, and eight if one is a constant.
PHASOR_TARGET __attribute__((noinline)) void cap_large(float* row, int n, float cap,
                                                       const float* scores) {
  const float end =
      9 * cap < std::numeric_limits<float>::max() ? 9 * cap : std::numeric_limits<float>::max();
  const Vector part = spread(1 / cap), last = spread(end), first = spread(-end);
  for (int i = 0; i < n; i += kWide) {
    const Vector score = larger(smaller(load(scores + i), last), first), x = score * part,
                 z = x * x;
    store(row + i, z <= spread(kSmallSquare) ? load(row + i) : score * tanh_of(z));
  }
}

inline void cap_chunk(float* row, int n, float cap) {
  float scores[kCapChunk];
  if (!cap_small(row, n, cap, scores)) cap_large(row, n, cap, scores);
}

// row[i] = cap * tanh(row[i] / cap)
inline void cap_row(float* row, int n, float cap) {
  const int whole = n / kWide * kWide;
  for (int i = 0; i < whole; i += kCapChunk)
    cap_chunk(row + i, whole - i < kCapChunk ? whole - i : kCapChunk, cap);
  if (whole == n) return;
  const std::size_t rest = static_cast<std::size_t>(n - whole) * sizeof(float);
  float edge[kWide] = {};
  __builtin_memcpy(edge, row + whole, rest);
  cap_chunk(edge, kWide, cap);
  __builtin_memcpy(row + whole, edge, rest);
}
