#pragma once
// Sines and cosines of position * frequency, for many positions and a fixed list of frequencies.

#include <algorithm>
#include <limits>
#include <span>
#include <vector>

#include "math/scalar_math.h"
#include "phasor/sinusoid.h"
#include "phasor/tensor.h"

namespace phasor {

/// The frequencies w_t = base^(-2t / dim) for t = 0 .. count-1, in radians per token (Vaswani et
/// al. 2017, section 3.5).
inline std::vector<double> inverse_frequencies(int count, double dim, double base) {
  std::vector<double> frequencies(static_cast<std::size_t>(count));
  for (int t = 0; t < count; ++t)
    frequencies[static_cast<std::size_t>(t)] = power(base, -2.0 * t / dim);
  return frequencies;
}

inline std::span<float> row_span(MatrixRef m, int r) {
  return {m.row(r), static_cast<std::size_t>(m.columns)};
}

/// Computes cosines and sines by angle addition. A whole position is split into p = 256 n + 16 i +
/// j. Values at 256 n are computed directly, once for 256 consecutive positions; those at 16 i and
/// j come from two tables of 16 rows. Most rows then cost a single angle addition. Values depend
/// only on the position, not on the order of calls. Fractional positions are computed directly.
/// Both methods are accurate to 1e-14 before rounding to float32.
class SinusoidRows {
 public:
  explicit SinusoidRows(std::span<const double> frequencies);
  /// A frequency, and its cosine and sine in each of the 34 rows of `points_`.
  static constexpr double kBytesPerFrequency = (1 + 2 * 34) * sizeof(double);

  int count() const { return static_cast<int>(frequencies_.size()); }

  /// Writes the cosines, then the sines, of position * frequency to `point`, (2, count), in double.
  void write(double position, double* point);

  /// Writes factor * cos(angle) to cosine (count), and factor * sin(angle) to sine (count).
  void write(double position, double factor, float* cosine, float* sine);

  /// Writes factor * cos(angle) and factor * sin(angle) to the channels of a table row, in the
  /// order of `layout`. The whole row has `frequency_count` frequencies; those of this object begin
  /// at index `first_frequency`. Channels beyond the end of `row` are omitted.
  void write(double position, double factor, SinusoidLayout layout, int first_frequency,
             int frequency_count, std::span<float> row);

 private:
  static constexpr int kRadix = 16;
  static constexpr int kPointRows = 2 * kRadix + 2;

  // Two rows of `points_` whose angles add up to a position's angles.
  struct AngleSum {
    const double *left, *right;
  };
  AngleSum split(double position);

  double* points(int row) {
    return points_.data() + static_cast<std::ptrdiff_t>(row) * 2 * count();
  }
  void compute(double position, double* row) const;
  void compute_multiples(double step, int first_row);

  std::vector<double> frequencies_;
  // (kPointRows, 2, count): cosines and sines at the positions 0 .. 15, then 0, 16 .. 240, then
  // multiple_of_256_ and multiple_of_16_
  std::vector<double> points_;
  std::vector<float> scratch_;  // receives channels beyond the end of a table row
  double multiple_of_256_ = std::numeric_limits<double>::quiet_NaN();  // position of row kBlockRow
  double multiple_of_16_ = std::numeric_limits<double>::quiet_NaN();
};

/// Number of frequencies that are processed together, and the working memory that they need.
inline constexpr int kFrequenciesPerStrip = 512;
inline constexpr double kSinusoidWorkspaceBytes =
    kFrequenciesPerStrip * SinusoidRows::kBytesPerFrequency;

/// Writes one table row per position. Frequencies are processed in strips, so that their tables
/// stay in the cache and wide tables need little memory.
template <class Position, class Factor>
void write_sines(std::span<const double> frequencies, SinusoidLayout layout, Position position,
                 Factor factor, MatrixRef out) {
  const int frequency_count = static_cast<int>(frequencies.size());
  for (int first_frequency = 0; first_frequency < frequency_count;
       first_frequency += kFrequenciesPerStrip) {
    SinusoidRows rows(
        frequencies.subspan(static_cast<std::size_t>(first_frequency),
                            static_cast<std::size_t>(std::min(kFrequenciesPerStrip,
                                                              frequency_count - first_frequency))));
    for (int r = 0; r < out.rows; ++r)
      rows.write(position(r), factor(r), layout, first_frequency, frequency_count,
                 row_span(out, r));
  }
  // Channels without a sinusoid are 0.
  for (int r = 0; r < out.rows && 2 * frequency_count < out.columns; ++r)
    std::fill(out.row(r) + 2 * frequency_count, out.row(r) + out.columns, 0.0f);
}
template <class Position>
void write_sines(std::span<const double> frequencies, SinusoidLayout layout, Position position,
                 MatrixRef out) {
  const auto unit_factor = [](int) { return 1.0; };
  write_sines(frequencies, layout, position, unit_factor, out);
}

/// Like SinusoidRows, but for two coordinates: angle t is row * rows[t] + column * columns[t].
class SineGrid {
 public:
  SineGrid(std::span<const double> rows, std::span<const double> columns);

  /// cosine, sine (count)
  void write(double row, double column, float* cosine, float* sine);

 private:
  SinusoidRows rows_, columns_;
  std::vector<double> row_point_, column_point_;
};

/// Returns the sinusoid in each of the `dim` channels of a row written by SinusoidRows::write().
std::vector<Sinusoid> list_sinusoids(std::span<const double> frequencies, SinusoidLayout layout,
                                     int dim);

}  // namespace phasor
