#pragma once
// Sines and cosines of position * frequency for many positions and the same frequencies, for
// sinusoidal tables and rotations.

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "math/scalar_math.h"
#include "phasor/sinusoid.h"
#include "phasor/tensor.h"

namespace phasor {

/// w_t = base^(-2t / dim), t = 0 .. count-1, in radians per token (Vaswani et al. 2017,
/// section 3.5).
inline std::vector<double> inverse_frequencies(int count, double dim, double base) {
  std::vector<double> frequencies(static_cast<std::size_t>(count));
  for (int t = 0; t < count; ++t)
    frequencies[static_cast<std::size_t>(t)] = power(base, -2.0 * t / dim);
  return frequencies;
}

inline std::span<float> row_span(MatrixRef m, int r) {
  return {m.row(r), static_cast<std::size_t>(m.columns)};
}

/// The angle of a whole position p = 256 n + 16 i + j is the sum of three. Cosine and sine of 256 n
/// are computed once in 256 rows; the other two come from 16 points each, so that a row costs one
/// product of points. A value depends on its position only, not on the start or end of a text: the
/// parts of a long text are bitwise equal to the whole. Fractional positions are computed directly.
/// Both ways are accurate to 1e-14 before rounding.
class SinusoidRows {
 public:
  explicit SinusoidRows(std::span<const double> frequencies);
  /// Bytes per frequency, including the points.
  static constexpr double kBytesOfFrequency = (1 + 2 * 34) * sizeof(double);

  int count() const { return static_cast<int>(frequencies_.size()); }

  /// The points of position * frequency (kernels/angle_addition.h). point (2, count)
  void write(double position, double* point);

  /// Writes factor * cos(angle) and factor * sin(angle) of each frequency. cosine, sine (count)
  void write(double position, double factor, float* cosine, float* sine);

  /// Writes cosines and sines at the indices of `layout` into a table row of `total` frequencies;
  /// those of this object begin at `first`. Channels beyond the row are dropped.
  void write(double position, double factor, SinusoidLayout layout, int first, int total,
             std::span<float> row);

 private:
  static constexpr int kDigits = 16;
  static constexpr int kPoints = 2 * kDigits + 2;

  // Two rows of points whose angles sum to the angle of the position.
  struct Sum {
    const double *left, *right;
  };
  Sum split(double position);

  double* points(int row) {
    return points_.data() + static_cast<std::ptrdiff_t>(row) * 2 * count();
  }
  void compute(double position, double* row) const;
  void compute_multiples(double step, int first);

  std::vector<double> frequencies_;
  // (kPoints, 2, count): the multiples of 1, the multiples of 16, the current multiple of 256, and
  // the sum of the last two
  std::vector<double> points_;
  std::vector<float> scratch_;                               // points that do not fit into a row
  double block_ = std::numeric_limits<double>::quiet_NaN();  // current multiple of 256
  double sixteen_ = std::numeric_limits<double>::quiet_NaN();
};

/// Number of table frequencies computed at a time, and the bytes they need.
inline constexpr int kFrequenciesAtOnce = 512;
inline constexpr double kSinesBytes = kFrequenciesAtOnce * SinusoidRows::kBytesOfFrequency;

/// Writes the rows of a table, one per position. Frequencies are processed in strips, so that their
/// points stay in the cache, and the working memory of a wide table is at most one row.
template <class Position, class Factor>
void write_sines(std::span<const double> frequencies, SinusoidLayout layout, Position position,
                 Factor factor, MatrixRef out) {
  const int total = static_cast<int>(frequencies.size());
  for (int first = 0; first < total; first += kFrequenciesAtOnce) {
    SinusoidRows rows(
        frequencies.subspan(static_cast<std::size_t>(first),
                            static_cast<std::size_t>(std::min(kFrequenciesAtOnce, total - first))));
    for (int r = 0; r < out.rows; ++r)
      rows.write(position(r), factor(r), layout, first, total, row_span(out, r));
  }
  // Channels without a sinusoid are 0.
  for (int r = 0; r < out.rows && 2 * total < out.columns; ++r)
    std::fill(out.row(r) + 2 * total, out.row(r) + out.columns, 0.0f);
}
/// Writes the rows of a table with a factor of 1.
template <class Position>
void write_sines(std::span<const double> frequencies, SinusoidLayout layout, Position position,
                 MatrixRef out) {
  const auto one = [](int) { return 1.0; };
  write_sines(frequencies, layout, position, one, out);
}

/// SinusoidRows for positions in an image: angles row * rows[t] + column * columns[t].
class SineGrid {
 public:
  SineGrid(std::span<const double> rows, std::span<const double> columns);

  /// cosine, sine (count)
  void write(double row, double column, float* cosine, float* sine);

 private:
  SinusoidRows rows_, columns_;
  std::vector<double> row_point_, column_point_;
};

/// The sinusoids in a row of `dim` channels that SinusoidRows writes.
std::vector<Sinusoid> sinusoids_of(std::span<const double> frequencies, SinusoidLayout layout,
                                   int dim);

}  // namespace phasor
