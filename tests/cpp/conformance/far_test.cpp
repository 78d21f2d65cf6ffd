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

std::vector<float> get_row(const Encoding& encoding, double position, int dim) {
  Tensor row({1, encoding.as_table()->table_dim(dim)});
  encoding.as_table()->table(std::vector<double>{position}, matrix(row));
  return row.data;
}

// Whether equally spaced values belong to a sinusoid and not to a line: y(n + 1) + y(n - 1) = a
// y(n) with the same a for all n.
bool is_sine(const std::vector<double>& y) {
  double amplitude = 0, numerator = 0, denominator = 0, max_curvature = 0, residual = 0;
  for (std::size_t n = 1; n + 1 < y.size(); ++n) {
    amplitude = std::max(amplitude, std::fabs(y[n]));
    numerator += (y[n + 1] + y[n - 1]) * y[n];
    denominator += y[n] * y[n];
    max_curvature = std::max(max_curvature, std::fabs(y[n + 1] - 2 * y[n] + y[n - 1]));
  }
  if (max_curvature <= 1e-4 * amplitude) return false;
  for (std::size_t n = 1; n + 1 < y.size(); ++n)
    residual = std::max(residual, std::fabs(y[n + 1] + y[n - 1] - numerator / denominator * y[n]));
  return residual < 1e-5 * amplitude;
}

// Whether a channel is a sinusoid near the origin, where angles in float32 are accurate too. Low
// frequencies are detected at long steps only.
bool has_sinusoid(const Encoding& encoding, int dim, std::size_t channel) {
  for (const int step : {1, 4, 16, 64}) {
    std::vector<double> y;
    for (int p = 0; p < 512; p += step)
      y.push_back(static_cast<double>(get_row(encoding, p, dim)[channel]));
    if (is_sine(y)) return true;
  }
  return false;
}

// The coefficients of sine * cos(w p) + cosine * sin(w p), from the table near the origin.
struct Coefficients {
  long double sine, cosine;
};

Coefficients estimate_coefficients(const Encoding& encoding, const Sinusoid& sinusoid, int dim) {
  const auto get_value = [&](double p, int channel) {
    return static_cast<long double>(get_row(encoding, p, dim)[static_cast<std::size_t>(channel)]);
  };
  const long double sine = get_value(0, sinusoid.sine);
  if (sinusoid.cosine >= 0) return {sine, get_value(0, sinusoid.cosine)};
  if (sinusoid.frequency == 0) return {sine, 0};
  const double quarter_period =
      std::max(1.0, std::round(std::numbers::pi / 2 / std::fabs(sinusoid.frequency)));
  const long double angle =
      static_cast<long double>(sinusoid.frequency) * static_cast<long double>(quarter_period);
  return {sine,
          (get_value(quarter_period, sinusoid.sine) - sine * std::cos(angle)) / std::sin(angle)};
}

void expect_sinusoid(const Encoding& encoding, const Sinusoid& sinusoid, int dim,
                     const std::string& context) {
  const auto [sine, cosine] = estimate_coefficients(encoding, sinusoid, dim);
  const long double amplitude = std::hypot(sine, cosine);
  if (sinusoid.frequency != 0) {
    EXPECT_GT(amplitude, 1e-3L) << context;
  }
  for (const double p : kFar) {
    const std::vector<float> row = get_row(encoding, p, dim);
    const long double angle =
        static_cast<long double>(sinusoid.frequency) * static_cast<long double>(p);
    const auto get_error = [&](int channel, long double expected) {
      return static_cast<double>(
          std::fabs(static_cast<long double>(row[static_cast<std::size_t>(channel)]) - expected));
    };
    EXPECT_LE(get_error(sinusoid.sine, sine * std::cos(angle) + cosine * std::sin(angle)),
              static_cast<double>(1e-6L * amplitude))
        << context << " at " << p;
    if (sinusoid.cosine < 0) continue;
    EXPECT_LE(get_error(sinusoid.cosine, cosine * std::cos(angle) - sine * std::sin(angle)),
              static_cast<double>(1e-6L * amplitude))
        << context << " at " << p;
  }
}

// Expects a channel that is linear in the position, such as the coordinate itself.
void expect_linear(const Encoding& encoding, int dim, std::size_t channel,
                   const std::string& context) {
  const double at_zero = static_cast<double>(get_row(encoding, 0, dim)[channel]),
               at_one = static_cast<double>(get_row(encoding, 1, dim)[channel]);
  for (const double p : kFar)
    EXPECT_LT(error(static_cast<double>(get_row(encoding, p, dim)[channel]),
                    at_zero + (at_one - at_zero) * p, std::fabs(at_zero + (at_one - at_zero) * p)),
              1e-6)
        << context;
}

struct Table {
  std::unique_ptr<Encoding> encoding;
  int dim = 0;
  std::string name;
};

// The variants of a type at an even and at an odd dim.
std::vector<Table> list_tables(const EncodingInfo& type) {
  std::vector<Table> all;
  for (const Variant& variant : variants(type)) {
    for (const int dim : {16, 7}) {
      Table table{
          .encoding = nullptr, .dim = dim, .name = variant.name + " dim " + std::to_string(dim)};
      if (create_encoding(variant.config, {.length = 512, .dim = dim}).move_to(table.encoding).ok())
        all.push_back(std::move(table));
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
    const std::vector<Table> all = list_tables(*type);
    ASSERT_FALSE(all.empty()) << type->id;
    const bool is_sinusoidal = std::any_of(all.begin(), all.end(), [](const Table& t) {
      for (int c = 0; c < t.encoding->as_table()->table_dim(t.dim); ++c) {
        if (has_sinusoid(*t.encoding, t.dim, static_cast<std::size_t>(c))) return true;
      }
      return false;
    });
    for (const Table& t : all) {
      const SinusoidalTable* sinusoidal_table = t.encoding->as_sinusoidal();
      const std::vector<Sinusoid> declared =
          sinusoidal_table == nullptr ? std::vector<Sinusoid>() : sinusoidal_table->waves(t.dim);
      EXPECT_EQ(!declared.empty(), is_sinusoidal)
          << t.name
          << (is_sinusoidal ? " has waves that it does not declare"
                            : " declares waves that it has not");
      if (!is_sinusoidal) continue;
      std::vector<bool> is_known(static_cast<std::size_t>(t.encoding->as_table()->table_dim(t.dim)),
                                 false);
      for (const Sinusoid& sinusoid : declared) {
        for (const int channel : {sinusoid.sine, sinusoid.cosine}) {
          if (channel >= 0) is_known.at(static_cast<std::size_t>(channel)) = true;
        }
        expect_sinusoid(*t.encoding, sinusoid, t.dim,
                        t.name + " channel " + std::to_string(sinusoid.sine));
        ++checked;
      }
      for (std::size_t c = 0; c < is_known.size(); ++c) {
        if (!is_known[c])
          expect_linear(*t.encoding, t.dim, c, t.name + " channel " + std::to_string(c));
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

constexpr int kRotationDim = 16;

// The rotation matrix (dim, dim) at a position. Its columns are the images of unit vectors.
std::vector<double> compute_rotation(const Encoding& encoding, Role role,
                                     const std::vector<double>& position, int axes) {
  Tensor vectors({1, kRotationDim, kRotationDim});
  std::vector<double> positions;
  for (int c = 0; c < kRotationDim; ++c) {
    matrix(vectors).row(c)[c] = 1;
    positions.insert(positions.end(), position.begin(), position.end());
  }
  encoding.as_query_key()->transform(role, Positions(positions, axes), vectors);
  std::vector<double> m;
  for (int r = 0; r < kRotationDim; ++r) {
    for (int c = 0; c < kRotationDim; ++c)
      m.push_back(static_cast<double>(matrix(vectors).row(c)[r]));
  }
  return m;
}

// b a^-1, where a^T a is diagonal, because a rotates pairs and may scale them.
std::vector<double> compute_rotation_between(const std::vector<double>& a,
                                             const std::vector<double>& b) {
  constexpr auto n = static_cast<std::size_t>(kRotationDim);
  std::vector<double> out(n * n);
  for (std::size_t i = 0; i < n; ++i) {
    double squared_norm = 0;
    for (std::size_t r = 0; r < n; ++r) squared_norm += a[r * n + i] * a[r * n + i];
    for (std::size_t r = 0; r < n; ++r) {
      for (std::size_t c = 0; c < n; ++c)
        out[r * n + c] += b[r * n + i] * a[c * n + i] / squared_norm;
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
      if (!create_encoding(variant.config, {.length = 2, .dim = kRotationDim, .axes = axes})
               .move_to(encoding)
               .ok() ||
          !encoding->as_query_key()->is_linear())
        continue;
      const auto make_position = [&](double first, double compute_relative_step) {
        const std::vector<double> all = {first + compute_relative_step,
                                         first - 2 * compute_relative_step,
                                         first + compute_relative_step / 2};
        return std::vector<double>(all.begin(), all.begin() + axes);
      };
      for (double position : {1e6, -1e6, 1e6 + 0.5, 16777216.0 + 8}) {
        while (!encoding->check_positions(Positions(make_position(position, 5), axes)).ok())
          position = 8 * std::floor(position / 16);
        ASSERT_GT(std::fabs(position), 8000) << variant.name;
        const double near_position = position - 8 * std::floor(position / 8);
        for (const Role role : {Role::query, Role::key}) {
          const auto compute_relative_step = [&](double begin) {
            return compute_rotation_between(
                compute_rotation(*encoding, role, make_position(begin, 0), axes),
                compute_rotation(*encoding, role, make_position(begin, 5), axes));
          };
          EXPECT_LT(
              largest_error(compute_relative_step(position), compute_relative_step(near_position)),
              1e-6)
              << variant.name << " axes " << axes << " at " << position;
          ++tried;
        }
      }
    }
  }
  EXPECT_GT(tried, 100);
}

}  // namespace
}  // namespace phasor::test
