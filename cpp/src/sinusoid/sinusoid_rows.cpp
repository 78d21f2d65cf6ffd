#include "sinusoid/sinusoid_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/angle_addition.h"
#include "math/scalar_math.h"

namespace phasor {

SinusoidRows::SinusoidRows(std::span<const double> frequencies)
    : frequencies_(frequencies.begin(), frequencies.end()) {}

// Computes angles in double, because float32's relative error of about 6e-8 becomes a large
// absolute error at large angles.
void SinusoidRows::compute(double position, double* row) const {
  for (int t = 0; t < count(); ++t) {
    const double angle = position * frequencies_[static_cast<std::size_t>(t)];
    const SinCos point = sincos(angle);
    row[t] = point.cosine;
    row[count() + t] = point.sine;
  }
}

// Computes kRadix rows of cosines and sines, for the positions 0, step, 2 * step, ...
void SinusoidRows::compute_multiples(double step, int first_row) {
  compute(0, points(first_row));
  compute(step, points(first_row + 1));
  for (int n = 2; n < kRadix; ++n)
    kernels::active::add_angles(points(first_row + n - 1), points(first_row + 1), count(),
                                points(first_row + n));
}

SinusoidRows::AngleSum SinusoidRows::split(double position) {
  constexpr int kOnesRow = 0, kSixteensRow = kRadix, kBlockRow = 2 * kRadix,
                kSumRow = kBlockRow + 1;
  if (points_.empty()) {
    points_.resize(static_cast<std::size_t>(kPointRows) * 2 * frequencies_.size());
    compute_multiples(1, kOnesRow);
    compute_multiples(kRadix, kSixteensRow);
  }
  if (position != std::floor(position)) {
    compute(position, points(kSumRow));
    multiple_of_16_ = position;
    return {points(kSumRow), points(kOnesRow)};
  }
  const double multiple_of_16 = std::floor(position / kRadix) * kRadix;
  if (multiple_of_16 != multiple_of_16_) {
    const double multiple_of_256 =
        std::floor(multiple_of_16 / (kRadix * kRadix)) * (kRadix * kRadix);
    if (multiple_of_256 != multiple_of_256_) compute(multiple_of_256, points(kBlockRow));
    kernels::active::add_angles(
        points(kBlockRow),
        points(kSixteensRow + static_cast<int>(multiple_of_16 - multiple_of_256) / kRadix), count(),
        points(kSumRow));
    multiple_of_256_ = multiple_of_256;
    multiple_of_16_ = multiple_of_16;
  }
  return {points(kSumRow), points(kOnesRow + static_cast<int>(position - multiple_of_16))};
}

void SinusoidRows::write(double position, double* point) {
  const AngleSum sum = split(position);
  kernels::active::add_angles(sum.left, sum.right, count(), point);
}

void SinusoidRows::write(double position, double factor, float* cosine, float* sine) {
  const AngleSum sum = split(position);
  kernels::active::add_angles(sum.left, sum.right, count(), factor, cosine, sine);
}

void SinusoidRows::write(double position, double factor, SinusoidLayout layout, int first_frequency,
                         int frequency_count, std::span<float> row) {
  static_assert(kBytesPerFrequency == (1 + 2 * kPointRows) * sizeof(double));
  const AngleSum sum = split(position);
  const std::size_t n = frequencies_.size(), first_sine = static_cast<std::size_t>(first_frequency),
                    first_cosine = first_sine + static_cast<std::size_t>(frequency_count);
  if (layout == SinusoidLayout::interleaved) {
    if (2 * (first_sine + n) <= row.size())
      return kernels::active::add_angles_interleaved(sum.left, sum.right, count(), factor,
                                                     row.data() + 2 * first_sine);
    scratch_.resize(2 * n);
    kernels::active::add_angles_interleaved(sum.left, sum.right, count(), factor, scratch_.data());
    for (std::size_t c = 2 * first_sine; c < row.size(); ++c) row[c] = scratch_[c - 2 * first_sine];
    return;
  }
  if (first_cosine + n <= row.size())
    return kernels::active::add_angles(sum.left, sum.right, count(), factor,
                                       row.data() + first_cosine, row.data() + first_sine);
  scratch_.resize(2 * n);
  kernels::active::add_angles(sum.left, sum.right, count(), factor, scratch_.data() + n,
                              scratch_.data());
  for (std::size_t t = 0; t < n && first_sine + t < row.size(); ++t)
    row[first_sine + t] = scratch_[t];
  for (std::size_t t = 0; t < n && first_cosine + t < row.size(); ++t)
    row[first_cosine + t] = scratch_[n + t];
}

SineGrid::SineGrid(std::span<const double> rows, std::span<const double> columns)
    : rows_(rows),
      columns_(columns),
      row_point_(2 * rows.size()),
      column_point_(2 * columns.size()) {}

void SineGrid::write(double row, double column, float* cosine, float* sine) {
  rows_.write(row, row_point_.data());
  columns_.write(column, column_point_.data());
  kernels::active::add_angles(row_point_.data(), column_point_.data(), rows_.count(), 1, cosine,
                              sine);
}

std::vector<Sinusoid> list_sinusoids(std::span<const double> frequencies, SinusoidLayout layout,
                                     int dim) {
  const int count = static_cast<int>(frequencies.size());
  const bool is_interleaved = layout == SinusoidLayout::interleaved;
  const int unused_channels = std::max(dim - 2 * count, 0);
  std::vector<Sinusoid> sinusoids(static_cast<std::size_t>(count + unused_channels));
  for (int t = 0; t < count; ++t) {
    const int sine = is_interleaved ? 2 * t : t, cosine = is_interleaved ? 2 * t + 1 : count + t;
    sinusoids[static_cast<std::size_t>(t)] = {sine, cosine < dim ? cosine : -1,
                                              frequencies[static_cast<std::size_t>(t)]};
  }
  for (int channel = 0; channel < unused_channels; ++channel)
    sinusoids[static_cast<std::size_t>(count + channel)].sine = 2 * count + channel;
  return sinusoids;
}

}  // namespace phasor
