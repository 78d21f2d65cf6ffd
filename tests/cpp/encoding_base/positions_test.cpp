// Positions passed to functions of an encoding, and the sizes of their results.
#include "phasor/positions.h"

#include <gtest/gtest.h>

#include <cmath>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(Positions, ConsecutivePositionsReachTheMaximum) {
  ASSERT_OK_AND_ASSIGN(std::vector<double> positions, consecutive_positions(kMaxPosition - 2, 3));
  EXPECT_EQ(positions, (std::vector<double>{kMaxPosition - 2, kMaxPosition - 1, kMaxPosition}));
  EXPECT_EQ(consecutive_positions(kMaxPosition - 1, 3).status().message(),
            "position_offset: 2147483646 is outside -2147483647 to 2147483645");
  EXPECT_TRUE(consecutive_positions(-kMaxPosition, 3).ok());
  EXPECT_EQ(consecutive_positions(-kMaxPosition - 1, 3).status().code(),
            StatusCode::invalid_argument);
  EXPECT_EQ(consecutive_positions(0.5, 3).status().message(),
            "position_offset: 0.5 is not a whole number");
  EXPECT_EQ(consecutive_positions(std::nan(""), 3).status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(consecutive_positions(HUGE_VAL, 3).status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(consecutive_positions(0, 0).status().message(), "length: 0 is outside 1 to 1048576");
}

TEST(Positions, AreRejectedByIndex) {
  const EncodingConfig sinusoidal{.id = "sinusoidal", .params = {}},
      rope{.id = "rope", .params = {}};
  const std::vector<double> nan_positions = {0, 1, std::nan("")}, far_positions = {0, 2147483648.0};
  Tensor out, x = dyadic(3, {1, 2, 4});
  EXPECT_EQ(position_table(sinusoidal, nan_positions, 4).status().message(),
            "positions[2]: NaN is outside -2147483647 to 2147483647");
  EXPECT_EQ(rotary_angles(rope, far_positions, 4).status().message(),
            "positions[1]: 2147483648 is outside -2147483647 to 2147483647");
  EXPECT_EQ(apply_rotary(rope, Role::query, far_positions, x).status().message(),
            "positions[1]: 2147483648 is outside -2147483647 to 2147483647");
}

TEST(Positions, AreRejectedWithoutCoordinates) {
  const EncodingConfig sinusoidal{.id = "sinusoidal", .params = {}},
      rope{.id = "rope", .params = {}}, alibi{.id = "alibi", .params = {}};
  const std::vector<double> three_positions = {0, 1, 2};
  const Tensor x = dyadic(3, {1, 3, 4});
  for (const int axes : {0, -1}) {
    const Positions no_axes(three_positions, axes);
    const std::string expected = "axes: " + std::to_string(axes) + " is outside 1 to 3";
    EXPECT_EQ(no_axes.count(), 0);
    EXPECT_EQ(position_table(sinusoidal, no_axes, 4).status().message(), expected);
    EXPECT_EQ(rotary_angles(rope, no_axes, 4).status().message(), expected);
    EXPECT_EQ(apply_rotary(rope, Role::query, no_axes, x).status().message(), expected);
    EXPECT_EQ(rotation_matrix(rope, Role::query, no_axes, 4).status().message(),
              "position: has 0 entries; expected 1");
    EXPECT_EQ(attention_bias(alibi, 1, no_axes, three_positions).status().message(),
              "positions: have " + std::to_string(axes) + " coordinates each; expected 1");
  }
}

TEST(Positions, AreRejectedIfTheLastOneIsIncomplete) {
  const std::vector<double> five_positions = {0, 1, 2, 3, 4};
  const Tensor x = dyadic(3, {1, 2, 4});
  const std::string expected =
      "positions: 5 values cannot be divided into positions of 2 coordinates each";
  EXPECT_EQ(rotary_angles({.id = "rope_2d", .params = {}}, Positions(five_positions, 2), 4)
                .status()
                .message(),
            expected);
  EXPECT_EQ(
      apply_rotary({.id = "rope_2d", .params = {}}, Role::query, Positions(five_positions, 2), x)
          .status()
          .message(),
      expected);
}

TEST(EncodingOps, RejectInvalidArguments) {
  const EncodingConfig sinusoidal{.id = "sinusoidal", .params = {}},
      rope{.id = "rope", .params = {}}, alibi{.id = "alibi", .params = {}};
  const std::vector<double> three_positions = {0, 1, 2};
  Tensor out, matrix_only = dyadic(3, {3, 4}), x = dyadic(3, {1, 2, 4});
  EXPECT_EQ(apply_rotary(rope, Role::query, three_positions, matrix_only)
                .status()
                .message()
                .rfind("x: has shape 3 x 4", 0),
            0u);
  EXPECT_EQ(apply_rotary(rope, Role::query, three_positions, x).status().message(),
            "positions: has 3 entries; expected 2, one per token of x");
  x.data[5] = std::nanf("");
  EXPECT_EQ(apply_rotary(rope, Role::query, std::vector<double>{0, 1}, x).status().message(),
            "x[5]: NaN is not a finite number");
  EXPECT_EQ(position_table(sinusoidal, {}, 4).status().message(),
            "length: 0 is outside 1 to 1048576");
  EXPECT_EQ(attention_bias(alibi, 2, 0, 3, 0).status().message(),
            "queries: 0 is outside 1 to 1048576");
  EXPECT_EQ(attention_bias(alibi, 2, 3, -1, 0).status().message(),
            "keys: -1 is outside 1 to 1048576");
  EXPECT_EQ(attention_bias(alibi, 0, 3, 3, 0).status().message(),
            "heads: 0 is outside 1 to 1048576");
  EXPECT_EQ(attention_bias(alibi, 2, 3, 3, 2147483646).status().message(),
            "position_offset: 2147483646 is outside -2147483647 to 2147483645");
}

TEST(EncodingOps, RejectResultsBeyondMemoryBeforeAllocation) {
  const Status status =
      attention_bias({.id = "alibi", .params = {}}, 64, 100000, 100000, 0).status();
  EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(status.message(),
            "heads: a bias of 64 x 100000 x 100000 numbers would take 2441407 MiB; at most 1024 "
            "MiB can be returned");
  EXPECT_EQ(position_table({.id = "sinusoidal", .params = {}}, positions_from(0, 100000), 100000)
                .status()
                .code(),
            StatusCode::resource_exhausted);
}

}  // namespace
}  // namespace phasor::test
