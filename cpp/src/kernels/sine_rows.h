#pragma once
// Sines and cosines of position * frequency for many positions and the same frequencies: what sinusoidal tables and rotations
// are made of.

#include <limits>
#include <span>
#include <vector>

#include "phasor/tensor.h"
#include "phasor/waves.h"

namespace phasor::kernels {

/// A whole position p = 256 n + 16 i + j stands at the sum of three angles. Cosine and sine of 256 n are computed anew, which
/// happens once in 256 rows; the other two come from 16 points each, so that a row costs one product of points.
/// The value of a position follows from that position alone, not from where a text starts or ends: the parts of a long
/// text agree bit for bit with the whole. Positions that are not whole are computed anew. Either way within 1e-14 before rounding.
class SineRows {
 public:
  explicit SineRows(std::span<const double> frequencies);

  int count() const { return static_cast<int>(frequencies_.size()); }

  /// The points of position * frequency (kernels/circle.h). point (2, count)
  void write(double position, double* point);

  /// factor times cosine and sine of position * frequency. cosine, sine (count)
  void write(double position, double factor, float* cosine, float* sine);

  /// The same, in the places of a table's row that `layout` gives them. Channels past the end of the row are dropped, channels
  /// that no wave fills are 0.
  void write(double position, double factor, WaveLayout layout, std::span<float> row);

 private:
  static constexpr int kDigits = 16;

  // Two rows of points whose angles add up to those of the position.
  struct Sum {
    const double *left, *right;
  };
  Sum split(double position);

  double* points(int row) { return points_.data() + static_cast<std::ptrdiff_t>(row) * 2 * count(); }
  void compute(double position, double* row) const;
  void multiples(double step, int first);

  std::vector<double> frequencies_;
  std::vector<double> points_;  // (2 kDigits + 2, 2, count): multiples of 1, multiples of 16, multiple of 256, sum of the last two
  std::vector<float> whole_row_;
  double block_ = std::numeric_limits<double>::quiet_NaN();    // the multiple of 256 and
  double sixteen_ = std::numeric_limits<double>::quiet_NaN();  // of 16 that the last two rows of points_ stand at
};

/// The same for places in a picture: angles row * rows[t] + column * columns[t].
class SineGrid {
 public:
  SineGrid(std::span<const double> rows, std::span<const double> columns);

  /// cosine, sine (count)
  void write(double row, double column, float* cosine, float* sine);

 private:
  SineRows rows_, columns_;
  std::vector<double> row_point_, column_point_;
};

inline std::span<float> row_of(MatrixRef m, int r) { return {m.row(r), static_cast<std::size_t>(m.columns)}; }

}  // namespace phasor::kernels
