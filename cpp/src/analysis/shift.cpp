// A step of k positions as one matrix, and how well a table obeys it.

#include <algorithm>
#include <cmath>

#include "math/sentence.h"
#include "phasor/analysis.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

Status check_step(double k) { return std::isfinite(k) ? Status{} : invalid("k: {} is not a finite number", k); }

// Writes how the channels of one wave move on by an angle.
void turn(const Wave& wave, double angle, MatrixRef m) {
  const float cosine = static_cast<float>(std::cos(angle)), sine = static_cast<float>(std::sin(angle));
  m.row(wave.sine)[wave.sine] = cosine;
  if (wave.cosine < 0) return;
  m.row(wave.sine)[wave.cosine] = sine;
  m.row(wave.cosine)[wave.sine] = -sine;
  m.row(wave.cosine)[wave.cosine] = cosine;
}

// Whether every channel belongs to a wave that is whole.
Status check_whole_waves(const std::string& id, const std::vector<Wave>& waves, int width) {
  if (waves.empty()) return invalid("encoding: {} is not a table of waves, which alone are moved by a matrix", id);
  std::vector<bool> known(static_cast<std::size_t>(width), false);
  for (const Wave& wave : waves) {
    known[static_cast<std::size_t>(wave.sine)] = true;
    if (wave.cosine >= 0) {
      known[static_cast<std::size_t>(wave.cosine)] = true;
    } else if (wave.frequency != 0) {
      return invalid("encoding: channel {} of {} is a sine without its cosine among {} channels, so no matrix moves the table", wave.sine,
                     id, width);
    }
  }
  const auto other = std::find(known.begin(), known.end(), false);
  if (other == known.end()) return {};
  return invalid("encoding: channel {} of {} is not a wave, so no matrix moves the table", static_cast<int>(other - known.begin()), id);
}

}  // namespace

Status shift_matrix(std::span<const double> frequencies, double k, WaveLayout layout, Tensor& out) {
  const int waves = static_cast<int>(frequencies.size());
  if (waves == 0) return invalid("frequencies: there are none");
  PHASOR_TRY(check_step(k));
  for (int t = 0; t < waves; ++t) {
    const double frequency = frequencies[static_cast<std::size_t>(t)];
    if (!std::isfinite(frequency)) {
      return invalid("frequencies[{}]: {} is not a finite number", t, frequency);
    }
  }
  PHASOR_TRY(check_range("frequencies", waves, 1, kMaxExtent / 2));
  PHASOR_TRY(check_size("shift", {2 * waves, 2 * waves}));
  out = Tensor({2 * waves, 2 * waves});
  const bool interleaved = layout == WaveLayout::interleaved;
  for (int t = 0; t < waves; ++t) {
    const Wave wave{.sine = interleaved ? 2 * t : t, .cosine = interleaved ? 2 * t + 1 : waves + t};
    turn(wave, k * frequencies[static_cast<std::size_t>(t)], matrix(out));
  }
  return {};
}

Status shift_matrix(const EncodingConfig& config, int width, double k, Tensor& out) {
  std::unique_ptr<Encoding> encoding;
  PHASOR_TRY(create(config, {.width = width}, encoding));
  PHASOR_TRY(check_step(k));
  const std::vector<Wave> waves = encoding->waves(width);
  const int columns = encoding->table_width(width);
  PHASOR_TRY(check_whole_waves(config.id, waves, columns));
  PHASOR_TRY(check_size("shift", {columns, columns}));
  out = Tensor({columns, columns});
  for (const Wave& wave : waves) turn(wave, k * wave.frequency, matrix(out));
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
