// The wide kernels. There is no include guard: avx2.cpp, avx512.cpp, neon.cpp and portable.cpp
// include this file within a namespace that defines:
//   Vector, kVectorLanes          a register of kVectorLanes floats
//   kRows                  maximum number of rows in a block of c
//   kVectors               registers per row in blocks of three or more rows
//   kSums                  registers for the sums of a block
//   multiply_add(x, y, z)  x * y + z, fused if the level has fused instructions
//   broadcast(x)           x in every lane
//   PHASOR_TARGET          the attribute that enables the instructions of the level
//
// An attribute is used instead of a compiler flag per file, so that inline functions of headers
// are compiled for every processor, whichever copy the linker keeps. Loops over registers are
// unrolled by pragmas, because GCC would otherwise keep the sums in memory.

PHASOR_TARGET inline Vector load(const float* p) {
  Vector v;
  __builtin_memcpy(&v, p, sizeof v);
  return v;
}
PHASOR_TARGET inline void store(float* p, Vector v) { __builtin_memcpy(p, &v, sizeof v); }

// Computes a full block of c: Rows x (Vectors * kVectorLanes) elements.
template <int Rows, int Vectors>
PHASOR_TARGET __attribute__((noinline)) void multiply_block(const LeftOperand& a,
                                                            const RightOperand& b, int inner,
                                                            float scale, bool accumulate, float* c,
                                                            std::ptrdiff_t c_stride) {
  Vector sums[Rows][Vectors] = {};
  const float* left[Rows];
#pragma GCC unroll 16
  for (int r = 0; r < Rows; ++r) left[r] = a.data + r * a.row_stride;
  const std::ptrdiff_t left_stride = a.column_stride, row_stride = b.row_stride,
                       panel_stride = b.panel_stride;
  const float* from = b.data;
  for (std::ptrdiff_t i = 0, left_offset = 0; i < inner;
       ++i, left_offset += left_stride, from += row_stride) {
    Vector right[Vectors];
#pragma GCC unroll 16
    for (int v = 0; v < Vectors; ++v)
      right[v] = load(from + v * kVectorLanes / kPanelColumns * panel_stride +
                      v * kVectorLanes % kPanelColumns);
#pragma GCC unroll 16
    for (int r = 0; r < Rows; ++r) {
      const Vector x = broadcast(left[r][left_offset]);
#pragma GCC unroll 16
      for (int v = 0; v < Vectors; ++v) sums[r][v] = multiply_add(x, right[v], sums[r][v]);
    }
  }
  const Vector factor = broadcast(scale);
#pragma GCC unroll 16
  for (int r = 0; r < Rows; ++r) {
#pragma GCC unroll 16
    for (int v = 0; v < Vectors; ++v) {
      float* to = c + r * c_stride + v * kVectorLanes;
      store(to, accumulate ? multiply_add(factor, sums[r][v], load(to)) : factor * sums[r][v]);
    }
  }
}

using BlockFunction = void (*)(const LeftOperand&, const RightOperand&, int, float, bool, float*,
                               std::ptrdiff_t);

template <int Vectors>
constexpr int kMaxRows = kSums / Vectors < kRows ? kSums / Vectors : kRows;

template <int Vectors, int... Indices>
BlockFunction select_block_function(int rows, std::integer_sequence<int, Indices...>) {
  static constexpr BlockFunction kBlocks[] = {multiply_block<Indices + 1, Vectors>...};
  return kBlocks[rows - 1];
}

// Returns the number of rows of the next block. The last two blocks have similar heights, because a
// block of one or two rows has too few independent sums.
template <int Vectors>
int block_rows(int rows_left) {
  constexpr int kMaxBlockRows = kMaxRows<Vectors>;
  if (rows_left >= 2 * kMaxBlockRows) return kMaxBlockRows;
  return rows_left <= kMaxBlockRows ? rows_left : (rows_left + 1) / 2;
}

template <int Vectors>
void multiply_blocks(const LeftOperand& a, const RightOperand& b, int inner, float scale,
                     bool accumulate, const MatrixRef& c) {
  constexpr int kColumns = Vectors * kVectorLanes;
  for (int r = 0, rows = 0; r < c.rows; r += rows) {
    rows = block_rows<Vectors>(c.rows - r);
    const BlockFunction block_function =
        select_block_function<Vectors>(rows, std::make_integer_sequence<int, kMaxRows<Vectors>>());
    const LeftOperand left{a.data + r * a.row_stride, a.row_stride, a.column_stride};
    if (c.columns == kColumns) {
      // Prefetches the rows of c before the block runs. Inside the block, their addresses would
      // occupy registers.
      for (int n = 0; accumulate && n < rows; ++n) {
        for (int i = 0; i < kColumns; i += kVectorLanes) __builtin_prefetch(c.row(r + n) + i, 1);
      }
      block_function(left, b, inner, scale, accumulate, c.row(r), c.stride);
      continue;
    }
    // Columns of padded_block beyond the end of c are not copied.
    float padded_block[kMaxRows<Vectors> * kColumns];
    block_function(left, b, inner, scale, false, padded_block, kColumns);
    for (int n = 0; n < rows; ++n) {
      float* to = c.row(r + n);
      for (int i = 0; i < c.columns; ++i)
        to[i] =
            accumulate ? to[i] + padded_block[n * kColumns + i] : padded_block[n * kColumns + i];
    }
  }
}

// Adds left[t] * row t to sums (columns), for t = 0 .. Terms - 1 in this order.
template <int Terms>
PHASOR_TARGET __attribute__((noinline)) void add_rows(const float* left, std::ptrdiff_t left_stride,
                                                      const float* rows, std::ptrdiff_t row_stride,
                                                      int columns, float* sums) {
  Vector factors[Terms];
#pragma GCC unroll 16
  for (int t = 0; t < Terms; ++t) factors[t] = broadcast(left[t * left_stride]);
  for (int c = 0; c < columns; c += kVectorLanes) {
    Vector sum = load(sums + c);
#pragma GCC unroll 16
    for (int t = 0; t < Terms; ++t)
      sum = multiply_add(factors[t], load(rows + t * row_stride + c), sum);
    store(sums + c, sum);
  }
}

// Multiplies one row by an unpacked matrix, which is read once, row by row.
inline void multiply_row(const LeftOperand& a, const RightOperand& b, int inner, float scale,
                         bool accumulate, const MatrixRef& c) {
  constexpr int kStripColumns = 1024, kTermsPerPass = 8;
  float sums[kStripColumns];
  for (int c0 = 0; c0 < c.columns; c0 += kStripColumns) {
    const int columns = c.columns - c0 < kStripColumns ? c.columns - c0 : kStripColumns;
    for (int i = 0; i < columns; ++i) sums[i] = 0;
    int i = 0;
    for (; i + kTermsPerPass <= inner; i += kTermsPerPass)
      add_rows<kTermsPerPass>(a.data + i * a.column_stride, a.column_stride,
                              b.data + i * b.row_stride + c0, b.row_stride, columns, sums);
    for (; i < inner; ++i)
      add_rows<1>(a.data + i * a.column_stride, 0, b.data + i * b.row_stride + c0, 0, columns,
                  sums);
    float* to = c.data + c0;
    for (int n = 0; n < columns; ++n)
      to[n] = accumulate ? to[n] + scale * sums[n] : scale * sums[n];
  }
}

// Computes the columns of c from c0 on, as far as they form full blocks. Returns the first
// remaining column.
template <int Vectors>
int multiply_full_blocks(const LeftOperand& a, const RightOperand& b, int inner, float scale,
                         bool accumulate, const MatrixRef& c, int c0 = 0) {
  constexpr int kColumns = Vectors * kVectorLanes;
  for (; c0 + kColumns <= c.columns; c0 += kColumns) {
    const RightOperand right{b.data + c0 / kPanelColumns * b.panel_stride, b.row_stride,
                             b.panel_stride};
    multiply_blocks<Vectors>(a, right, inner, scale, accumulate,
                             {c.data + c0, c.rows, kColumns, c.stride});
  }
  return c0;
}

inline void multiply(const LeftOperand& a, const RightOperand& b, int inner, float scale,
                     bool accumulate, const MatrixRef& c) {
  if (c.rows == 1 && b.panel_stride == kPanelColumns)
    return multiply_row(a, b, inner, scale, accumulate, c);
  // Blocks of one or two rows are wider, because only independent sums hide the latency of
  // additions.
  int c0 = c.rows == 1   ? multiply_full_blocks<8>(a, b, inner, scale, accumulate, c)
           : c.rows == 2 ? multiply_full_blocks<4>(a, b, inner, scale, accumulate, c)
                         : multiply_full_blocks<kVectors>(a, b, inner, scale, accumulate, c);
  if constexpr (kVectors * kVectorLanes > 2 * kPanelColumns)
    c0 = multiply_full_blocks<2 * kPanelColumns / kVectorLanes>(a, b, inner, scale, accumulate, c,
                                                                c0);
  for (int count = 0; c0 < c.columns; c0 += count) {
    count = c.columns - c0 < kPanelColumns ? c.columns - c0 : kPanelColumns;
    const RightOperand right{b.data + c0 / kPanelColumns * b.panel_stride, b.row_stride,
                             b.panel_stride};
    multiply_blocks<kPanelColumns / kVectorLanes>(a, right, inner, scale, accumulate,
                                                  {c.data + c0, c.rows, count, c.stride});
  }
}

PHASOR_TARGET inline float sum_lanes(Vector v) {
  float lanes[kVectorLanes];
  store(lanes, v);
  f32x4 four = kernels::load(lanes);
  for (int i = kLanes; i < kVectorLanes; i += kLanes) four += kernels::load(lanes + i);
  return kernels::sum(four);
}

// Computes c (LeftRows, RightRows) = scale a b^T. The result is added to c if `accumulate` is true.
template <int LeftRows, int RightRows>
PHASOR_TARGET __attribute__((noinline)) void dot_block(const ConstMatrixRef& a,
                                                       const ConstMatrixRef& b, float scale,
                                                       bool accumulate, const MatrixRef& c) {
  Vector sums[LeftRows][RightRows] = {};
  const float *rows_of_a[LeftRows], *rows_of_b[RightRows];
#pragma GCC unroll 16
  for (int l = 0; l < LeftRows; ++l) rows_of_a[l] = a.row(l);
#pragma GCC unroll 16
  for (int r = 0; r < RightRows; ++r) rows_of_b[r] = b.row(r);
  int i = 0;
  for (; i + kVectorLanes <= b.columns; i += kVectorLanes) {
    Vector left[LeftRows];
#pragma GCC unroll 16
    for (int l = 0; l < LeftRows; ++l) left[l] = load(rows_of_a[l] + i);
#pragma GCC unroll 16
    for (int r = 0; r < RightRows; ++r) {
      const Vector right = load(rows_of_b[r] + i);
#pragma GCC unroll 16
      for (int l = 0; l < LeftRows; ++l) sums[l][r] = multiply_add(left[l], right, sums[l][r]);
    }
  }
#pragma GCC unroll 16
  for (int l = 0; l < LeftRows; ++l) {
#pragma GCC unroll 16
    for (int r = 0; r < RightRows; ++r) {
      float sum = sum_lanes(sums[l][r]);
      for (int column = i; column < b.columns; ++column)
        sum += rows_of_a[l][column] * rows_of_b[r][column];
      float& to = c.row(l)[r];
      to = accumulate ? to + scale * sum : scale * sum;
    }
  }
}

inline void multiply_transposed(const ConstMatrixRef& a, const ConstMatrixRef& b, float scale,
                                bool accumulate, const MatrixRef& c) {
  const auto select_block = [&](int row, int rows, int n, int count) {
    return MatrixRef{c.row(row) + n, rows, count, c.stride};
  };
  int n = 0;
  // Takes four rows of b at a time, so that they stay in the cache for all rows of a.
  for (; n + 4 <= b.rows; n += 4) {
    int row = 0;
    for (; row + 2 <= a.rows; row += 2)
      dot_block<2, 4>(rows_of(a, row, 2), rows_of(b, n, 4), scale, accumulate,
                      select_block(row, 2, n, 4));
    if (row < a.rows)
      dot_block<1, 4>(rows_of(a, row, 1), rows_of(b, n, 4), scale, accumulate,
                      select_block(row, 1, n, 4));
  }
  for (; n < b.rows; ++n) {
    for (int row = 0; row < a.rows; ++row)
      dot_block<1, 1>(rows_of(a, row, 1), rows_of(b, n, 1), scale, accumulate,
                      select_block(row, 1, n, 1));
  }
}
