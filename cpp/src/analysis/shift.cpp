// A step of k positions as one matrix, and how well a table obeys it.

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "math/sincos.h"
#include "phasor/analysis.h"
#include "phasor/evaluate.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

// From 2^53 on neighbouring doubles are further apart than a radian, so that an angle says nothing.
constexpr double kLargestAngle = 0x1p53;

Status check_step(double k) {
  if (!std::isfinite(k)) return invalid("k: {} is not a finite number", k);
  return check_range("k", k, -kMaxPosition, kMaxPosition);
}

// Writes how the channels of one wave move on by an angle.
void rotate(const Wave& wave, double angle, MatrixRef m) {
  const SinCos point = sincos(angle);
  const float cosine = static_cast<float>(point.cosine), sine = static_cast<float>(point.sine);
  m.row(wave.sine)[wave.sine] = cosine;
  if (wave.cosine < 0) return;
  m.row(wave.sine)[wave.cosine] = sine;
  m.row(wave.cosine)[wave.sine] = -sine;
  m.row(wave.cosine)[wave.cosine] = cosine;
}

}  // namespace

Result<Tensor> shift_matrix(std::span<const double> frequencies, double k, WaveLayout layout) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const int waves = static_cast<int>(frequencies.size());
    if (waves == 0) return invalid("frequencies: there are none");
    PHASOR_TRY(check_step(k));
    for (int t = 0; t < waves; ++t) {
      const double frequency = frequencies[static_cast<std::size_t>(t)];
      if (!std::isfinite(frequency)) {
        return invalid("frequencies[{}]: {} is not a finite number", t, frequency);
      }
      if (!(std::fabs(k * frequency) < kLargestAngle)) {
        return invalid(
            "frequencies[{}]: {} makes an angle of {} radians; it must be below 9007199254740992",
            t, frequency, k * frequency);
      }
    }
    PHASOR_TRY(check_range("frequencies", waves, 1, kMaxExtent / 2));
    PHASOR_TRY(check_size("frequencies", "a matrix", {2 * waves, 2 * waves}));
    out = Tensor({2 * waves, 2 * waves});
    const bool interleaved = layout == WaveLayout::interleaved;
    for (int t = 0; t < waves; ++t) {
      const Wave wave{.sine = interleaved ? 2 * t : t,
                      .cosine = interleaved ? 2 * t + 1 : waves + t};
      rotate(wave, k * frequencies[static_cast<std::size_t>(t)], matrix(out));
    }
    return {};
  });
}

Result<Tensor> shift_matrix(const EncodingConfig& config, int width, double k) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_step(k));
    Tensor row;  // of any position, to know how wide the table is and that there is one
    PHASOR_TRY(table(config, std::vector<double>{0}, width).move_to(row));
    std::unique_ptr<Encoding> encoding;
    PHASOR_TRY(create(config, {.width = width}).move_to(encoding));
    const int columns = row.shape[1];
    PHASOR_TRY(check_size("width", "a matrix", {columns, columns}));
    out = Tensor({columns, columns});
    PHASOR_TRY(check_room("width", sizeof(Wave) * static_cast<double>(columns)));
    const WaveTableEncoding* waves = encoding->as_waves();
    for (const Wave& wave : waves == nullptr ? std::vector<Wave>() : waves->waves(width)) {
      if (wave.cosine >= 0 || wave.frequency == 0) rotate(wave, k * wave.frequency, matrix(out));
    }
    for (int c = 0; c < columns; ++c) {
      const float* to = matrix(out).row(c);
      // a turn never leaves a row empty
      if (std::any_of(to, to + columns, [](float x) { return x != 0; })) continue;
      return invalid(
          "encoding: channel {} of {} at width {} is not a sine or cosine that has its partner, so "
          "no matrix moves the table",
          c, config.id, width);
    }
    return {};
  });
}

Result<double> shift_residual(const Tensor& table, const Tensor& shift, int k) {
  return Result<double>::from([&](double& out) -> Status {
    if (table.rank() != 2 || table.empty()) {
      return invalid("table: its shape is {}; rows x width is needed", table.shape);
    }
    PHASOR_TRY(check_tensor("table", table));
    const int rows = table.shape[0], width = table.shape[1];
    if (shift.shape != std::vector<int>{width, width}) {
      return invalid("shift: its shape is {}, but the table is {} wide", shift.shape, width);
    }
    PHASOR_TRY(check_range("k", k, 1 - rows, rows - 1));
    PHASOR_TRY(check_tensor("shift", shift));
    out = 0;
    for (int p = std::max(0, -k); p < rows && p + k < rows; ++p) {
      const float *here = matrix(table).row(p), *there = matrix(table).row(p + k);
      for (int c = 0; c < width; ++c) {
        const float* row = matrix(shift).row(c);
        double moved = 0;
        for (int i = 0; i < width; ++i)
          moved += static_cast<double>(row[i]) * static_cast<double>(here[i]);
        out = std::max(out, std::fabs(moved - static_cast<double>(there[c])));
      }
    }
    return {};
  });
}

}  // namespace phasor
