// The loops over panels of stored matrices (kernels/stored_kernels.h). There is no include guard:
// the including file defines the names that wide_blocks.h needs, and
//   Integers         a register of kVectorLanes 32-bit integers
//   Shorts           a register of 2 * kVectorLanes 16-bit integers
//   load_bytes(p)    2 * kVectorLanes signed bytes as Shorts
//   dot_pairs(a, b)  lane l: a[2 l] b[2 l] + a[2 l + 1] b[2 l + 1]
//   order(a, b)      reorders lanes of columns c and c + 4 to consecutive columns

constexpr int kVectorsPerPanel = kPanelColumns / kVectorLanes, kChunk = 256;
// Number of panels per pass. It gives enough independent sums to hide the latency of additions.
constexpr int kRowPanels = kVectorLanes == 8 ? 4 : 1;

template <class T>
PHASOR_TARGET inline T load_as(const void* from) {
  T v;
  __builtin_memcpy(&v, from, sizeof v);
  return v;
}

struct Float32 {
  static constexpr std::size_t kBytes = row_bytes(WeightDType::f32);
  PHASOR_TARGET static inline void widen(const std::uint8_t* row, Vector* to) {
    for (int v = 0; v < kVectorsPerPanel; ++v) to[v] = load_as<Vector>(row + 4 * kVectorLanes * v);
  }
};

struct BFloat16 {
  static constexpr std::size_t kBytes = row_bytes(WeightDType::bf16);
  PHASOR_TARGET static inline void widen(const std::uint8_t* row, Vector* to) {
    for (int v = 0; v < kVectorsPerPanel; v += 2) {
      const Words packed = load_as<Words>(row + 2 * kVectorLanes * v);
      to[v] = reinterpret_cast<Vector>(packed << 16);
      to[v + 1] = reinterpret_cast<Vector>(packed & 0xffff0000u);
    }
  }
};

struct Float16 {
  static constexpr std::size_t kBytes = row_bytes(WeightDType::f16);
  // Converts the f16 value in the upper 16 bits of each lane. Shifted right by three bits, its
  // exponent and fraction are those of a float32 that is 2^112 times too small. Multiplying by
  // 2^112 also converts subnormal values.
  PHASOR_TARGET static inline Vector widen_upper_half(Words bits) {
    const Words shifted = (bits & 0x80000000u) | ((bits >> 3) & 0x0fffe000u);
    return reinterpret_cast<Vector>(shifted) * broadcast(0x1p112f);
  }
  PHASOR_TARGET static inline void widen(const std::uint8_t* row, Vector* to) {
    for (int v = 0; v < kVectorsPerPanel; v += 2) {
      const Words packed = load_as<Words>(row + 2 * kVectorLanes * v);
      to[v] = widen_upper_half(packed << 16);
      to[v + 1] = widen_upper_half(packed & 0xffff0000u);
    }
  }
};

template <class Format>
PHASOR_TARGET inline void reorder_columns(Vector* numbers) {
  if (Format::kBytes == 4 * kPanelColumns) return;
  for (int v = 0; v < kVectorsPerPanel; v += 2) order(numbers[v], numbers[v + 1]);
}

template <class Format>
PHASOR_TARGET void widen_rows(const std::uint8_t* row, int count, float* to) {
  for (int i = 0; i < count; ++i, row += Format::kBytes, to += kPanelColumns) {
    Vector numbers[kVectorsPerPanel];
    Format::widen(row, numbers);
    reorder_columns<Format>(numbers);
    for (int v = 0; v < kVectorsPerPanel; ++v) store(to + v * kVectorLanes, numbers[v]);
  }
}

PHASOR_TARGET inline void widen_blocks(const std::uint8_t* block, int block_size, int count,
                                       float* to) {
  for (; count > 0; block += block_bytes(block_size), count -= block_size) {
    const std::uint8_t *scales = block + scales_offset(block_size),
                       *offsets = scales + kPanelColumns * sizeof(float);
    for (int t = 0; t < block_size && t < count; t += 2, to += 2 * kPanelColumns) {
      for (int v = 0; v < kVectorsPerPanel; ++v) {
        using Pairs = std::int16_t __attribute__((vector_size(2 * kVectorLanes)));
        const auto packed = __builtin_convertvector(
            load_as<Pairs>(block + 16 * t + 2 * kVectorLanes * v), Integers);
        const Vector even_row = __builtin_convertvector((packed << 24) >> 24, Vector),
                     odd_row = __builtin_convertvector(packed >> 8, Vector),
                     scale = load_as<Vector>(scales + 4 * kVectorLanes * v),
                     offset = load_as<Vector>(offsets + 4 * kVectorLanes * v);
        store(to + v * kVectorLanes, scale * even_row + offset);
        if (t + 1 < count) store(to + kPanelColumns + v * kVectorLanes, scale * odd_row + offset);
      }
    }
  }
}

PHASOR_TARGET inline void widen(WeightDType dtype, const std::uint8_t* panel, int first, int count,
                                float* to) {
  if (const int block_size = get_block_size(dtype); block_size > 0) {
    const auto block = static_cast<std::size_t>(first / block_size);
    return widen_blocks(panel + block * block_bytes(block_size), block_size, count, to);
  }
  const std::uint8_t* row = panel + static_cast<std::size_t>(first) * row_bytes(dtype);
  if (dtype == WeightDType::f32) return widen_rows<Float32>(row, count, to);
  if (dtype == WeightDType::bf16) return widen_rows<BFloat16>(row, count, to);
  widen_rows<Float16>(row, count, to);
}

// Computes y (16 * Panels) = `Panels` panels times x (in_features). Terms are added in the same
// order as by accumulate() in wide_attention.h.
template <class Format, int Panels>
PHASOR_TARGET __attribute__((noinline)) void multiply_panels(const float* x, int in_features,
                                                             const std::uint8_t* panel,
                                                             std::size_t panel_stride, float* y) {
  Vector totals[Panels][kVectorsPerPanel] = {};
  for (int first = 0; first < in_features; first += kChunk) {
    const int end = in_features - first < kChunk ? in_features : first + kChunk;
    Vector sums[Panels][kVectorsPerPanel] = {};
    const std::uint8_t* row = panel + static_cast<std::size_t>(first) * Format::kBytes;
    for (int i = first; i < end; ++i, row += Format::kBytes) {
      const Vector left = broadcast(x[i]);
#pragma GCC unroll 16
      for (int p = 0; p < Panels; ++p) {
        Vector numbers[kVectorsPerPanel];
        Format::widen(row + static_cast<std::size_t>(p) * panel_stride, numbers);
#pragma GCC unroll 16
        for (int v = 0; v < kVectorsPerPanel; ++v)
          sums[p][v] = multiply_add(left, numbers[v], sums[p][v]);
      }
    }
#pragma GCC unroll 16
    for (int p = 0; p < Panels; ++p) {
#pragma GCC unroll 16
      for (int v = 0; v < kVectorsPerPanel; ++v) totals[p][v] += sums[p][v];
    }
  }
#pragma GCC unroll 16
  for (int p = 0; p < Panels; ++p) {
    reorder_columns<Format>(totals[p]);
    for (int v = 0; v < kVectorsPerPanel; ++v)
      store(y + p * kPanelColumns + v * kVectorLanes, totals[p][v]);
  }
}

inline void copy_columns(const float* from, int column, int columns, int out_features, float* y) {
  for (int c = 0; c < columns && column + c < out_features; ++c) y[column + c] = from[c];
}

template <class Format>
void multiply_vector_as(const StoredPanels& m, const float* x, float* y) {
  constexpr int kColumns = kRowPanels * kPanelColumns;
  float padded[kColumns];
  int column = 0;
  for (; column + kColumns <= m.out_features; column += kColumns)
    multiply_panels<Format, kRowPanels>(x, m.in_features, m.find_panel(column), m.panel_stride,
                                        y + column);
  for (; column < m.out_features; column += kPanelColumns) {
    multiply_panels<Format, 1>(x, m.in_features, m.find_panel(column), m.panel_stride, padded);
    copy_columns(padded, column, kPanelColumns, m.out_features, y);
  }
}

inline void multiply_vector(const StoredPanels& m, const float* x, float* y) {
  if (m.dtype == WeightDType::f32) return multiply_vector_as<Float32>(m, x, y);
  if (m.dtype == WeightDType::bf16) return multiply_vector_as<BFloat16>(m, x, y);
  multiply_vector_as<Float16>(m, x, y);
}

PHASOR_TARGET inline Shorts spread_pair(const std::int16_t* pair) {
  std::int32_t packed;
  __builtin_memcpy(&packed, pair, sizeof packed);
  return reinterpret_cast<Shorts>(Integers{} + packed);
}

// Adds block `block_index` of x, multiplied by a block of a panel, to sums (16).
template <int BlockSize>
PHASOR_TARGET inline void add_block(const SplitRow& x, int block_index, const std::uint8_t* block,
                                    Vector* sums) {
  const auto n = static_cast<std::size_t>(block_index);
  const std::int16_t *x_high = x.high.data() + n * BlockSize, *x_low = x.low.data() + n * BlockSize;
  Integers high[kVectorsPerPanel] = {},
           low[kVectorsPerPanel] = {};  // at most 32 * 128 * 2^15 = 2^27, so int32 cannot overflow
#if !defined(__clang__)
// Without this, GCC adds in a tree and spills registers.
#pragma GCC unroll 1
#endif
  for (int t = 0; t < BlockSize; t += 2) {
    const Shorts high_pairs = spread_pair(x_high + t), low_pairs = spread_pair(x_low + t);
#pragma GCC unroll 16
    for (int v = 0; v < kVectorsPerPanel; ++v) {
      const Shorts q = load_bytes(block + 16 * t + 2 * kVectorLanes * v);
      high[v] += dot_pairs(q, high_pairs);
      low[v] += dot_pairs(q, low_pairs);
    }
  }
  const std::uint8_t *scales = block + scales_offset(BlockSize),
                     *offsets = scales + kPanelColumns * sizeof(float);
  const Vector unit = broadcast(x.scale[n]), sum = broadcast(x.sum[n]);
#pragma GCC unroll 16
  for (int v = 0; v < kVectorsPerPanel; ++v) {
    const Vector product = __builtin_convertvector(high[v], Vector) +
                           __builtin_convertvector(low[v], Vector) * broadcast(0x1p-15f);
    sums[v] += load_as<Vector>(scales + 4 * kVectorLanes * v) * (product * unit) +
               load_as<Vector>(offsets + 4 * kVectorLanes * v) * sum;
  }
}

// Computes y (16 * Panels) = x times `Panels` panels of blocks. Several panels are read at the same
// time, because the processor prefetches each one separately.
template <int BlockSize, int Panels>
PHASOR_TARGET __attribute__((noinline)) void multiply_block_panels(const SplitRow& x,
                                                                   const std::uint8_t* panel,
                                                                   std::size_t panel_stride,
                                                                   float* y) {
  Vector sums[Panels][kVectorsPerPanel] = {};
  for (int n = 0; n < x.block_count; ++n, panel += block_bytes(BlockSize)) {
    for (int p = 0; p < Panels; ++p)
      add_block<BlockSize>(x, n, panel + static_cast<std::size_t>(p) * panel_stride, sums[p]);
  }
  for (int p = 0; p < Panels; ++p) {
    for (int v = 0; v < kVectorsPerPanel; ++v)
      store(y + p * kPanelColumns + v * kVectorLanes, sums[p][v]);
  }
}

template <int BlockSize>
void multiply_split_row(const StoredPanels& m, const SplitRow& x, float* y) {
  constexpr int kColumns = kRowPanels * kPanelColumns;
  float padded[kPanelColumns];
  int column = 0;
  for (; column + kColumns <= m.out_features; column += kColumns)
    multiply_block_panels<BlockSize, kRowPanels>(x, m.find_panel(column), m.panel_stride,
                                                 y + column);
  for (; column < m.out_features; column += kPanelColumns) {
    multiply_block_panels<BlockSize, 1>(x, m.find_panel(column), m.panel_stride, padded);
    copy_columns(padded, column, kPanelColumns, m.out_features, y);
  }
}

inline void multiply_split_row(const StoredPanels& m, const SplitRow& x, float* y) {
  get_block_size(m.dtype) == 32 ? multiply_split_row<32>(m, x, y) : multiply_split_row<16>(m, x, y);
}
