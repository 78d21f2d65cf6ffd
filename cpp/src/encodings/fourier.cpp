// Random Fourier features (Tancik et al. 2020, arXiv 2006.10739, section 2; Rahimi and Recht
// 2007):
//   g(v) = [a_1 cos(2 pi b_1.v), .., a_m cos(2 pi b_m.v),
//           a_1 sin(2 pi b_1.v), .., a_m sin(2 pi b_m.v)],
//   v = position / extent,
// with the rows b_f of B (features, axes) drawn once from N(0, sigma^2) and then fixed; B = I is
// the paper's "basic" map. Codebases disagree on the order: the paper has [cos | sin], the authors'
// input_mapping returns [sin | cos]. `normalise` divides by |a| (sqrt(m) without amplitudes), as
// the authors' code does, so that g(v).g(v') approximates the kernel exp(-2 pi^2 sigma^2 |v -
// v'|^2). The paper's v is in [0, 1]^axes; `extent` scales token positions to this range (default
// 64; 1 for coordinates).

#include <cmath>
#include <numbers>

#include "encoding_base/parameter_init.h"
#include "encoding_base/registry_entry.h"
#include "math/scalar_math.h"
#include "phasor/random.h"

namespace phasor::encoding::fourier {
namespace {

enum class Order { cos_sin, sin_cos };
enum class MatrixKind { gaussian, identity };

class Fourier final : public Parameterless<SinusoidalTable> {
 public:
  Order order = Order::cos_sin;
  bool uses_cycles = true;
  double extent = 1;
  double sigma = 1;
  Tensor matrix_b;                 // B / sigma (features, axes)
  std::vector<double> amplitudes;  // (features), after normalisation

  int features() const { return matrix_b.shape[0]; }
  int table_dim(int) const override { return 2 * features(); }

  void table(Positions positions, MatrixRef out) const override {
    const int m = features();
    const int sine_column = order == Order::sin_cos ? 0 : m,
              cosine_column = order == Order::sin_cos ? m : 0;
    for (int t = 0; t < out.rows; ++t) {
      for (int f = 0; f < m; ++f) {
        const double a = amplitudes[static_cast<std::size_t>(f)];
        const SinCos point = sincos(angle(positions, t, f));
        out.row(t)[sine_column + f] = static_cast<float>(a * point.sine);
        out.row(t)[cosine_column + f] = static_cast<float>(a * point.cosine);
      }
    }
  }

  std::vector<Sinusoid> waves(int) const override {
    const int m = features();
    std::vector<Sinusoid> out(static_cast<std::size_t>(m));
    for (int f = 0; f < m; ++f) {
      const double rotations = sigma * static_cast<double>(matrix(matrix_b).row(f)[0]) / extent;
      const int sine_column = order == Order::sin_cos ? f : m + f,
                cosine_column = order == Order::sin_cos ? m + f : f;
      out[static_cast<std::size_t>(f)] = {
          sine_column, cosine_column, uses_cycles ? 2 * std::numbers::pi * rotations : rotations};
    }
    return out;
  }

 private:
  double angle(Positions positions, int token, int feature) const {
    double product = 0;
    for (int axis = 0; axis < positions.axes(); ++axis) {
      product += static_cast<double>(matrix(matrix_b).row(feature)[axis]) *
                 positions.at(token, axis) / extent;
    }
    product *= sigma;
    // Subtracts whole rotations before multiplying by pi, which keeps the angles of distant
    // positions accurate.
    return uses_cycles ? 2 * std::numbers::pi * (product - std::nearbyint(product)) : product;
  }
};

// Sets out (features, axes) to B / sigma: the caller's matrix, a random matrix, or the identity.
Status make_matrix(const ResolvedParams& values, const EncodingDims& dims, Tensor& out) {
  const int axes = dims.axes, features = values.integer("features");
  const bool is_identity = values.choice<MatrixKind>("matrix") == MatrixKind::identity;
  const Tensor* provided_matrix = values.tensor("frequency_matrix");
  if (provided_matrix != nullptr) {
    if (is_identity) return invalid("matrix: identity cannot be combined with frequency_matrix");
    if (provided_matrix->rank() != 2 || provided_matrix->shape[1] != axes) {
      return invalid(
          "frequency_matrix: has shape {}; expected features x {}, one column per position "
          "coordinate",
          provided_matrix->shape, axes);
    }
    PHASOR_TRY(copy_param("frequency_matrix", *provided_matrix, out));
  } else if (is_identity) {
    out = Tensor({axes, axes});
    for (int axis = 0; axis < axes; ++axis) matrix(out).row(axis)[axis] = 1;
  } else {
    const int num_rows = features > 0 ? features : dims.dim / 2;
    if (num_rows == 0)
      return invalid(
          "dim: 1 is too small for a cosine and a sine; expected a larger dim, or a value for "
          "features");
    PHASOR_TRY(random_normal(static_cast<std::uint32_t>(values.integer("seed")), {num_rows, axes})
                   .move_to(out));
  }
  if (features > 0 && features != out.shape[0]) {
    return invalid("features: {} differs from the {} rows of the matrix", features, out.shape[0]);
  }
  return {};
}

Status make_amplitudes(const ResolvedParams& values, int features, std::vector<double>& out) {
  PHASOR_TRY(check_memory("features", sizeof(double) * static_cast<double>(features)));
  out.assign(static_cast<std::size_t>(features), 1.0);
  if (const Tensor* provided_amplitudes = values.tensor("amplitudes")) {
    if (provided_amplitudes->shape != std::vector<int>{features}) {
      return invalid("amplitudes: has shape {}; expected {}, one value per feature",
                     provided_amplitudes->shape, features);
    }
    out.assign(provided_amplitudes->data.begin(), provided_amplitudes->data.end());
  }
  if (!values.boolean("normalise")) return {};
  double squared_norm = 0;
  for (const double a : out) squared_norm += a * a;
  if (squared_norm == 0) return invalid("amplitudes: all are 0 and cannot be normalised");
  for (double& a : out) a /= std::sqrt(squared_norm);
  return {};
}

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  auto fourier = std::make_unique<Fourier>();
  PHASOR_TRY(make_matrix(values, dims, fourier->matrix_b));
  PHASOR_TRY(make_amplitudes(values, fourier->features(), fourier->amplitudes));
  fourier->order = values.choice<Order>("order");
  fourier->uses_cycles = values.boolean("two_pi");
  fourier->extent = values.real("extent");
  fourier->sigma = values.real("sigma");
  return EncodingResult(std::move(fourier));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::log_real("sigma", 1, 1e-4, 1e4, "",
                        "Scale of the matrix; the standard deviation of random frequencies"),
    ParamInfo::integer("features", 0, 0, 65536, "",
                       "Number of frequencies, each with cosine and sine; 0: dim / 2"),
    ParamInfo::choice("order", "cos_sin, sin_cos",
                      "All cosines come first (paper), or all sines (the authors' code)"),
    ParamInfo::choice(
        "matrix", "gaussian, identity",
        "Random frequencies (paper), or one per coordinate (the paper's \"basic\" mapping)"),
    ParamInfo::boolean("two_pi", true, "Frequencies are in cycles (paper), not in radians"),
    ParamInfo::log_real("extent", 64, 1e-3, 1e9, "tokens",
                        "Divisor of positions; 1 for coordinates in [0, 1]"),
    ParamInfo::boolean("normalise", false,
                       "Divides vectors by the norm of the amplitudes (the authors' code), or by "
                       "sqrt(features) without amplitudes"),
    ParamInfo::integer("seed", 0, 0, 2147483647, "", "Seed of the random matrix"),
    ParamInfo::tensor("frequency_matrix", "features x axes",
                      "The paper's matrix B, without the factor sigma"),
    ParamInfo::tensor("amplitudes", "features",
                      "Amplitude a of the cosine and sine of each feature; default: 1"),
};

}  // namespace

PHASOR_ENCODING(fourier) = {
    .id = "fourier",
    .injection = Fourier::kInjection,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::fourier
