// At positions around one million results are accurate to 1e-6. This requires angles in double,
// because in float32 they would be off by 0.06 radians. Steps far away are compared with steps near
// the origin. The frequencies themselves are tested with each encoding.

#include <gtest/gtest.h>

#include <algorithm>
#include <numbers>

#include "numbers.h"
#include "phasor/phasor.h"
#include "variants.h"

namespace phasor::test {
namespace {

constexpr double kFar[] = {1e6, 999983, 1e6 + 0.5, -1e6, 16777217};

std::vector<float> row_at(const Encoding& encoding, double position, int dim) {
  Tensor row({1, encoding.as_table()->table_dim(dim)});
  encoding.as_table()->table(std::vector<double>{position}, matrix(row));
  return row.data;
}

// Whether equally spaced values belong to a sinusoid and not to a line: y(n + 1) + y(n - 1) = a
// y(n) with the same a for all n.
bool is_sine(const std::vector<double>& y) {
  double size = 0, above = 0, below = 0, bend = 0, residual = 0;
  for (std::size_t n = 1; n + 1 < y.size(); ++n) {
    size = std::max(size, std::fabs(y[n]));
    above += (y[n + 1] + y[n - 1]) * y[n];
    below += y[n] * y[n];
    bend = std::max(bend, std::fabs(y[n + 1] - 2 * y[n] + y[n - 1]));
  }
  if (bend <= 1e-4 * size) return false;
  for (std::size_t n = 1; n + 1 < y.size(); ++n)
    residual = std::max(residual, std::fabs(y[n + 1] + y[n - 1] - above / below * y[n]));
  return residual < 1e-5 * size;
}

// Whether a channel is a sinusoid near the origin, where angles in float32 are accurate too. Low
// frequencies are detected at long steps only.
bool looks_like_a_wave(const Encoding& encoding, int dim, std::size_t channel) {
  for (const int step : {1, 4, 16, 64}) {
    std::vector<double> y;
    for (int p = 0; p < 512; p += step)
      y.push_back(static_cast<double>(row_at(encoding, p, dim)[channel]));
    if (is_sine(y)) return true;
  }
  return false;
}

// The coefficients of sine * cos(w p) + cosine * sin(w p), from the table near the origin.
struct Start {
  long double sine, cosine;
};

Start start_of(const Encoding& encoding, const Sinusoid& wave, int dim) {
  const auto at = [&](double p, int channel) {
    return static_cast<long double>(row_at(encoding, p, dim)[static_cast<std::size_t>(channel)]);
  };
  const long double sine = at(0, wave.sine);
  if (wave.cosine >= 0) return {sine, at(0, wave.cosine)};
  if (wave.frequency == 0) return {sine, 0};
  const double quarter =
      std::max(1.0, std::round(std::numbers::pi / 2 / std::fabs(wave.frequency)));
  const long double angle =
      static_cast<long double>(wave.frequency) * static_cast<long double>(quarter);
  return {sine, (at(quarter, wave.sine) - sine * std::cos(angle)) / std::sin(angle)};
}

void expect_wave(const Encoding& encoding, const Sinusoid& wave, int dim,
                 const std::string& where) {
  const auto [sine, cosine] = start_of(encoding, wave, dim);
  const long double size = std::hypot(sine, cosine);
  if (wave.frequency != 0) {
    EXPECT_GT(size, 1e-3L) << where;
  }
  for (const double p : kFar) {
    const std::vector<float> row = row_at(encoding, p, dim);
    const long double angle =
        static_cast<long double>(wave.frequency) * static_cast<long double>(p);
    const auto off = [&](int channel, long double expected) {
      return static_cast<double>(
          std::fabs(static_cast<long double>(row[static_cast<std::size_t>(channel)]) - expected));
    };
    EXPECT_LE(off(wave.sine, sine * std::cos(angle) + cosine * std::sin(angle)),
              static_cast<double>(1e-6L * size))
        << where << " at " << p;
    if (wave.cosine < 0) continue;
    EXPECT_LE(off(wave.cosine, cosine * std::cos(angle) - sine * std::sin(angle)),
              static_cast<double>(1e-6L * size))
        << where << " at " << p;
  }
}

// Expects a channel that is linear in the position, such as the coordinate itself.
void expect_line(const Encoding& encoding, int dim, std::size_t channel, const std::string& where) {
  const double zero = static_cast<double>(row_at(encoding, 0, dim)[channel]),
               one = static_cast<double>(row_at(encoding, 1, dim)[channel]);
  for (const double p : kFar)
    EXPECT_LT(error(static_cast<double>(row_at(encoding, p, dim)[channel]), zero + (one - zero) * p,
                    std::fabs(zero + (one - zero) * p)),
              1e-6)
        << where;
}

struct Table {
  std::unique_ptr<Encoding> encoding;
  int dim = 0;
  std::string name;
};

// The variants of a type at an even and at an odd dim.
std::vector<Table> tables(const EncodingInfo& type) {
  std::vector<Table> all;
  for (const Variant& variant : variants(type)) {
    for (const int dim : {16, 7}) {
      Table created{
          .encoding = nullptr, .dim = dim, .name = variant.name + " dim " + std::to_string(dim)};
      if (create_encoding(variant.config, {.length = 512, .dim = dim})
              .move_to(created.encoding)
              .ok())
        all.push_back(std::move(created));
    }
  }
  return all;
}

// Whether a table is sinusoidal is determined from its values. If one variant of a type is, all
// must be, so values that deviate from a sinusoid are errors.
TEST(ConformanceFar, SinusoidalTablesAreAccurateAtPositionOneMillion) {
  int checked = 0;
  for (const EncodingInfo* type : encodings()) {
    if (type->injection != Injection::input) continue;
    const std::vector<Table> all = tables(*type);
    ASSERT_FALSE(all.empty()) << type->id;
    const bool waves = std::any_of(all.begin(), all.end(), [](const Table& t) {
      for (int c = 0; c < t.encoding->as_table()->table_dim(t.dim); ++c) {
        if (looks_like_a_wave(*t.encoding, t.dim, static_cast<std::size_t>(c))) return true;
      }
      return false;
    });
    for (const Table& t : all) {
      const SinusoidalTable* known_waves = t.encoding->as_sinusoidal();
      const std::vector<Sinusoid> declared =
          known_waves == nullptr ? std::vector<Sinusoid>() : known_waves->waves(t.dim);
      EXPECT_EQ(!declared.empty(), waves)
          << t.name
          << (waves ? " has waves that it does not declare" : " declares waves that it has not");
      if (!waves) continue;
      std::vector<bool> known(static_cast<std::size_t>(t.encoding->as_table()->table_dim(t.dim)),
                              false);
      for (const Sinusoid& wave : declared) {
        for (const int channel : {wave.sine, wave.cosine}) {
          if (channel >= 0) known.at(static_cast<std::size_t>(channel)) = true;
        }
        expect_wave(*t.encoding, wave, t.dim, t.name + " channel " + std::to_string(wave.sine));
        ++checked;
      }
      for (std::size_t c = 0; c < known.size(); ++c) {
        if (!known[c]) expect_line(*t.encoding, t.dim, c, t.name + " channel " + std::to_string(c));
      }
    }
  }
  EXPECT_GT(checked, 200);
}

// pe[p + k] = M_k pe[p] for every table with a shift matrix, near the origin and far away.
TEST(ConformanceFar, OneMatrixShiftsEveryRowOfASinusoidalTable) {
  int tried = 0;
  for (const EncodingInfo* type : encodings()) {
    if (type->injection != Injection::input) continue;
    for (const Variant& variant : variants(*type)) {
      for (const double k : {1.0, -3.0, 17.0}) {
        Tensor m, t;
        if (!shift_matrix(variant.config, 16, k).move_to(m).ok()) continue;
        for (const double first : {0.0, 1e6}) {
          ASSERT_TRUE(position_table(variant.config, positions_from(first, 40), 16).move_to(t).ok())
              << variant.name;
          double residual = 0;
          const Status status = shift_error(t, m, static_cast<int>(k)).move_to(residual);
          ASSERT_TRUE(status.ok()) << variant.name << ": " << status.message();
          EXPECT_LT(residual, 1e-6) << variant.name << " k " << k << " from " << first;
          ++tried;
        }
      }
    }
  }
  EXPECT_GT(tried, 100);
}

constexpr int kTurned = 16;

// The rotation matrix (dim, dim) at a position. Its columns are the images of unit vectors.
std::vector<double> turn_matrix(const Encoding& encoding, Role role,
                                const std::vector<double>& position, int axes) {
  Tensor units({1, kTurned, kTurned});
  std::vector<double> positions;
  for (int c = 0; c < kTurned; ++c) {
    matrix(units).row(c)[c] = 1;
    positions.insert(positions.end(), position.begin(), position.end());
  }
  encoding.as_query_key()->transform(role, Positions(positions, axes), units);
  std::vector<double> m;
  for (int r = 0; r < kTurned; ++r) {
    for (int c = 0; c < kTurned; ++c) m.push_back(static_cast<double>(matrix(units).row(c)[r]));
  }
  return m;
}

// b a^-1, where a^T a is diagonal, because a rotates pairs and may scale them.
std::vector<double> step_between(const std::vector<double>& a, const std::vector<double>& b) {
  constexpr auto n = static_cast<std::size_t>(kTurned);
  std::vector<double> out(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    double square = 0;
    for (std::size_t r = 0; r < n; ++r) square += a[r * n + i] * a[r * n + i];
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c) out[r * n + c] += b[r * n + i] * a[c * n + i] / square;
    }
  }
  return out;
}

// A step rotates by the same angles at every start. Starts are a multiple of 8 apart, for encodings
// that number patches in rows of 8. If an encoding rejects the position (the scale of xpos would
// overflow), it is halved until it is accepted.
TEST(ConformanceFar, RotationsHaveTheSameStepAtPositionOneMillion) {
  int tried = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection != Injection::query_key || !variant.type->relative) continue;
    for (const int axes : {1, 2, 3}) {
      std::unique_ptr<Encoding> encoding;
      if (!create_encoding(variant.config, {.length = 2, .dim = kTurned, .axes = axes})
               .move_to(encoding)
               .ok() ||
          !encoding->as_query_key()->is_linear())
        continue;
      const auto position_of = [&](double first, double step) {
        const std::vector<double> all = {first + step, first - 2 * step, first + step / 2};
        return std::vector<double>(all.begin(), all.begin() + axes);
      };
      for (double far : {1e6, -1e6, 1e6 + 0.5, 16777216.0 + 8}) {
        while (!encoding->check_positions(Positions(position_of(far, 5), axes)).ok())
          far = 8 * std::floor(far / 16);
        ASSERT_GT(std::fabs(far), 8000) << variant.name;
        const double near = far - 8 * std::floor(far / 8);
        for (const Role role : {Role::query, Role::key}) {
          const auto step = [&](double from) {
            return step_between(turn_matrix(*encoding, role, position_of(from, 0), axes),
                                turn_matrix(*encoding, role, position_of(from, 5), axes));
          };
          EXPECT_LT(largest_error(step(far), step(near)), 1e-6)
              << variant.name << " axes " << axes << " at " << far;
          ++tried;
        }
      }
    }
  }
  EXPECT_GT(tried, 100);
}

}  // namespace
}  // namespace phasor::test
