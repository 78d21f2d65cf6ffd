// The wide kernels themselves, without a guard: avx2.cpp, avx512.cpp and neon.cpp include this once
// each within a namespace that says
//   Vector, kWide      a register of kWide floats
//   kRows, kVectors    the largest block of c whose sums are kept in registers, (kRows, kVectors)
//   multiply_add(x, y, z), spread(x)      x * y + z, rounded once; x in every lane
// and with PHASOR_TARGET, the attribute without which a compiler refuses these instructions. It
// stands at each function instead of a flag at the file: what a header defines inline is then still
// compiled for every processor, whichever copy of it the linker keeps.

PHASOR_TARGET inline Vector load(const float* p) {
  Vector v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
PHASOR_TARGET inline void store(float* p, Vector v) { __builtin_memcpy(p, &v, sizeof v); }

// Rows x (Vectors * kWide) numbers of c, which all exist.
template <int Rows, int Vectors>
PHASOR_TARGET __attribute__((noinline)) void block(const LeftSide& a, const RightSide& b, int inner,
                                                   float scale, bool adds, float* c,
                                                   std::ptrdiff_t c_stride) {
  Vector sums[Rows][Vectors] = {};
  const float* left[Rows];
  for (int r = 0; r < Rows; ++r) left[r] = a.data + r * a.down;
  const std::ptrdiff_t step = a.right, down = b.down, panel = b.panel;
  const float* from = b.data;
  for (std::ptrdiff_t i = 0, at = 0; i < inner; ++i, at += step, from += down) {
    Vector right[Vectors];
    for (int v = 0; v < Vectors; ++v)
      right[v] = load(from + v * kWide / kPanel * panel + v * kWide % kPanel);
    for (int r = 0; r < Rows; ++r) {
      const Vector x = spread(left[r][at]);
      for (int v = 0; v < Vectors; ++v) sums[r][v] = multiply_add(x, right[v], sums[r][v]);
    }
  }
  const Vector factor = spread(scale);
  for (int r = 0; r < Rows; ++r) {
    for (int v = 0; v < Vectors; ++v) {
      float* to = c + r * c_stride + v * kWide;
      store(to, adds ? multiply_add(factor, sums[r][v], load(to)) : factor * sums[r][v]);
    }
  }
}

using Block = void (*)(const LeftSide&, const RightSide&, int, float, bool, float*, std::ptrdiff_t);

// The block of 1 to kRows rows.
template <int Vectors, int... More>
Block block_of(int rows, std::integer_sequence<int, More...>) {
  static constexpr Block kBlocks[] = {block<More + 1, Vectors>...};
  return kBlocks[rows - 1];
}

// Two blocks of nearly equal height instead of a full one and one of a row or two, whose few sums
// would wait for each other.
inline int block_rows(int rows_left) {
  if (rows_left >= 2 * kRows) return kRows;
  return rows_left <= kRows ? rows_left : (rows_left + 1) / 2;
}

template <int Vectors>
void each_block(const LeftSide& a, const RightSide& b, int inner, float scale, bool adds,
                const MatrixRef& c) {
  constexpr int kColumns = Vectors * kWide;
  for (int r = 0, rows = 0; r < c.rows; r += rows) {
    rows = block_rows(c.rows - r);
    const Block run = block_of<Vectors>(rows, std::make_integer_sequence<int, kRows>());
    const LeftSide left{a.data + r * a.down, a.down, a.right};
    if (c.columns == kColumns) {
      run(left, b, inner, scale, adds, c.row(r), c.stride);
      continue;
    }
    float edge[kRows * kColumns];  // where c ends within a panel
    run(left, b, inner, scale, false, edge, kColumns);
    for (int n = 0; n < rows; ++n) {
      float* to = c.row(r + n);
      for (int i = 0; i < c.columns; ++i)
        to[i] = adds ? to[i] + edge[n * kColumns + i] : edge[n * kColumns + i];
    }
  }
}

// sums (columns) += Terms rows of b, each times its number of the left row, one after the other
template <int Terms>
PHASOR_TARGET __attribute__((noinline)) void add_rows(const float* left, std::ptrdiff_t step,
                                                      const float* rows, std::ptrdiff_t down,
                                                      int columns, float* sums) {
  Vector factors[Terms];
  for (int t = 0; t < Terms; ++t) factors[t] = spread(left[t * step]);
  for (int c = 0; c < columns; c += kWide) {
    Vector sum = load(sums + c);
    for (int t = 0; t < Terms; ++t) sum = multiply_add(factors[t], load(rows + t * down + c), sum);
    store(sums + c, sum);
  }
}

// One row by a matrix as it lies in memory, which is read once, row after row.
inline void multiply_row(const LeftSide& a, const RightSide& b, int inner, float scale, bool adds,
                         const MatrixRef& c) {
  constexpr int kStrip = 1024, kTerms = 8;
  float sums[kStrip];
  for (int c0 = 0; c0 < c.columns; c0 += kStrip) {
    const int columns = c.columns - c0 < kStrip ? c.columns - c0 : kStrip;
    for (int i = 0; i < columns; ++i) sums[i] = 0;
    int i = 0;
    for (; i + kTerms <= inner; i += kTerms)
      add_rows<kTerms>(a.data + i * a.right, a.right, b.data + i * b.down + c0, b.down, columns,
                       sums);
    for (; i < inner; ++i)
      add_rows<1>(a.data + i * a.right, 0, b.data + i * b.down + c0, 0, columns, sums);
    float* to = c.data + c0;
    for (int n = 0; n < columns; ++n) to[n] = adds ? to[n] + scale * sums[n] : scale * sums[n];
  }
}

inline void multiply(const LeftSide& a, const RightSide& b, int inner, float scale, bool adds,
                     const MatrixRef& c) {
  if (c.rows == 1 && b.panel == kPanel) return multiply_row(a, b, inner, scale, adds, c);
  constexpr int kColumns = kVectors * kWide;
  for (int c0 = 0, count = 0; c0 < c.columns; c0 += count) {
    const int rest = c.columns - c0;
    count = rest >= kColumns ? kColumns : rest < kPanel ? rest : kPanel;
    const RightSide right{b.data + c0 / kPanel * b.panel, b.down, b.panel};
    const MatrixRef part{c.data + c0, c.rows, count, c.stride};
    if (count == kColumns)
      each_block<kVectors>(a, right, inner, scale, adds, part);
    else
      each_block<kPanel / kWide>(a, right, inner, scale, adds, part);
  }
}

PHASOR_TARGET inline float total(Vector v) {
  float lanes[kWide];
  store(lanes, v);
  for (int half = kWide / 2; half > 0; half /= 2) {
    for (int i = 0; i < half; ++i) lanes[i] += lanes[i + half];
  }
  return lanes[0];
}

// Rows of b share the loads of the row.
template <int Rows>
PHASOR_TARGET void dots_of(const float* row, const ConstMatrixRef& b, int first, float scale,
                           bool adds, float* c) {
  Vector sums[Rows][2] = {};
  const float* right[Rows];
  for (int r = 0; r < Rows; ++r)
    right[r] = b.data + static_cast<std::ptrdiff_t>(first + r) * b.stride;
  int i = 0;
  for (; i + 2 * kWide <= b.columns; i += 2 * kWide) {
    const Vector low = load(row + i), high = load(row + i + kWide);
    for (int r = 0; r < Rows; ++r) {
      sums[r][0] = multiply_add(low, load(right[r] + i), sums[r][0]);
      sums[r][1] = multiply_add(high, load(right[r] + i + kWide), sums[r][1]);
    }
  }
  for (int r = 0; r < Rows; ++r) {
    float sum = total(sums[r][0] + sums[r][1]);
    for (int rest = i; rest < b.columns; ++rest) sum += row[rest] * right[r][rest];
    c[first + r] = adds ? c[first + r] + scale * sum : scale * sum;
  }
}

inline void dots(const ConstMatrixRef& a, const ConstMatrixRef& b, float scale, bool adds,
                 const MatrixRef& c) {
  for (int n = 0, count = 0; n < b.rows; n += count) {
    count = n + 4 <= b.rows ? 4 : 1;
    for (int r = 0; r < a.rows; ++r) {
      if (count == 4)
        dots_of<4>(a.row(r), b, n, scale, adds, c.row(r));
      else
        dots_of<1>(a.row(r), b, n, scale, adds, c.row(r));
    }
  }
}
