#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>

#include "analysis/tables.h"
#include "math/sincos.h"
#include "phasor/analysis.h"

namespace phasor {

Result<Spectrum> spectrum(const Tensor& table) {
  return Result<Spectrum>::from([&](Spectrum& out) -> Status {
    PHASOR_TRY(check_table(table, 2));
    const int length = table.shape[0], width = table.shape[1], bins = length / 2;
    PHASOR_TRY(check_range("length", length, 2, 4096));
    PHASOR_TRY(check_size("table", "a spectrum", {width, bins}));
    out = {.power = Tensor({width, bins}), .wavelength = Tensor({bins})};
    std::vector<double> cosine(static_cast<std::size_t>(length)),
        sine(static_cast<std::size_t>(length));
    for (int p = 0; p < length; ++p) {
      const SinCos point = sincos(2.0 * std::numbers::pi * p / length);
      cosine[static_cast<std::size_t>(p)] = point.cosine;
      sine[static_cast<std::size_t>(p)] = point.sine;
    }
    for (int b = 0; b < bins; ++b)
      out.wavelength.data[static_cast<std::size_t>(b)] =
          static_cast<float>(static_cast<double>(length) / (b + 1));
    std::vector<double> column(static_cast<std::size_t>(length));
    for (int c = 0; c < width; ++c) {
      double mean = 0, variance = 0, largest = 0;
      for (int p = 0; p < length; ++p) {
        const double value = static_cast<double>(matrix(table).row(p)[c]);
        mean += value / length;
        largest = std::max(largest, std::fabs(value));
      }
      for (int p = 0; p < length; ++p) {
        const double value = static_cast<double>(matrix(table).row(p)[c]) - mean;
        column[static_cast<std::size_t>(p)] = value;
        variance += value * value;
      }
      // A channel that differs by no more than the rounding of its own numbers is constant: its
      // spectrum would be that of the rounding.
      const double rounding =
          4 * static_cast<double>(std::numeric_limits<float>::epsilon()) * largest;
      if (variance <= rounding * rounding * length) continue;
      float* power = matrix(out.power).row(c);
      double total = 0;
      std::vector<double> bin(static_cast<std::size_t>(bins));
      for (int b = 0; b < bins; ++b) {
        double real = 0, imaginary = 0;
        std::size_t turn = 0;
        for (int p = 0; p < length; ++p) {
          real += column[static_cast<std::size_t>(p)] * cosine[turn];
          imaginary += column[static_cast<std::size_t>(p)] * sine[turn];
          turn = (turn + static_cast<std::size_t>(b) + 1) % static_cast<std::size_t>(length);
        }
        bin[static_cast<std::size_t>(b)] = real * real + imaginary * imaginary;
        total += bin[static_cast<std::size_t>(b)];
      }
      for (int b = 0; b < bins; ++b)
        power[b] = static_cast<float>(bin[static_cast<std::size_t>(b)] / total);
    }
    return {};
  });
}

}  // namespace phasor
