// Polar coordinate position embedding (PoPE, Gopalakrishnan et al. 2025, arXiv 2509.10534): the
// magnitude of a channel depends on the content only and its angle on the position only,
//   s_ij = scale sum_c softplus(q_c) softplus(k_c) cos((j - i) theta_c + delta_hc),
// theta_c = base^(-c/d): a frequency per channel, where RoPE has one per two channels. As vectors
// of dim 2d, whose channels 2c and 2c + 1 are cosine and sine parts,
//   q'_c = softplus(q_c) e^(i (i theta_c - delta_hc)),  k'_c = softplus(k_c) e^(i j theta_c).
// The phase delta_hc is learned, one per query head and channel, and clamped to [-2 pi, 0]; outside
// this range its gradient is 0. lucidrains/PoPE-pytorch, which follows the paper, adds the phase to
// keys instead, with the same products, but then query heads cannot share keys. Initial phases are
// uniform there, as here, or 0.

#include <algorithm>
#include <cmath>
#include <numbers>

#include "encoding_base/parameter_init.h"
#include "encoding_base/positions/position_check.h"
#include "encoding_base/registry_entry.h"
#include "math/scalar_math.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::pope {
namespace {

constexpr double kMinPhase = -2 * std::numbers::pi;

class Pope final : public QueryKeyEncoding {
 public:
  Pope(std::vector<double> frequencies, Tensor phase)
      : frequencies_(std::move(frequencies)), phase_{"phase", std::move(phase)} {}

  std::vector<Parameter*> parameters() override { return {&phase_}; }
  int transformed_dim(int dim) const override { return 2 * dim; }
  bool is_linear() const override { return false; }

  // Includes cosines and sines per frequency, one head's phases, and all phase gradients.
  double working_bytes(const TileSizes& tile) const override {
    return (SinusoidRows::kBytesPerFrequency + 6 * sizeof(double)) * tile.head_dim +
           sizeof(double) * static_cast<double>(phase_.value.data.size());
  }

  void transform(Role role, Positions positions, Tensor& x) const override {
    const int dim = x.shape[2];
    Tensor out({x.shape[0], x.shape[1], 2 * dim});
    for_each_token(role, positions, x, [&](int head, int token, const double* point) {
      const float* from = matrix(std::as_const(x), head).row(token);
      float* to = matrix(out, head).row(token);
      for (int c = 0; c < dim; ++c) {
        const double length = softplus(static_cast<double>(from[c]));
        to[2 * c] = static_cast<float>(length * point[c]);
        to[2 * c + 1] = static_cast<float>(length * point[dim + c]);
      }
    });
    x = std::move(out);
  }

  // With (a, b) = dL/d(length e^(i angle)), dL/dlength = a cos + b sin and dL/dangle = length (b
  // cos - a sin).
  void transform_backward(Role role, Positions positions, const Tensor& x, Tensor& d_x) override {
    const int dim = x.shape[2];
    Tensor out(x.shape);
    // Accumulates in double, because float32 would lose small addends over long sequences.
    std::vector<double> d_phase(role == Role::query ? phase_.value.data.size() : 0);
    for_each_token(role, positions, x, [&](int head, int token, const double* point) {
      const float* from = matrix(x, head).row(token);
      const float* grad = matrix(std::as_const(d_x), head).row(token);
      float* to = matrix(out, head).row(token);
      for (int c = 0; c < dim; ++c) {
        const double a = static_cast<double>(grad[2 * c]), b = static_cast<double>(grad[2 * c + 1]),
                     value = static_cast<double>(from[c]), cosine = point[c], sine = point[dim + c];
        to[c] = static_cast<float>(softplus_derivative(value) * (a * cosine + b * sine));
        if (role == Role::query)
          d_phase[phase_index(head, c)] -= softplus(value) * (b * cosine - a * sine);
      }
    });
    d_x = std::move(out);
    for (std::size_t n = 0; n < d_phase.size(); ++n) {
      const double phase = static_cast<double>(phase_.value.data[n]);
      if (phase >= kMinPhase && phase <= 0)
        phase_.gradient().data[n] += static_cast<float>(d_phase[n]);
    }
  }

 private:
  std::size_t phase_index(int head, int channel) const {
    return static_cast<std::size_t>(head) * frequencies_.size() + static_cast<std::size_t>(channel);
  }

  // Calls f(head, token, point) for each token. point (2, dim) contains the cosines, then the
  // sines, of the angles at the token's position.
  template <class F>
  void for_each_token(Role role, Positions positions, const Tensor& x, F&& f) const {
    const std::size_t dim = frequencies_.size();
    SinusoidRows rows(frequencies_);
    std::vector<double> rotation(2 * dim), point(2 * dim), rotated_point(2 * dim);
    for (int head = 0; head < x.shape[0]; ++head) {
      for (std::size_t c = 0; c < dim && role == Role::query; ++c) {
        const double phase =
            static_cast<double>(phase_.value.data[phase_index(head, static_cast<int>(c))]);
        const SinCos phase_rotation = sincos(-std::clamp(phase, kMinPhase, 0.0));
        rotation[c] = phase_rotation.cosine;
        rotation[dim + c] = phase_rotation.sine;
      }
      for (int token = 0; token < x.shape[1]; ++token) {
        rows.write(positions[token], point.data());
        if (role == Role::key) {
          f(head, token, point.data());
          continue;
        }
        for (std::size_t c = 0; c < dim; ++c) {
          rotated_point[c] = point[c] * rotation[c] - point[dim + c] * rotation[dim + c];
          rotated_point[dim + c] = point[dim + c] * rotation[c] + point[c] * rotation[dim + c];
        }
        f(head, token, rotated_point.data());
      }
    }
  }

  std::vector<double> frequencies_;  // (dim)
  Parameter phase_;                  // (heads, dim)
};

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  PHASOR_TRY(check_one_axis("pope", dims.axes));
  Tensor phase;
  PHASOR_TRY(init_uniform_param(values, "phase", "heads x dim", {dims.heads, dims.dim}, kMinPhase,
                                0, 0, phase));
  return EncodingResult(std::make_unique<Pope>(
      inverse_frequencies(dims.dim, 2 * dims.dim, values.real("base")), std::move(phase)));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::log_real("base", 10000, 1.001, 1e12, "",
                        "Sets the lowest frequency, which is near 1 / base"),
    ParamInfo::tensor("phase", "heads x dim",
                      "Learned phase of each channel, in radians, from -2 pi to 0"),
    seed_param(),
};

}  // namespace

PHASOR_ENCODING(pope) = {
    .id = "pope",
    .injection = Pope::kInjection,
    .learned = true,
    .relative = true,
    .prefix_stable = true,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::pope
