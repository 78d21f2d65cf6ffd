#include "kernels/stored_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <span>

#include "core/finite.h"
#include "kernels/gemm.h"
#include "kernels/weight_formats.h"

namespace phasor::kernels {

namespace {

constexpr int kStretch = 256;  // terms of a sum before it is added, a multiple of every block
int panels_of(int out_features) { return (out_features + kPanel - 1) / kPanel; }
int blocks_of(int in_features, int terms) { return (in_features + terms - 1) / terms; }

// y (16) += x (count) times rows of a panel, in the order of register_block.
template <class Format>
void add_row(const float* x, const std::uint8_t* row, int count, f32x4* y) {
  f32x4 sums[kVectors] = {};
  for (int i = 0; i < count; ++i, row += Format::kRow) {
    f32x4 numbers[kVectors];
    Format::widen(row, numbers);
    const f32x4 left = splat(x[i]);
    for (int v = 0; v < kVectors; ++v) sums[v] += left * numbers[v];
  }
  for (int v = 0; v < kVectors; ++v) y[v] += sums[v];
}

// Lane l: a[2 l] b[2 l] + a[2 l + 1] b[2 l + 1].
i32x4 dot_pairs(i16x8 a, i16x8 b) {
#if defined(__wasm_simd128__)
  return __builtin_wasm_dot_s_i32x4_i16x8(a, b);
#elif defined(__SSE2__)
  return __builtin_ia32_pmaddwd128(a, b);
#else
  const i32x4 wide_a = reinterpret_cast<i32x4>(a), wide_b = reinterpret_cast<i32x4>(b);
  return ((wide_a << 16) >> 16) * ((wide_b << 16) >> 16) + (wide_a >> 16) * (wide_b >> 16);
#endif
}

// The numbers of a block as unit * (high + low / 32768), with two integers of 16 bits each.
template <int kTerms>
struct SplitBlock {
  std::int16_t high[kTerms] = {}, low[kTerms] = {};
  float unit = 0, sum = 0;
};

template <int kTerms>
SplitBlock<kTerms> split(const float* x, int count) {
  SplitBlock<kTerms> out;
  float largest = 0;
  double sum = 0;
  for (int i = 0; i < count; ++i) {
    largest = std::max(largest, std::fabs(x[i]));
    sum += static_cast<double>(x[i]);
  }
  out.sum = static_cast<float>(sum);
  const double unit = static_cast<double>(largest) / 32767;
  if (unit == 0) return out;
  out.unit = static_cast<float>(unit);
  for (int i = 0; i < count; ++i) {
    const double exact = static_cast<double>(x[i]) / unit, high = std::nearbyint(exact);
    out.high[i] = static_cast<std::int16_t>(high);
    out.low[i] = static_cast<std::int16_t>(std::min(32767.0, (exact - high) * 32768));
  }
  return out;
}

}  // namespace

StoredMatrix::StoredMatrix(WeightDType dtype, int out_features, int in_features)
    : dtype_(dtype), out_(out_features), in_(in_features) {
  const auto inner = static_cast<std::size_t>(in_features);
  switch (dtype) {
    case WeightDType::f32: step_ = inner * Float32::kRow; break;
    case WeightDType::bf16:
    case WeightDType::f16: step_ = inner * Float16::kRow; break;
    case WeightDType::int8_blocks:
    case WeightDType::int8_blocks_16: {
      const int terms = block_terms(dtype);
      step_ = static_cast<std::size_t>(blocks_of(in_features, terms)) * block_bytes(terms);
      break;
    }
  }
  bytes_.resize(static_cast<std::size_t>(panels_of(out_features)) * step_);
}

double StoredMatrix::bytes(WeightDType dtype, int out_features, int in_features) {
  const double columns = static_cast<double>(panels_of(out_features)) * kPanel;
  if (const int terms = block_terms(dtype); terms > 0)
    return columns / kPanel * blocks_of(in_features, terms) *
           static_cast<double>(block_bytes(terms));
  return columns * in_features * (dtype == WeightDType::f32 ? 4 : 2);
}

void StoredMatrix::set(int out, int in, float value) {
  if (dtype_ != WeightDType::f32) std::abort();
  std::uint8_t* row = panel(out / kPanel) + static_cast<std::size_t>(in) * Float32::kRow;
  std::memcpy(row + static_cast<std::size_t>(out % kPanel) * sizeof value, &value, sizeof value);
}

void StoredMatrix::set(int out, int in, std::uint16_t bits) {
  if (dtype_ != WeightDType::bf16 && dtype_ != WeightDType::f16) std::abort();
  std::uint8_t* row = panel(out / kPanel) + static_cast<std::size_t>(in) * Float16::kRow;
  const int c = out % kPanel, lane = c / 8 * 4 + c % 4, upper = c / 4 % 2;
  std::memcpy(row + static_cast<std::size_t>(2 * lane + upper) * sizeof bits, &bits, sizeof bits);
}

void StoredMatrix::set_block(int out, int block, float scale, float offset, const std::int8_t* q) {
  const int terms = block_terms(dtype_);
  if (terms == 0) std::abort();
  std::uint8_t* to = panel(out / kPanel) + static_cast<std::size_t>(block) * block_bytes(terms);
  const auto column = static_cast<std::size_t>(out % kPanel);
  const int live = std::min(terms, in_ - block * terms);
  for (int i = 0; i < live; ++i)
    std::memcpy(to + 32 * (i / 2) + 2 * column + static_cast<std::size_t>(i % 2), q + i, 1);
  std::uint8_t* numbers = to + block_numbers(terms) + column * sizeof(float);
  std::memcpy(numbers, &scale, sizeof scale);
  std::memcpy(numbers + kPanel * sizeof scale, &offset, sizeof offset);
}

void StoredMatrix::widen(int number, int first, int count, float* to) const {
  const std::uint8_t* from = panel(number);
  const auto row = static_cast<std::size_t>(first);
  switch (dtype_) {
    case WeightDType::f32: return widen_rows<Float32>(from + row * Float32::kRow, count, to);
    case WeightDType::bf16: return widen_rows<BFloat16>(from + row * BFloat16::kRow, count, to);
    case WeightDType::f16: return widen_rows<Float16>(from + row * Float16::kRow, count, to);
    case WeightDType::int8_blocks:
    case WeightDType::int8_blocks_16: {
      const int terms = block_terms(dtype_);
      return widen_blocks(from + row / static_cast<std::size_t>(terms) * block_bytes(terms), terms,
                          count, to);
    }
  }
}

void StoredMatrix::copy_row(int out, float* to) const {
  float slab[kStretch * kPanel];
  for (int first = 0; first < in_; first += kStretch) {
    const int count = std::min(kStretch, in_ - first);
    widen(out / kPanel, first, count, slab);
    for (int i = 0; i < count; ++i) to[first + i] = slab[i * kPanel + out % kPanel];
  }
}

void StoredMatrix::one_row(const float* x, float* y) const {
  for (int p = 0; p < panels_of(out_); ++p) {
    f32x4 sums[kVectors] = {};
    for (int first = 0; first < in_; first += kStretch) {
      const int count = std::min(kStretch, in_ - first);
      const std::uint8_t* from = panel(p);
      const auto row = static_cast<std::size_t>(first);
      if (dtype_ == WeightDType::f32)
        add_row<Float32>(x + first, from + row * Float32::kRow, count, sums);
      else if (dtype_ == WeightDType::bf16)
        add_row<BFloat16>(x + first, from + row * BFloat16::kRow, count, sums);
      else
        add_row<Float16>(x + first, from + row * Float16::kRow, count, sums);
    }
    std::memcpy(y + p * kPanel, sums,
                static_cast<std::size_t>(std::min(kPanel, out_ - p * kPanel)) * sizeof(float));
  }
}

template <int kTerms>
void StoredMatrix::one_row_by_blocks(const float* x, float* y) const {
  std::vector<SplitBlock<kTerms>> left;
  for (int first = 0; first < in_; first += kTerms)
    left.push_back(split<kTerms>(x + first, std::min(kTerms, in_ - first)));
  for (int p = 0; p < panels_of(out_); ++p) {
    const std::uint8_t* block = panel(p);
    f32x4 sums[kVectors] = {};
    for (const SplitBlock<kTerms>& numbers : left) {
      i32x4 high[kVectors] = {}, low[kVectors] = {};  // below 2^31: 32 * 128 * 2^15 is 2^27
      for (int t = 0; t < kTerms / 2; ++t) {
        std::int32_t high_pair = 0, low_pair = 0;
        std::memcpy(&high_pair, numbers.high + 2 * t, sizeof high_pair);
        std::memcpy(&low_pair, numbers.low + 2 * t, sizeof low_pair);
        const i32x4 high_pairs = {high_pair, high_pair, high_pair, high_pair},
                    low_pairs = {low_pair, low_pair, low_pair, low_pair};
        for (int v = 0; v < kVectors; ++v) {
          const i16x8 q = __builtin_convertvector(load_as<i8x8>(block + 32 * t + 8 * v), i16x8);
          high[v] += dot_pairs(q, reinterpret_cast<i16x8>(high_pairs));
          low[v] += dot_pairs(q, reinterpret_cast<i16x8>(low_pairs));
        }
      }
      const std::uint8_t *scales = block + block_numbers(kTerms),
                         *offsets = scales + kPanel * sizeof(float);
      for (int v = 0; v < kVectors; ++v) {
        const f32x4 product = __builtin_convertvector(high[v], f32x4) +
                              __builtin_convertvector(low[v], f32x4) * splat(0x1p-15f);
        sums[v] += load_as<f32x4>(scales + 16 * v) * (product * splat(numbers.unit)) +
                   load_as<f32x4>(offsets + 16 * v) * splat(numbers.sum);
      }
      block += block_bytes(kTerms);
    }
    std::memcpy(y + p * kPanel, sums,
                static_cast<std::size_t>(std::min(kPanel, out_ - p * kPanel)) * sizeof(float));
  }
}

void StoredMatrix::product(const ConstMatrixRef& x, const MatrixRef& y) const {
  if (x.columns != in_ || y.columns != out_ || x.rows != y.rows) std::abort();
  if (x.rows == 0) return;  // there may be no memory
  if (x.rows == 1) {
    if (block_terms(dtype_) == 0) return one_row(x.data, y.data);
    // The integers have no NaN and no infinity.
    const std::span<const float> row(x.data, static_cast<std::size_t>(in_));
    if (first_nonfinite(row) == row.size()) {
      return dtype_ == WeightDType::int8_blocks ? one_row_by_blocks<32>(x.data, y.data)
                                                : one_row_by_blocks<16>(x.data, y.data);
    }
  }
  for (int r = 0; r < y.rows; ++r) std::fill_n(y.row(r), out_, 0.0f);
  float slab[kStretch * kPanel];
  for (int p = 0; p < panels_of(out_); ++p) {
    const MatrixRef to = columns_of(y, p * kPanel, std::min(kPanel, out_ - p * kPanel));
    for (int first = 0; first < in_; first += kStretch) {
      const int count = std::min(kStretch, in_ - first);
      widen(p, first, count, slab);
      active::accumulate(columns_of(x, first, count), panels(slab, count, to.columns), to);
    }
  }
}

}  // namespace phasor::kernels
