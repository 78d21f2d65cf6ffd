// Rotary encodings that rotate only some channels, and start tokens with unscaled frequencies.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

std::vector<float> angles_at_one(Params params, int dim) {
  return value_of(rotary_angles({.id = "rope", .params = std::move(params)}, std::vector<double>{1},
                                dim))
      .data;
}

TEST(PartialRope, ExponentsAreRelativeToTheRotatedDim) {
  EXPECT_EQ(angles_at_one({{"rotary_fraction", 0.25}}, 16), angles_at_one({}, 4));
  EXPECT_EQ(angles_at_one({{"rotary_dim", 4.0}}, 16), angles_at_one({}, 4));
  const Tensor x = dyadic(153, {1, 1, 16});
  for (const std::string layout : {"interleaved", "half_split"}) {
    Tensor y = x, front({1, 1, 4}, {x.data.begin(), x.data.begin() + 4});
    ASSERT_OK_AND_ASSIGN(
        y, apply_rotary({.id = "rope", .params = {{"rotary_dim", 4.0}, {"layout", layout}}},
                        Role::query, std::vector<double>{9}, y));
    ASSERT_OK_AND_ASSIGN(front, apply_rotary({.id = "rope", .params = {{"layout", layout}}},
                                             Role::query, std::vector<double>{9}, front));
    for (std::size_t c = 0; c < 16; ++c) EXPECT_EQ(y.data[c], c < 4 ? front.data[c] : x.data[c]);
  }
}

TEST(PartialRope, PRopeDropsTheSlowestPairsAndKeepsTheExponents) {
  const std::vector<float> all = angles_at_one({}, 12),
                           kept = angles_at_one({{"kept_fraction", 0.6}}, 12);
  // int(0.6 * 12 / 2) = 3
  for (std::size_t t = 0; t < 6; ++t) EXPECT_EQ(kept[t], t < 3 ? all[t] : 0.0F);
  for (const float angle : angles_at_one({{"kept_fraction", 0.0}}, 12)) EXPECT_EQ(angle, 0.0F);
}

TEST(PartialRope, RejectsInvalidDims) {
  const auto message = [&](Params params, int dim) {
    return create_encoding({.id = "rope", .params = std::move(params)}, {.dim = dim})
        .status()
        .message();
  };
  EXPECT_EQ(
      message({{"rotary_dim", 3.0}}, 8),
      "rotary_dim: 3 is odd; expected an even number, because rope rotates channels in pairs");
  EXPECT_EQ(message({{"rotary_dim", 12.0}}, 8), "rotary_dim: 12 exceeds dim 8");
  EXPECT_EQ(message({{"rotary_dim", 4.0}, {"rotary_fraction", 0.25}}, 16),
            "rotary_dim: 4 cannot be combined with rotary_fraction 0.25; expected one of them");
  EXPECT_EQ(message({{"rotary_fraction", 0.4}}, 8),
            "rotary_fraction: 0.4 of 8 channels is 3; expected an even number of at least 2, "
            "because rope rotates channels in pairs");
  EXPECT_EQ(message({{"rotary_fraction", 0.0}}, 8),
            "rotary_fraction: 0 of 8 channels is 0; expected an even number of at least 2, because "
            "rope rotates channels in pairs");
  EXPECT_EQ(message({{"rotary_dim", 4.0}}, 7), "");  // an odd head with an even rotated part
}

TEST(PartialRope, StartTokensUseUnscaledFrequencies) {
  const EncodingConfig config{.id = "rope",
                              .params = {{"scaling", std::string("yarn")}, {"start_tokens", 2.0}}};
  const Tensor x = dyadic(154, {1, 4, 8});
  Tensor y = x, plain = x, scaled = x;
  const std::vector<double> positions = {0, 1, 2, 3};
  ASSERT_OK_AND_ASSIGN(y, apply_rotary(config, Role::query, positions, y));
  ASSERT_OK_AND_ASSIGN(plain,
                       apply_rotary({.id = "rope", .params = {}}, Role::query, positions, plain));
  ASSERT_OK_AND_ASSIGN(scaled,
                       apply_rotary({.id = "rope", .params = {{"scaling", std::string("yarn")}}},
                                    Role::query, positions, scaled));
  for (int p = 0; p < 4; ++p) {
    for (int c = 0; c < 8; ++c)
      EXPECT_EQ(matrix(y).row(p)[c], matrix(p < 2 ? plain : scaled).row(p)[c]);
  }
}

}  // namespace
}  // namespace phasor::test
