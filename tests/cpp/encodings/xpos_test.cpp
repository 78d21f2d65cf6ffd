#include <gtest/gtest.h>

#include <complex>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::xpos_test {
namespace {

constexpr int kDim = 8;

Tensor apply_rotation(const Params& params, Role role, double position, Tensor x) {
  return value_of(
      apply_rotary({.id = "xpos", .params = params}, role, std::vector<double>{position}, x));
}

// The paper writes a pair as a complex number: f(q, m) = q zeta^(m/B) e^(i m w), f(k, n) = k
// zeta^(-n/B) e^(i n w).
TEST(Xpos, MatchesTheComplexFormula) {
  const Tensor x = dyadic(111, {1, 1, kDim});
  const double gamma = 0.25, scale_base = 64;
  for (const double position : {0.0, 3.0, 100.0, -7.5}) {
    for (const Role role : {Role::query, Role::key}) {
      const Tensor y =
          apply_rotation({{"gamma", gamma}, {"scale_base", scale_base}}, role, position, x);
      for (std::size_t t = 0; t < kDim / 2; ++t) {
        const long double zeta = (static_cast<long double>(t) / (kDim / 2) + 0.25L) / 1.25L;
        const long double scale = std::pow(zeta, (role == Role::query ? 1.0L : -1.0L) *
                                                     static_cast<long double>(position) / 64.0L);
        const long double angle = static_cast<long double>(position) *
                                  std::pow(10.0L, -4.0L * static_cast<long double>(t) / 4.0L);
        const std::complex<long double> z =
            std::complex<long double>(static_cast<long double>(x.data[2 * t]),
                                      static_cast<long double>(x.data[2 * t + 1])) *
            std::polar(scale, angle);
        EXPECT_LT(error(static_cast<double>(y.data[2 * t]), static_cast<double>(z.real())), 1e-6);
        EXPECT_LT(error(static_cast<double>(y.data[2 * t + 1]), static_cast<double>(z.imag())),
                  1e-6);
      }
    }
  }
}

TEST(Xpos, ProductsDecayWithDistanceToTheLeft) {
  Tensor ones({1, 1, kDim});
  for (float& x : ones.data) x = 1;
  // Products also vary by the cosines of the angles, so the decay is measured by lengths alone.
  const auto length_product = [&](double i, double j) {
    const Tensor q = apply_rotation({}, Role::query, i, ones),
                 k = apply_rotation({}, Role::key, j, ones);
    return std::sqrt(dot_product(q, q) * dot_product(k, k));
  };
  EXPECT_NEAR(length_product(7, 7) / kDim, 1.0, 1e-2);
  EXPECT_LT(length_product(500, 0), length_product(500, 250));
  EXPECT_LT(length_product(500, 250), length_product(500, 500));
  // products grow on the right, so xPos is for causal attention
  EXPECT_GT(length_product(0, 500), length_product(500, 500));
}

TEST(Xpos, CentreChangesVectorsButNotProducts) {
  const Tensor q = dyadic(112, {1, 1, kDim}), k = dyadic(113, {1, 1, kDim});
  const auto compute_product = [&](const Params& params) {
    return dot_product(apply_rotation(params, Role::query, 9, q),
                       apply_rotation(params, Role::key, 4, k));
  };
  const double expected = compute_product({});
  for (const std::string center : {"torchscale", "lucidrains"}) {
    for (const double length : {1.0, 11.0, 12.0}) {
      EXPECT_NEAR(compute_product({{"center", center}, {"length", length}}), expected, 1e-5);
      EXPECT_GT(largest_error(
                    apply_rotation({{"center", center}, {"length", 12.0}}, Role::query, 9, q).data,
                    apply_rotation({}, Role::query, 9, q).data),
                1e-4);
    }
  }
  const auto rotated_query = [&](const char* center, double length) {
    return apply_rotation({{"center", std::string(center)}, {"length", length}}, Role::query, 9, q)
        .data;
  };
  EXPECT_EQ(rotated_query("torchscale", 12), rotated_query("lucidrains", 12));
  EXPECT_NE(rotated_query("torchscale", 11), rotated_query("lucidrains", 11));  // centres 6 and 5
  EXPECT_EQ(rotated_query("torchscale", 11), rotated_query("lucidrains", 12));
}

TEST(Xpos, RejectsPositionsWhoseScalesExceedFloat32) {
  Tensor x = dyadic(114, {1, 1, kDim});
  const EncodingConfig config{.id = "xpos", .params = {}};
  EXPECT_EQ(apply_rotary(config, Role::key, std::vector<double>{1e6}, x).status().message(),
            "positions[0]: 1000000 is too far from the centre 0 for scales in float32; expected a "
            "distance of at most 16347 tokens");
  const Tensor far_key = apply_rotation({{"length", 2e6}}, Role::key, 1e6 + 16000, x);
  for (const float value : far_key.data) EXPECT_TRUE(std::isfinite(value));
  const Tensor q = dyadic(115, {1, 2, kDim});
  AttentionConfig attention_config;
  attention_config.encoding = config;
  attention_config.position_offset = -1e6;
  EXPECT_EQ(attention(q, q, q, attention_config).status().code(), StatusCode::invalid_argument);
}

// Scales are near 1 here; angles in float32 would be wrong by 0.06 radians.
TEST(Xpos, IsExactAtPositionOneMillion) {
  const int dim = 32;
  const Tensor x = dyadic(116, {1, 1, dim});
  for (const double position : {1e6, 1e6 + 0.25, 1e6 - 77}) {
    for (const Role role : {Role::query, Role::key}) {
      const Tensor y = apply_rotation({{"length", 2e6}}, role, position, x);
      for (std::size_t t = 0; t < dim / 2; ++t) {
        const long double pair = static_cast<long double>(t),
                          p = static_cast<long double>(position);
        const long double zeta = (2 * pair + 0.4L * dim) / (1.4L * dim);
        const long double scale =
            std::pow(zeta, (role == Role::query ? 1.0L : -1.0L) * (p - 1e6L) / 512.0L);
        const long double angle = p * std::exp(-2.0L * pair * std::log(10000.0L) / dim);
        const long double c = scale * std::cos(angle), s = scale * std::sin(angle);
        const long double a = static_cast<long double>(x.data[2 * t]),
                          b = static_cast<long double>(x.data[2 * t + 1]);
        EXPECT_LT(error(static_cast<double>(y.data[2 * t]), static_cast<double>(a * c - b * s)),
                  1e-6);
        EXPECT_LT(error(static_cast<double>(y.data[2 * t + 1]), static_cast<double>(a * s + b * c)),
                  1e-6);
      }
    }
  }
}

TEST(Xpos, RejectsAnOddDim) {
  Tensor x({1, 1, 7});
  EXPECT_EQ(apply_rotary({.id = "xpos", .params = {}}, Role::query, std::vector<double>{0}, x)
                .status()
                .message(),
            "dim: 7 is odd, but xpos rotates pairs of channels and needs an even dim per head");
}

}  // namespace
}  // namespace phasor::test::xpos_test
