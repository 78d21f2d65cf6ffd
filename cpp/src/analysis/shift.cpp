// A step of k positions as one matrix, and how well a table obeys it.

#include <algorithm>
#include <cmath>

#include "math/sentence.h"
#include "phasor/analysis.h"

namespace phasor {

Status shift_matrix(std::span<const double> frequencies, double k, WaveLayout layout, Tensor& out) {
  const int waves = static_cast<int>(frequencies.size());
  if (waves == 0) return invalid("frequencies: there are none");
  if (!std::isfinite(k)) return invalid("k: {} is not a finite number", k);
  for (int t = 0; t < waves; ++t) {
    const double frequency = frequencies[static_cast<std::size_t>(t)];
    if (!std::isfinite(frequency)) {
      return invalid("frequencies[{}]: {} is not a finite number", t, frequency);
    }
  }
  PHASOR_TRY(check_range("frequencies", waves, 1, kMaxExtent / 2));
  PHASOR_TRY(check_size("shift", {2 * waves, 2 * waves}));
  out = Tensor({2 * waves, 2 * waves});
  const MatrixRef m = matrix(out);
  for (int t = 0; t < waves; ++t) {
    const double angle = k * frequencies[static_cast<std::size_t>(t)];
    const float cosine = static_cast<float>(std::cos(angle)), sine = static_cast<float>(std::sin(angle));
    const int s = layout == WaveLayout::interleaved ? 2 * t : t, c = layout == WaveLayout::interleaved ? 2 * t + 1 : waves + t;
    m.row(s)[s] = cosine;
    m.row(s)[c] = sine;
    m.row(c)[s] = -sine;
    m.row(c)[c] = cosine;
  }
  return {};
}

Status shift_residual(const Tensor& table, const Tensor& shift, int k, double& out) {
  if (table.rank() != 2 || table.empty()) {
    return invalid("table: its shape is {}; rows x width is needed", table.shape);
  }
  const int rows = table.shape[0], width = table.shape[1];
  if (shift.shape != std::vector<int>{width, width}) {
    return invalid("shift: its shape is {}, but the table is {} wide", shift.shape, width);
  }
  PHASOR_TRY(check_range("k", k, 1 - rows, rows - 1));
  PHASOR_TRY(check_finite("table", table.data));
  PHASOR_TRY(check_finite("shift", shift.data));
  out = 0;
  for (int p = std::max(0, -k); p < rows && p + k < rows; ++p) {
    const float *here = matrix(table).row(p), *there = matrix(table).row(p + k);
    for (int c = 0; c < width; ++c) {
      const float* row = matrix(shift).row(c);
      double moved = 0;
      for (int i = 0; i < width; ++i) moved += static_cast<double>(row[i]) * static_cast<double>(here[i]);
      out = std::max(out, std::fabs(moved - static_cast<double>(there[c])));
    }
  }
  return {};
}

}  // namespace phasor
