#include <algorithm>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>

#include "analysis/table_analysis.h"
#include "core/format_error.h"
#include "math/scalar_math.h"
#include "phasor/analysis.h"
#include "phasor/encoding_ops.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

// At 2^53 and above, adjacent doubles are more than a radian apart, so angles are meaningless.
constexpr double kMaxAngle = 0x1p53;

Status check_shift(double k) {
  if (!std::isfinite(k)) return invalid("k: {} is not a finite number", k);
  return check_range("k", k, -kMaxPosition, kMaxPosition);
}

void write_rotation(const Sinusoid& sinusoid, double angle, MatrixRef m) {
  const SinCos rotation = sincos(angle);
  const float cosine = static_cast<float>(rotation.cosine),
              sine = static_cast<float>(rotation.sine);
  m.row(sinusoid.sine)[sinusoid.sine] = cosine;
  if (sinusoid.cosine < 0) return;
  m.row(sinusoid.sine)[sinusoid.cosine] = sine;
  m.row(sinusoid.cosine)[sinusoid.sine] = -sine;
  m.row(sinusoid.cosine)[sinusoid.cosine] = cosine;
}

}  // namespace

Result<Tensor> shift_matrix(std::span<const double> frequencies, double k, SinusoidLayout layout) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    const int count = static_cast<int>(frequencies.size());
    if (count == 0) return invalid("frequencies: the list is empty; expected at least one");
    PHASOR_TRY(check_shift(k));
    for (int t = 0; t < count; ++t) {
      const double frequency = frequencies[static_cast<std::size_t>(t)];
      if (!std::isfinite(frequency)) {
        return invalid("frequencies[{}]: {} is not a finite number", t, frequency);
      }
      if (!(std::fabs(k * frequency) < kMaxAngle)) {
        return invalid(
            "frequencies[{}]: {} gives an angle of {} radians; expected an angle below "
            "9007199254740992",
            t, frequency, k * frequency);
      }
    }
    PHASOR_TRY(check_range("frequencies", count, 1, kMaxExtent / 2));
    PHASOR_TRY(check_size("frequencies", "a matrix", {2 * count, 2 * count}));
    out = Tensor({2 * count, 2 * count});
    const bool is_interleaved = layout == SinusoidLayout::interleaved;
    for (int t = 0; t < count; ++t) {
      const Sinusoid sinusoid{.sine = is_interleaved ? 2 * t : t,
                              .cosine = is_interleaved ? 2 * t + 1 : count + t};
      write_rotation(sinusoid, k * frequencies[static_cast<std::size_t>(t)], matrix(out));
    }
    return {};
  });
}

Result<Tensor> shift_matrix(const EncodingConfig& config, int dim, double k) {
  return Result<Tensor>::from([&](Tensor& out) -> Status {
    PHASOR_TRY(check_shift(k));
    Tensor row;  // one row, to check that the table exists and to find its dim
    PHASOR_TRY(position_table(config, std::vector<double>{0}, dim).move_to(row));
    std::unique_ptr<Encoding> encoding;
    PHASOR_TRY(create_encoding(config, {.dim = dim}).move_to(encoding));
    const int columns = row.shape[1];
    PHASOR_TRY(check_size("dim", "a matrix", {columns, columns}));
    out = Tensor({columns, columns});
    PHASOR_TRY(check_memory("dim", sizeof(Sinusoid) * static_cast<double>(columns)));
    const SinusoidalTable* table = encoding->as_sinusoidal();
    for (const Sinusoid& sinusoid :
         table == nullptr ? std::vector<Sinusoid>() : table->waves(dim)) {
      if (sinusoid.cosine >= 0 || sinusoid.frequency == 0)
        write_rotation(sinusoid, k * sinusoid.frequency, matrix(out));
    }
    for (int c = 0; c < columns; ++c) {
      const float* shift_row = matrix(out).row(c);
      // A row of zeros: the channel is not in any sine-cosine pair.
      if (std::any_of(shift_row, shift_row + columns, [](float x) { return x != 0; })) continue;
      return invalid(
          "encoding: channel {} of {} at dim {} is not in a sine-cosine pair; no shift matrix "
          "exists",
          c, config.id, dim);
    }
    return {};
  });
}

Result<double> shift_error(const Tensor& table, const Tensor& shift, int k) {
  return Result<double>::from([&](double& out) -> Status {
    PHASOR_TRY(check_tensor("table", table));
    if (table.rank() != 2 || table.empty()) {
      return invalid("table: has shape {}; expected rows x dim", table.shape);
    }
    const int rows = table.shape[0], dim = table.shape[1];
    if (shift.shape != std::vector<int>{dim, dim}) {
      return invalid("shift: has shape {}; expected a square matrix of dim {}", shift.shape, dim);
    }
    PHASOR_TRY(check_range("k", k, 1 - rows, rows - 1));
    PHASOR_TRY(check_tensor("shift", shift));
    out = 0;
    for (int p = std::max(0, -k); p < rows && p + k < rows; ++p) {
      const float *source = matrix(table).row(p), *target = matrix(table).row(p + k);
      for (int c = 0; c < dim; ++c) {
        const float* row = matrix(shift).row(c);
        double shifted_value = 0;
        for (int i = 0; i < dim; ++i)
          shifted_value += static_cast<double>(row[i]) * static_cast<double>(source[i]);
        out = std::max(out, std::fabs(shifted_value - static_cast<double>(target[c])));
      }
    }
    return {};
  });
}

Result<Spectrum> spectrum(const Tensor& table) {
  return Result<Spectrum>::from([&](Spectrum& out) -> Status {
    PHASOR_TRY(check_table(table, 2));
    const int length = table.shape[0], dim = table.shape[1], bins = length / 2;
    PHASOR_TRY(check_range("length", length, 2, 4096));
    PHASOR_TRY(check_size("table", "a spectrum", {dim, bins}));
    out = {.power = Tensor({dim, bins}), .wavelength = Tensor({bins})};
    std::vector<double> cosine(static_cast<std::size_t>(length)),
        sine(static_cast<std::size_t>(length));
    for (int p = 0; p < length; ++p) {
      const SinCos root = sincos(2.0 * std::numbers::pi * p / length);
      cosine[static_cast<std::size_t>(p)] = root.cosine;
      sine[static_cast<std::size_t>(p)] = root.sine;
    }
    for (int b = 0; b < bins; ++b)
      out.wavelength.data[static_cast<std::size_t>(b)] =
          static_cast<float>(static_cast<double>(length) / (b + 1));
    std::vector<double> column(static_cast<std::size_t>(length));
    for (int c = 0; c < dim; ++c) {
      double mean = 0, variance = 0, max_abs = 0;
      for (int p = 0; p < length; ++p) {
        const double value = static_cast<double>(matrix(table).row(p)[c]);
        mean += value / length;
        max_abs = std::max(max_abs, std::fabs(value));
      }
      for (int p = 0; p < length; ++p) {
        const double value = static_cast<double>(matrix(table).row(p)[c]) - mean;
        column[static_cast<std::size_t>(p)] = value;
        variance += value * value;
      }
      // A channel that varies only by rounding counts as constant; its spectrum would be noise.
      const double rounding_error =
          4 * static_cast<double>(std::numeric_limits<float>::epsilon()) * max_abs;
      if (variance <= rounding_error * rounding_error * length) continue;
      float* power = matrix(out.power).row(c);
      double total_power = 0;
      std::vector<double> bin_power(static_cast<std::size_t>(bins));
      for (int b = 0; b < bins; ++b) {
        double real = 0, imaginary = 0;
        std::size_t phase_index = 0;
        for (int p = 0; p < length; ++p) {
          real += column[static_cast<std::size_t>(p)] * cosine[phase_index];
          imaginary += column[static_cast<std::size_t>(p)] * sine[phase_index];
          phase_index =
              (phase_index + static_cast<std::size_t>(b) + 1) % static_cast<std::size_t>(length);
        }
        bin_power[static_cast<std::size_t>(b)] = real * real + imaginary * imaginary;
        total_power += bin_power[static_cast<std::size_t>(b)];
      }
      for (int b = 0; b < bins; ++b)
        power[b] = static_cast<float>(bin_power[static_cast<std::size_t>(b)] / total_power);
    }
    return {};
  });
}

Result<std::vector<Sinusoid>> sinusoids(const EncodingConfig& config, int dim) {
  return Result<std::vector<Sinusoid>>::from([&](std::vector<Sinusoid>& out) -> Status {
    Tensor row;  // one row, to check that the table has this dim
    PHASOR_TRY(position_table(config, std::vector<double>{0}, dim).move_to(row));
    std::unique_ptr<Encoding> encoding;
    PHASOR_TRY(create_encoding(config, {.dim = dim}).move_to(encoding));
    const SinusoidalTable* table = std::as_const(*encoding).as_sinusoidal();
    if (table == nullptr) return invalid("encoding: the table of {} is not sinusoidal", config.id);
    PHASOR_TRY(check_memory("dim", sizeof(Sinusoid) * static_cast<double>(row.shape[1])));
    out = table->waves(dim);
    for (const Sinusoid& sinusoid : out)
      PHASOR_TRY(check_result("encoding", static_cast<float>(sinusoid.frequency),
                              "a frequency of {}", config.id));
    return {};
  });
}

}  // namespace phasor
