#include "kernels/stored_matrix.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <cstring>
#include <optional>
#include <span>

#include "core/finite.h"
#include "core/parallel.h"
#include "kernels/attention_kernels.h"
#include "kernels/gemm.h"
#include "kernels/stored_kernels.h"

namespace phasor::kernels {

namespace {

// Number of terms per partial sum. It must be a multiple of every block size.
constexpr int kChunk = 256;
constexpr int kMaxSlabPanels = 2;

int count_panels(int out_features) { return (out_features + kPanelColumns - 1) / kPanelColumns; }
int count_blocks(int in_features, int block_size) {
  return (in_features + block_size - 1) / block_size;
}

}  // namespace

const StoredKernels& stored_kernels(IsaLevel level) {
  if (!is_level_supported(level)) std::abort();
#if defined(__x86_64__) || defined(__i386__)
  if (level != IsaLevel::portable) return avx2::kStoredKernels;  // avx512 uses the avx2 kernels
#elif defined(__aarch64__)
  if (level == IsaLevel::neon) return neon::kStoredKernels;
#endif
  return portable::kStoredKernels;
}

SplitRow::SplitRow(const float* x, int count, int block_size)
    : block_count(count_blocks(count, block_size)) {
  const auto padded_size =
      static_cast<std::size_t>(block_count) * static_cast<std::size_t>(block_size);
  high.resize(padded_size);
  low.resize(padded_size);
  scale.resize(static_cast<std::size_t>(block_count));
  sum.resize(scale.size());
  for (std::size_t n = 0; n < scale.size(); ++n) {
    const int first = static_cast<int>(n) * block_size, end = std::min(count, first + block_size);
    float largest_magnitude = 0;
    double total = 0;
    for (int i = first; i < end; ++i) {
      largest_magnitude = std::max(largest_magnitude, std::fabs(x[i]));
      total += static_cast<double>(x[i]);
    }
    sum[n] = static_cast<float>(total);
    const double block_unit = static_cast<double>(largest_magnitude) / 32767;
    if (block_unit == 0) continue;
    scale[n] = static_cast<float>(block_unit);
    for (int i = first; i < end; ++i) {
      // Adding and subtracting 1.5 * 2^52 rounds a double to the nearest integer.
      const double quotient = static_cast<double>(x[i]) / block_unit,
                   rounded = quotient + 0x1.8p52 - 0x1.8p52;
      high[static_cast<std::size_t>(i)] = static_cast<std::int16_t>(rounded);
      low[static_cast<std::size_t>(i)] =
          static_cast<std::int16_t>(std::min(32767.0, (quotient - rounded) * 32768));
    }
  }
}

StoredMatrix::StoredMatrix(WeightDType dtype, int out_features, int in_features)
    : dtype_(dtype), out_features_(out_features), in_features_(in_features) {
  const int block_size = get_block_size(dtype);
  panel_stride_ = block_size > 0 ? static_cast<std::size_t>(count_blocks(in_features, block_size)) *
                                       block_bytes(block_size)
                                 : static_cast<std::size_t>(in_features) * row_bytes(dtype);
  bytes_.resize(static_cast<std::size_t>(count_panels(out_features)) * panel_stride_);
}

double StoredMatrix::bytes(WeightDType dtype, int out_features, int in_features) {
  const double columns = static_cast<double>(count_panels(out_features)) * kPanelColumns;
  if (const int block_size = get_block_size(dtype); block_size > 0)
    return columns / kPanelColumns * count_blocks(in_features, block_size) *
           static_cast<double>(block_bytes(block_size));
  return columns * in_features * (dtype == WeightDType::f32 ? 4 : 2);
}

void StoredMatrix::set(int out, int in, float value) {
  if (dtype_ != WeightDType::f32) std::abort();
  std::uint8_t* row = panel(out / kPanelColumns) + static_cast<std::size_t>(in) * row_bytes(dtype_);
  std::memcpy(row + static_cast<std::size_t>(out % kPanelColumns) * sizeof value, &value,
              sizeof value);
}

void StoredMatrix::set(int out, int in, std::uint16_t bits) {
  if (dtype_ != WeightDType::bf16 && dtype_ != WeightDType::f16) std::abort();
  std::uint8_t* row = panel(out / kPanelColumns) + static_cast<std::size_t>(in) * row_bytes(dtype_);
  const int c = out % kPanelColumns, lane = c / 8 * 4 + c % 4, upper = c / 4 % 2;
  std::memcpy(row + static_cast<std::size_t>(2 * lane + upper) * sizeof bits, &bits, sizeof bits);
}

void StoredMatrix::set_block(int out, int block, float scale, float offset, const std::int8_t* q) {
  const int block_size = get_block_size(dtype_);
  if (block_size == 0) std::abort();
  std::uint8_t* to =
      panel(out / kPanelColumns) + static_cast<std::size_t>(block) * block_bytes(block_size);
  const auto column = static_cast<std::size_t>(out % kPanelColumns);
  const int valid_terms = std::min(block_size, in_features_ - block * block_size);
  for (int i = 0; i < valid_terms; ++i)
    std::memcpy(to + 32 * (i / 2) + 2 * column + static_cast<std::size_t>(i % 2), q + i, 1);
  std::uint8_t* scales = to + scales_offset(block_size) + column * sizeof(float);
  std::memcpy(scales, &scale, sizeof scale);
  std::memcpy(scales + kPanelColumns * sizeof scale, &offset, sizeof offset);
}

void StoredMatrix::copy_row(int out, float* to) const {
  float slab[kChunk * kPanelColumns];
  for (int first = 0; first < in_features_; first += kChunk) {
    const int count = std::min(kChunk, in_features_ - first);
    stored_kernels(IsaLevel::portable)
        .widen(dtype_, panel(out / kPanelColumns), first, count, slab);
    for (int i = 0; i < count; ++i) to[first + i] = slab[i * kPanelColumns + out % kPanelColumns];
  }
}

void StoredMatrix::multiply(const ConstMatrixRef& x, const MatrixRef& y, IsaLevel level,
                            int threads) const {
  if (x.columns != in_features_ || y.columns != out_features_ || x.rows != y.rows) std::abort();
  if (x.rows == 0) return;  // the data pointer of an empty matrix may be null
  std::optional<SplitRow> split_row;
  if (const int block_size = get_block_size(dtype_); x.rows == 1 && block_size > 0) {
    // SplitRow cannot represent NaN or infinity, so multiply_rows() handles such rows.
    const std::span<const float> row(x.data, static_cast<std::size_t>(in_features_));
    if (find_first_nonfinite(row) == row.size())
      split_row.emplace(x.data, in_features_, block_size);
  }
  // A part must be large enough to be worth starting a thread. Each thread gets several parts,
  // because parts differ in cost.
  constexpr int kGrainColumns = 4 * kPanelColumns, kPartsPerThread = 4;
  constexpr double kWorkPerPart = 1 << 18;
  const double work = static_cast<double>(x.rows) * in_features_ * out_features_;
  const int max_parts = threads == 1 ? 1 : kPartsPerThread * threads,
            part_count = static_cast<int>(
                std::clamp(work / kWorkPerPart, 1.0, static_cast<double>(max_parts))),
            grain_count = (out_features_ + kGrainColumns - 1) / kGrainColumns,
            columns = (grain_count + part_count - 1) / part_count * kGrainColumns;
  run_parallel(threads, (out_features_ + columns - 1) / columns, [&](WorkItems& items) {
    for (int part = 0; items.next(part);) {
      const int first = part * columns, count = std::min(columns, out_features_ - first);
      const MatrixRef to = columns_of(y, first, count);
      if (x.rows > 1 || (get_block_size(dtype_) > 0 && !split_row)) {
        multiply_rows(x, first, to, level);
        continue;
      }
      const StoredPanels part_panels{dtype_, panel(first / kPanelColumns), panel_stride_, count,
                                     in_features_};
      const StoredKernels& level_kernels = stored_kernels(level);
      split_row ? level_kernels.multiply_split_row(part_panels, *split_row, to.data)
                : level_kernels.multiply_vector(part_panels, x.data, to.data);
    }
  });
}

void StoredMatrix::multiply_rows(const ConstMatrixRef& x, int first_out, const MatrixRef& y,
                                 IsaLevel level) const {
  const StoredKernels& level_kernels = stored_kernels(level);
  const AttentionKernels& attention = attention_kernels(level);
  for (int r = 0; r < y.rows; ++r) std::fill_n(y.row(r), y.columns, 0.0f);
  float slab[kMaxSlabPanels * kChunk * kPanelColumns];
  const int columns = level_kernels.panels_per_slab * kPanelColumns;
  for (int column = 0; column < y.columns; column += columns) {
    const MatrixRef to = columns_of(y, column, std::min(columns, y.columns - column));
    for (int first = 0; first < in_features_; first += kChunk) {
      const int count = std::min(kChunk, in_features_ - first);
      for (int p = 0; p < count_panels(to.columns); ++p) {
        level_kernels.widen(dtype_, panel((first_out + column) / kPanelColumns + p), first, count,
                            slab + p * count * kPanelColumns);
      }
      attention.accumulate(columns_of(x, first, count), make_panels(slab, count, to.columns), to);
    }
  }
}

}  // namespace phasor::kernels
