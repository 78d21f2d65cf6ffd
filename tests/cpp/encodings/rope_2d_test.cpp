#include <gtest/gtest.h>

#include <numbers>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::rope_2d_test {
namespace {

constexpr int kDim = 8;  // 4 pairs

EncodingConfig make_rope_2d_config(const std::string& convention, Params params = {}) {
  params["convention"] = convention;
  return {.id = "rope_2d", .params = std::move(params)};
}

std::vector<float> compute_angles(const EncodingConfig& config, double row, double column) {
  const std::vector<double> position = {row, column};
  return value_of(rotary_angles(config, Positions(position, 2), kDim)).data;
}

void expect_angles(const EncodingConfig& config, double row, double column,
                   const std::vector<double>& expected) {
  EXPECT_LT(largest_error(compute_angles(config, row, column), expected), 1e-6);
}

// A dim of 8 has two frequencies per axis.
TEST(Rope2d, ConventionsMatchHandComputedAngles) {
  expect_angles(make_rope_2d_config("rope_vit"), 2, 5, {5, 0.5, 2, 0.2});  // x first, 100^(-t/2)
  expect_angles(make_rope_2d_config("llama4"), 2, 5, {6, 0.06, 3, 0.03});  // from 1, 10000^(-t/2)
  // 1, .1, .01, .001: even ones to rows, odd ones to columns
  expect_angles(make_rope_2d_config("pixtral"), 2, 5, {2, 0.02, 0.5, 0.005});
  expect_angles(make_rope_2d_config("qwen2_vl"), 2, 5, {2, 0.02, 5, 0.05});  // row first
  const double pi = std::numbers::pi;
  // the corner is (1, 1)
  expect_angles(make_rope_2d_config("pixel", {{"rows", 3.0}, {"columns", 6.0}}), 2, 5,
                {pi, 5 * pi, pi, 5 * pi});
  // the centre is (0, 0)
  expect_angles(make_rope_2d_config("pixel", {{"rows", 3.0}, {"columns", 5.0}}), 1, 2,
                {0, 0, 0, 0});
  expect_angles(make_rope_2d_config("pixel", {{"rows", 1.0}, {"columns", 1.0}, {"max_freq", 4.0}}),
                0, 0, {-pi, -2 * pi, -pi, -2 * pi});
}

TEST(Rope2d, ExplicitBaseReplacesTheDefault) {
  expect_angles(make_rope_2d_config("rope_vit", {{"base", 10000.0}}), 2, 5, {5, 0.05, 2, 0.02});
  expect_angles(make_rope_2d_config("qwen2_vl", {{"base", 100.0}}), 2, 5, {2, 0.2, 5, 0.5});
  // A base of 1 selects the convention's default.
  expect_angles(make_rope_2d_config("rope_vit", {{"base", 1.5}}), 2, 5,
                {5, 5 / std::sqrt(1.5), 2, 2 / std::sqrt(1.5)});
  EXPECT_EQ(compute_angles(make_rope_2d_config("qwen2_vl", {{"base", 1.0}}), 2, 5),
            compute_angles(make_rope_2d_config("qwen2_vl", {{"base", 10000.0}}), 2, 5));
}

TEST(Rope2d, Llama4DoesNotRotateTheClassToken) {
  expect_angles(make_rope_2d_config("llama4"), -1, -1, {0, 0, 0, 0});
}

TEST(Rope2d, DinoV3CentresPatchesAndSkipsPrefixTokens) {
  const EncodingConfig config = make_rope_2d_config("dinov3", {{"rows", 2.0}, {"columns", 4.0}});
  const double pi = std::numbers::pi;
  // 2 pi times the centre of the patch, -1/2 or 1/2 by row, -3/4 ... by column; 100^(-t/2)
  expect_angles(config, 0, 0, {-pi, -0.1 * pi, -1.5 * pi, -0.15 * pi});
  expect_angles(config, 1, 3, {pi, 0.1 * pi, 1.5 * pi, 0.15 * pi});
  expect_angles(config, 0.5, 1.5, {0, 0, 0, 0});  // the centre
  EncodingConfig config_with_prefix = config;
  config_with_prefix.params["prefix_tokens"] = 5.0;
  const auto angles =
      value_of(rotary_angles(config_with_prefix, std::vector<double>{0, 4, 5, 12}, kDim)).data;
  const std::vector<double> expected = {0,  0,        0,        0,         0,         0,
                                        0,  0,        -pi,      -0.1 * pi, -1.5 * pi, -0.15 * pi,
                                        pi, 0.1 * pi, 1.5 * pi, 0.15 * pi};
  EXPECT_LT(largest_error(angles, expected), 1e-6);
}

TEST(Rope2d, ReadsOneCoordinateAsARowMajorIndex) {
  const EncodingConfig config = make_rope_2d_config("rope_vit", {{"columns", 3.0}});
  ASSERT_OK_AND_ASSIGN(Tensor index_angles,
                       rotary_angles(config, std::vector<double>{0, 1, 2, 3, 7, -1}, kDim));
  const std::vector<std::pair<double, double>> grid_positions = {{0, 0}, {0, 1}, {0, 2},
                                                                 {1, 0}, {2, 1}, {-1, 2}};
  for (std::size_t p = 0; p < grid_positions.size(); ++p) {
    const std::vector<float> expected =
        compute_angles(config, grid_positions[p].first, grid_positions[p].second);
    for (std::size_t t = 0; t < expected.size(); ++t)
      EXPECT_EQ(index_angles.data[p * expected.size() + t], expected[t]) << p;
  }
}

TEST(Rope2d, PairsAreAdjacentOrFromBothHalves) {
  Tensor x({1, 1, kDim});
  x.data[0] = 1;
  const std::vector<double> position = {1, 1};
  const auto find_partner = [&](const std::string& convention) {
    Tensor y = x;
    EXPECT_TRUE(
        apply_rotary(make_rope_2d_config(convention), Role::query, Positions(position, 2), y)
            .move_to(y)
            .ok());
    for (std::size_t c = 1; c < y.data.size(); ++c) {
      if (y.data[c] != 0) return static_cast<int>(c);
    }
    return -1;
  };
  for (const char* convention : {"rope_vit", "llama4"}) EXPECT_EQ(find_partner(convention), 1);
  for (const char* convention : {"pixtral", "qwen2_vl"})
    EXPECT_EQ(find_partner(convention), kDim / 2);
}

// A 1 in the first channel of a pair becomes the cosine and sine of its angle, which float32 would
// miss by 0.06.
TEST(Rope2d, ExactAtPositionOneMillion) {
  const std::vector<double> position = {1e6, -1e6 + 3};
  const long double row = 1e6L, column = -1e6L + 3, tenth_root = std::exp(-std::log(10000.0L) / 4),
                    pi = std::numbers::pi_v<long double>;
  const std::map<std::string, std::vector<long double>> angles = {
      {"rope_vit", {column, column * 0.1L, row, row * 0.1L}},  // 100^(-t/2)
      {"llama4", {column + 1, (column + 1) * 0.01L, row + 1, (row + 1) * 0.01L}},
      {"pixtral",
       {row, row * tenth_root * tenth_root, column * tenth_root,
        column * tenth_root * tenth_root * tenth_root}},
      {"qwen2_vl", {row, row * 0.01L, column, column * 0.01L}},
      {"pixel",
       {pi * (2 * row / 7 - 1), 5 * pi * (2 * row / 7 - 1), pi * (2 * column / 7 - 1),
        5 * pi * (2 * column / 7 - 1)}}};
  for (const auto& [convention, expected] : angles) {
    const bool pairs_halves = convention == "pixtral" || convention == "qwen2_vl";
    for (std::size_t t = 0; t < expected.size(); ++t) {
      const std::size_t first = pairs_halves ? t : 2 * t,
                        second = pairs_halves ? t + kDim / 2 : 2 * t + 1;
      Tensor x({1, 1, kDim});
      x.data[first] = 1;
      ASSERT_OK_AND_ASSIGN(
          x, apply_rotary(make_rope_2d_config(convention), Role::query, Positions(position, 2), x));
      EXPECT_NEAR(static_cast<double>(x.data[first]), static_cast<double>(std::cos(expected[t])),
                  1e-6)
          << convention << " " << t;
      EXPECT_NEAR(static_cast<double>(x.data[second]), static_cast<double>(std::sin(expected[t])),
                  1e-6)
          << convention << " " << t;
    }
  }
}

TEST(Rope2d, LeavesOtherChannelsUnchanged) {
  const Tensor x = dyadic(131, {1, 2, 10});
  Tensor y = x;
  const std::vector<double> positions = {1, 2, 3, 4};
  ASSERT_OK_AND_ASSIGN(y, apply_rotary(make_rope_2d_config("rope_vit", {{"rotary_dim", 8.0}}),
                                       Role::query, Positions(positions, 2), y));
  for (int p = 0; p < 2; ++p) {
    EXPECT_EQ(matrix(y).row(p)[8], matrix(x).row(p)[8]);
    EXPECT_EQ(matrix(y).row(p)[9], matrix(x).row(p)[9]);
  }
}

TEST(Rope2d, RejectsInvalidDims) {
  EXPECT_EQ(
      create_encoding(make_rope_2d_config("rope_vit"), {.dim = 6, .axes = 2}).status().message(),
      "dim: 6 is not a multiple of 4, but rope_2d rotates pairs of channels on two axes");
  EXPECT_EQ(
      create_encoding(make_rope_2d_config("rope_vit", {{"rotary_dim", 6.0}}), {.dim = 8, .axes = 2})
          .status()
          .message(),
      "rotary_dim: 6 is not a multiple of 4, but rope_2d rotates pairs of channels on two axes");
  EXPECT_EQ(create_encoding(make_rope_2d_config("rope_vit", {{"rotary_dim", 12.0}}),
                            {.dim = 8, .axes = 2})
                .status()
                .message(),
            "rotary_dim: 12 exceeds dim 8");
}

}  // namespace
}  // namespace phasor::test::rope_2d_test
