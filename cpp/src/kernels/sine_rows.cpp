#include "kernels/sine_rows.h"

#include <algorithm>
#include <cmath>

#include "kernels/circle.h"
#include "math/sincos.h"

namespace phasor::kernels {

SineRows::SineRows(std::span<const double> frequencies) : frequencies_(frequencies.begin(), frequencies.end()) {}

// Angles are formed in double: in float32 an angle would be wrong by about 6e-8 of itself.
void SineRows::compute(double position, double* row) const {
  for (int t = 0; t < count(); ++t) {
    const double angle = position * frequencies_[static_cast<std::size_t>(t)];
    const SinCos point = sincos(angle);
    row[t] = point.cosine;
    row[count() + t] = point.sine;
  }
}

// The points of 0, step, 2 step .. in kDigits rows.
void SineRows::multiples(double step, int first) {
  compute(0, points(first));
  compute(step, points(first + 1));
  for (int n = 2; n < kDigits; ++n) active::add_angles(points(first + n - 1), points(first + 1), count(), points(first + n));
}

SineRows::Sum SineRows::split(double position) {
  constexpr int kOnes = 0, kSixteens = kDigits, kBlock = 2 * kDigits, kSum = kBlock + 1;
  if (points_.empty()) {
    points_.resize(static_cast<std::size_t>(2 * kDigits + 2) * 2 * frequencies_.size());
    multiples(1, kOnes);
    multiples(kDigits, kSixteens);
  }
  if (position != std::floor(position)) {
    compute(position, points(kSum));
    sixteen_ = position;
    return {points(kSum), points(kOnes)};
  }
  const double sixteen = std::floor(position / kDigits) * kDigits;
  if (sixteen != sixteen_) {
    const double block = std::floor(sixteen / (kDigits * kDigits)) * (kDigits * kDigits);
    if (block != block_) compute(block, points(kBlock));
    active::add_angles(points(kBlock), points(kSixteens + static_cast<int>(sixteen - block) / kDigits), count(), points(kSum));
    block_ = block;
    sixteen_ = sixteen;
  }
  return {points(kSum), points(kOnes + static_cast<int>(position - sixteen))};
}

void SineRows::write(double position, double* point) {
  const Sum sum = split(position);
  active::add_angles(sum.left, sum.right, count(), point);
}

void SineRows::write(double position, double factor, float* cosine, float* sine) {
  const Sum sum = split(position);
  active::add_angles(sum.left, sum.right, count(), factor, cosine, sine);
}

void SineRows::write(double position, double factor, WaveLayout layout, std::span<float> row) {
  const std::size_t filled = 2 * frequencies_.size();
  float* out = row.data();
  if (filled > row.size()) {  // an odd width, or a block that is cut
    whole_row_.resize(filled);
    out = whole_row_.data();
  }
  const Sum sum = split(position);
  if (layout == WaveLayout::interleaved) {
    active::add_angles_interleaved(sum.left, sum.right, count(), factor, out);
  } else {
    active::add_angles(sum.left, sum.right, count(), factor, out + count(), out);
  }
  if (filled > row.size()) {
    std::copy(out, out + row.size(), row.data());
  } else {
    std::fill(out + filled, out + row.size(), 0.0f);
  }
}

SineGrid::SineGrid(std::span<const double> rows, std::span<const double> columns)
    : rows_(rows), columns_(columns), row_point_(2 * rows.size()), column_point_(2 * columns.size()) {}

void SineGrid::write(double row, double column, float* cosine, float* sine) {
  rows_.write(row, row_point_.data());
  columns_.write(column, column_point_.data());
  active::add_angles(row_point_.data(), column_point_.data(), rows_.count(), 1, cosine, sine);
}

}  // namespace phasor::kernels
