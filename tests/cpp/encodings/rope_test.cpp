#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

EncodingConfig make_rope_config(const std::string& layout) {
  return {.id = "rope", .params = {{"layout", layout}}};
}

Tensor apply_rotation(const EncodingConfig& config, const std::vector<double>& positions, Tensor x,
                      Role role = Role::query) {
  return value_of(apply_rotary(config, role, positions, x));
}

TEST(Rope, ProductsDependOnTheDifferenceOfPositions) {
  const Tensor q = dyadic(81, {1, 1, 32}), k = dyadic(82, {1, 1, 32});
  for (const std::string layout : {"interleaved", "half_split"}) {
    const auto compute_product = [&](double i, double j) {
      return dot_product(apply_rotation(make_rope_config(layout), {i}, q),
                         apply_rotation(make_rope_config(layout), {j}, k, Role::key));
    };
    for (const double distance : {-5.0, 0.0, 1.0, 12.0, 0.5}) {
      const double expected = compute_product(distance, 0);
      for (const double shift : {1.0, 37.0, 4096.0, 1e6})
        EXPECT_NEAR(compute_product(distance + shift, shift), expected, 1e-5) << layout;
    }
    EXPECT_GT(std::fabs(compute_product(3, 0) - compute_product(0, 0)), 0.1);
    EXPECT_GT(std::fabs(compute_product(3, 0) - compute_product(0, 3)), 0.1);
  }
}

TEST(Rope, NegativeDirectionEqualsNegativePositions) {
  EncodingConfig negative_direction = make_rope_config("half_split");
  negative_direction.params["direction"] = std::string("negative");
  const Tensor q = dyadic(81, {1, 2, 32}), k = dyadic(82, {1, 2, 32});
  EXPECT_EQ(apply_rotation(negative_direction, {3, 7}, q).data,
            apply_rotation(make_rope_config("half_split"), {-3, -7}, q).data);
  const auto compute_product = [&](const EncodingConfig& config) {
    const Tensor x = apply_rotation(config, {3, 3}, q),
                 y = apply_rotation(config, {1, 1}, k, Role::key);
    return dot_product(x, y);
  };
  EXPECT_GT(std::fabs(compute_product(negative_direction) -
                      compute_product(make_rope_config("half_split"))),
            1e-3);
  negative_direction.params["remap"] = std::string("rerope");
  EXPECT_EQ(
      create_encoding(negative_direction, {.dim = 8}).status().message(),
      "direction: \"negative\" cannot be combined with remap, which rotates by positive angles");
}

// half_split equals interleaved on the channels in the order 0, 2, 4, ..., 1, 3, 5, ... Different
// layouts of q and k give wrong products without an error.
TEST(Rope, HalfSplitIsInterleavedUpToAChannelPermutation) {
  const int dim = 12;
  const Tensor x = dyadic(83, {2, 4, dim});
  const std::vector<double> positions = {0, 1, 5, 1000};
  const auto permute_channels = [&](const Tensor& t) {
    Tensor out = t;
    for (std::size_t row = 0; row < t.data.size(); row += static_cast<std::size_t>(dim)) {
      for (std::size_t c = 0; c < static_cast<std::size_t>(dim); ++c) {
        out.data[row + c / 2 + (c % 2 == 0 ? 0 : static_cast<std::size_t>(dim) / 2)] =
            t.data[row + c];
      }
    }
    return out;
  };
  const Tensor interleaved_x = apply_rotation(make_rope_config("interleaved"), positions, x),
               half_split_x =
                   apply_rotation(make_rope_config("half_split"), positions, permute_channels(x));
  EXPECT_LT(largest_error(permute_channels(interleaved_x).data, half_split_x.data), 1e-7);
  const Tensor k = apply_rotation(make_rope_config("interleaved"), {3}, dyadic(84, {1, 1, dim}));
  const Tensor other_layout =
      apply_rotation(make_rope_config("half_split"), {3}, dyadic(84, {1, 1, dim}));
  EXPECT_GT(largest_error(k.data, other_layout.data), 0.1);
}

TEST(Rope, PreservesNorms) {
  const Tensor x = dyadic(85, {1, 1, 64});
  for (const double position : {0.0, 1.0, 777.0, 1e6, -4.5}) {
    const Tensor y = apply_rotation(make_rope_config("interleaved"), {position}, x);
    EXPECT_NEAR(dot_product(y, y) / dot_product(x, x), 1.0, 1e-6);
  }
}

TEST(Rope, RotatesAllHeadsAlike) {
  const Tensor x = dyadic(89, {3, 4, 8});
  const std::vector<double> positions = {0, 1, 5, 1000};
  for (const std::string layout : {"interleaved", "half_split"}) {
    const Tensor result = apply_rotation(make_rope_config(layout), positions, x);
    for (int h = 0; h < 3; ++h) {
      const Tensor single_result =
          apply_rotation(make_rope_config(layout), positions,
                         Tensor({1, 4, 8}, {matrix(x, h).row(0), matrix(x, h).row(0) + 32}));
      EXPECT_EQ(std::vector<float>(matrix(result, h).row(0), matrix(result, h).row(0) + 32),
                single_result.data)
          << layout << " head " << h;
    }
  }
}

TEST(Rope, PositionZeroIsTheIdentity) {
  const Tensor x = dyadic(86, {2, 1, 8});
  EXPECT_EQ(apply_rotation(make_rope_config("interleaved"), {0}, x).data, x.data);
  EXPECT_EQ(apply_rotation(make_rope_config("half_split"), {0}, x).data, x.data);
}

TEST(Rope, SupportsRepeatedNegativeAndFractionalPositions) {
  const Tensor x = dyadic(87, {1, 1, 8});
  Tensor rows({1, 5, 8});
  for (int p = 0; p < 5; ++p) std::copy_n(x.data.data(), 8, matrix(rows).row(p));
  const std::vector<double> positions = {5, 5, -3, 0.5, 2};
  const Tensor result = apply_rotation(make_rope_config("half_split"), positions, rows);
  for (int p = 0; p < 5; ++p) {
    const Tensor single_result =
        apply_rotation(make_rope_config("half_split"), {positions[static_cast<std::size_t>(p)]}, x);
    for (int c = 0; c < 8; ++c)
      EXPECT_EQ(matrix(result).row(p)[c], single_result.data[static_cast<std::size_t>(c)]);
  }
}

TEST(Rope, RejectsAnOddDim) {
  Tensor x({1, 2, 7}), out;
  EXPECT_EQ(apply_rotary(make_rope_config("interleaved"), Role::query, std::vector<double>{0, 1}, x)
                .status()
                .message(),
            "dim: 7 is odd; expected an even dim per head, because rope rotates channels in pairs");
  EXPECT_EQ(
      rotary_angles(make_rope_config("half_split"), std::vector<double>{0, 1}, 1).status().code(),
      StatusCode::invalid_argument);
}

// Angles computed in float32 would be wrong by 0.06 radians here.
TEST(Rope, ExactAtPositionOneMillion) {
  const int dim = 64;
  const Tensor x = dyadic(88, {1, 1, dim});
  for (const double position : {1e6, 1e6 - 0.25, -1e6, 16777217.0}) {
    const Tensor y = apply_rotation(make_rope_config("interleaved"), {position}, x);
    for (int t = 0; t < dim / 2; ++t) {
      const long double w = std::exp(-2.0L * static_cast<long double>(t) * std::log(10000.0L) /
                                     static_cast<long double>(dim));
      const long double c = std::cos(static_cast<long double>(position) * w),
                        s = std::sin(static_cast<long double>(position) * w);
      const auto element = [](const Tensor& tensor, int i) {
        return tensor.data[static_cast<std::size_t>(i)];
      };
      const long double a = static_cast<long double>(element(x, 2 * t)),
                        b = static_cast<long double>(element(x, 2 * t + 1));
      EXPECT_LT(error(static_cast<double>(element(y, 2 * t)), static_cast<double>(a * c - b * s)),
                1e-6);
      EXPECT_LT(
          error(static_cast<double>(element(y, 2 * t + 1)), static_cast<double>(a * s + b * c)),
          1e-6);
    }
  }
}

TEST(Rope, AnglesArePositionsTimesFrequencies) {
  ASSERT_OK_AND_ASSIGN(Tensor actual, rotary_angles({.id = "rope", .params = {{"base", 100.0}}},
                                                    std::vector<double>{0, 1, 10, -2.5}, 4));
  EXPECT_EQ(actual.shape, (std::vector<int>{4, 2}));
  EXPECT_LT(largest_error(actual.data, std::vector<double>{0, 0, 1, 0.1, 10, 1, -2.5, -0.25}),
            1e-7);
}

// The channels from the offset on are rotated like a head of their dim.
TEST(Rope, RotaryOffsetLeavesEarlierChannelsUnchanged) {
  const Tensor x = dyadic(86, {2, 3, 10});
  Tensor last_channels({2, 3, 4});
  for (int h = 0; h < 2; ++h) {
    for (int t = 0; t < 3; ++t)
      std::copy_n(matrix(x, h).row(t) + 6, 4, matrix(last_channels, h).row(t));
  }
  for (const std::string layout : {"interleaved", "half_split"}) {
    EncodingConfig config = make_rope_config(layout);
    const Tensor single_result = apply_rotation(config, {0, 5, 900}, last_channels);
    config.params["rotary_offset"] = 6.0;
    const Tensor result = apply_rotation(config, {0, 5, 900}, x);
    for (int h = 0; h < 2; ++h) {
      for (int t = 0; t < 3; ++t) {
        for (int c = 0; c < 10; ++c) {
          EXPECT_EQ(matrix(result, h).row(t)[c],
                    c < 6 ? matrix(x, h).row(t)[c] : matrix(single_result, h).row(t)[c - 6]);
        }
      }
    }
  }
  const auto error_of = [](double position_offset, int dim) {
    return create_encoding({.id = "rope", .params = {{"rotary_offset", position_offset}}},
                           {.dim = dim})
        .status()
        .message();
  };
  EXPECT_EQ(error_of(8, 8), "rotary_offset: 8 leaves none of the 8 channels to rotate");
  EXPECT_EQ(error_of(3, 8),
            "dim: 5 is odd; expected an even dim per head, because rope rotates channels in pairs");
}

}  // namespace
}  // namespace phasor::test
