// RoPE-Mixed (Heo et al. 2024, arXiv 2403.13298, section 3.2): pair t of head h rotates by
//   x fx(h, t) + y fy(h, t)
// with learned frequencies, so that a head can attend along diagonals, unlike in axial RoPE
// (rope_2d). x is the column and y the row of a patch; neighbouring channels form a pair
// (naver-ai/rope-vit). Initial values, as in the authors' code: magnitudes m_t = base^(-4t/d), t <
// d/4, a random direction phi_h per head, and (fx, fy) = m_t (cos phi_h, sin phi_h) for the first
// d/4 pairs; the other pairs have phi_h + pi/2. A key is rotated with its query head's frequencies,
// so query heads cannot share keys.

#include <cmath>
#include <numbers>

#include "encoding_base/parameter_init.h"
#include "encoding_base/parts/grid.h"
#include "encoding_base/registry_entry.h"
#include "math/scalar_math.h"
#include "phasor/random.h"
#include "sinusoid/rotate_tokens.h"
#include "sinusoid/sinusoid_rows.h"

namespace phasor::encoding::rope_mixed {
namespace {

class MixedRope final : public RotaryEncoding {
 public:
  MixedRope(int columns, Tensor frequencies)
      : columns_(columns), frequencies_{"frequencies", std::move(frequencies)} {}

  std::vector<Parameter*> parameters() override { return {&frequencies_}; }
  int pairs() const override { return frequencies_.value.shape[2]; }

  // Computes the angles of the first head only.
  void angles(Positions positions, MatrixRef out) const override {
    for (int p = 0; p < out.rows; ++p) {
      for (int t = 0; t < out.columns; ++t)
        out.row(p)[t] = static_cast<float>(angle(0, to_grid_point(positions, p, columns_), t));
    }
  }

  void transform(Role, Positions positions, Tensor& x) const override {
    rotate_all(RotationDirection::forward, positions, x);
  }

  // For a rotated pair (a, b), d(a, b)/d(angle) = (-b, a). The cross product of a pair and its
  // gradient is invariant under rotation, so x itself can be used.
  void transform_backward(Role, Positions positions, const Tensor& x, Tensor& d_x) override {
    rotate_all(RotationDirection::transposed, positions, d_x);
    Tensor& d_frequencies = frequencies_.gradient();
    const std::size_t count = static_cast<std::size_t>(pairs());
    for (int head = 0; head < x.shape[0]; ++head) {
      // Accumulates in double, because float32 would lose small addends over long sequences.
      std::vector<double> d_fx(count), d_fy(count);
      for (int token = 0; token < x.shape[1]; ++token) {
        const GridPoint point = to_grid_point(positions, token, columns_);
        const float* row = matrix(x, head).row(token);
        const float* grad = matrix(std::as_const(d_x), head).row(token);
        for (int t = 0; t < pairs(); ++t) {
          const double d_angle =
              static_cast<double>(row[2 * t]) * static_cast<double>(grad[2 * t + 1]) -
              static_cast<double>(row[2 * t + 1]) * static_cast<double>(grad[2 * t]);
          d_fx[static_cast<std::size_t>(t)] += point.column * d_angle;
          d_fy[static_cast<std::size_t>(t)] += point.row * d_angle;
        }
      }
      float *fx = matrix(d_frequencies, 0).row(head), *fy = matrix(d_frequencies, 1).row(head);
      for (std::size_t t = 0; t < count; ++t) {
        fx[t] += static_cast<float>(d_fx[t]);
        fy[t] += static_cast<float>(d_fy[t]);
      }
    }
  }

 private:
  double angle(int head, GridPoint point, int t) const {
    const double fx = static_cast<double>(matrix(frequencies_.value, 0).row(head)[t]),
                 fy = static_cast<double>(matrix(frequencies_.value, 1).row(head)[t]);
    return point.column * fx + point.row * fy;
  }

  void rotate_all(RotationDirection direction, Positions positions, Tensor& x) const {
    for (int head = 0; head < x.shape[0]; ++head) {
      const float *fx = matrix(frequencies_.value, 0).row(head),
                  *fy = matrix(frequencies_.value, 1).row(head);
      SineGrid grid(std::vector<double>(fy, fy + pairs()), std::vector<double>(fx, fx + pairs()));
      rotate_tokens(PairLayout::interleaved, direction, pairs(), x, head, head + 1,
                    [&](int token, float* cosine, float* sine) {
                      const GridPoint point = to_grid_point(positions, token, columns_);
                      grid.write(point.row, point.column, cosine, sine);
                    });
    }
  }

  int columns_;
  Parameter frequencies_;  // (2, heads, pairs): fx, fy
};

Status draw_frequencies(int heads, int dim, double base, std::uint32_t seed, Tensor& out) {
  PHASOR_TRY(check_random_size("frequencies", {2, heads, dim / 2}));
  PHASOR_TRY(check_size("frequencies", "an array", {2, heads, dim / 2}));
  const std::vector<double> magnitudes = inverse_frequencies(dim / 4, dim / 2.0, base);
  out = Tensor({2, heads, dim / 2});
  SplitMix64 random(seed);
  for (int head = 0; head < heads; ++head) {
    const double direction = 2.0 * std::numbers::pi * random.uniform();
    for (int t = 0; t < dim / 2; ++t) {
      const double m = magnitudes[static_cast<std::size_t>(t % (dim / 4))],
                   phi = direction + (t < dim / 4 ? 0.0 : std::numbers::pi / 2);
      const SinCos point = sincos(phi);
      matrix(out, 0).row(head)[t] = static_cast<float>(m * point.cosine);
      matrix(out, 1).row(head)[t] = static_cast<float>(m * point.sine);
    }
  }
  return {};
}

EncodingResult create(const ResolvedParams& values, const EncodingDims& dims) {
  const int dim = dims.dim;
  if (dims.axes == 3)
    return invalid(
        "positions: have 3 coordinates each; expected 2 (row, column) or 1 (row-major "
        "index)");
  if (dims.kv_heads != 0 && dims.kv_heads != dims.heads) {
    return invalid(
        "encoding: rope_mixed has frequencies for each head, so {} query heads cannot share {} kv "
        "heads",
        dims.heads, dims.kv_heads);
  }
  const Tensor* provided_frequencies = values.tensor("frequencies");
  if (dim % (provided_frequencies == nullptr ? 4 : 2) != 0) {
    return invalid(
        "dim: {} is not a multiple of {}, but rope_mixed rotates pairs of channels on two axes",
        dim, provided_frequencies == nullptr ? "4" : "2");
  }
  // The array may have more heads than the call, which uses the first ones.
  if (provided_frequencies != nullptr &&
      (provided_frequencies->rank() != 3 || provided_frequencies->shape[0] != 2 ||
       provided_frequencies->shape[1] < dims.heads || provided_frequencies->shape[2] != dim / 2)) {
    return invalid("frequencies: has shape {}; expected 2 x heads x pairs, here {}",
                   provided_frequencies->shape, std::vector<int>{2, dims.heads, dim / 2});
  }
  Tensor frequencies;
  if (provided_frequencies != nullptr) {
    PHASOR_TRY(copy_param("frequencies", *provided_frequencies, frequencies));
  } else {
    PHASOR_TRY(draw_frequencies(dims.heads, dim, values.real("base"),
                                static_cast<std::uint32_t>(values.integer("seed")), frequencies));
  }
  return EncodingResult(
      std::make_unique<MixedRope>(values.integer("columns"), std::move(frequencies)));
}

constexpr ParamInfo kParams[] = {
    ParamInfo::tensor("frequencies", "2 x heads x pairs",
                      "Learned frequencies (fx, fy), column first; default: random"),
    ParamInfo::log_real("base", 10, 1.001, 1e9, "", "Sets the lowest frequency before training"),
    ParamInfo::integer("columns", 8, 1, 1048576, "patches",
                       "Width of the image, if positions are row-major indices"),
    ParamInfo::integer("seed", 0, 0, 2147483647, "", "Seed of each head's random direction"),
};

}  // namespace

PHASOR_ENCODING(rope_mixed) = {
    .id = "rope_mixed",
    .injection = MixedRope::kInjection,
    .learned = true,
    .relative = true,
    .prefix_stable = true,
    .rotates = true,
    .axes = 2,
    .params = kParams,
    .create = create,
};

}  // namespace phasor::encoding::rope_mixed
