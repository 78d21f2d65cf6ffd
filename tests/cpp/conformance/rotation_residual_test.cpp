// The deviation of products of rotated queries and keys from functions of the relative position.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::rotation_residual_test {
namespace {

constexpr int kDim = 16, kHeads = 2;

TEST(RotationResidual, IsZeroForRelativeEncodings) {
  const Tensor q = dyadic(106, {kHeads, kDim}), k = dyadic(107, {kHeads, kDim});
  const std::vector<double> token_positions = {0, 1, 5, 6, 40, 1000},
                            row_positions = {0, 8, 40, 64, 4096};
  double residual = 0;
  int variant_count = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection != Injection::query_key || !variant.type->relative ||
        !accepts(variant, {.length = 1, .dim = kDim, .heads = kHeads}))
      continue;
    const bool has_two_axes =
        accepts(variant, {.length = 1, .dim = kDim, .heads = kHeads, .axes = 2});
    const Status status = relative_position_error(variant.config, q, k,
                                                  has_two_axes ? row_positions : token_positions)
                              .move_to(residual);
    ASSERT_TRUE(status.ok()) << variant.name << ": " << status.message();
    EXPECT_LT(residual, 2e-5) << variant.name;
    if (has_two_axes) {  // the next patch is farther away if it begins a new row
      ASSERT_OK_AND_ASSIGN(residual,
                           relative_position_error(variant.config, q, k, token_positions));
      EXPECT_GT(residual, 0.1) << variant.name;
    }
    ++variant_count;
  }
  EXPECT_GT(variant_count, 15);
  // LongRoPE rotates the first tokens by other frequencies than the rest.
  const EncodingConfig longrope{.id = "rope",
                                .params = {{"scaling", std::string("longrope")},
                                           {"sequence_length", 9000.0},
                                           {"start_tokens", 4.0}}};
  ASSERT_OK_AND_ASSIGN(residual, relative_position_error(longrope, q, k, token_positions));
  EXPECT_GT(residual, 0.1);
}

// The expected value rotates one vector at a time. A query of zeros has no error, so each head is
// also tested alone.
TEST(RotationResidual, IsTheMaximumOverHeads) {
  const EncodingConfig longrope{.id = "rope",
                                .params = {{"scaling", std::string("longrope")},
                                           {"sequence_length", 9000.0},
                                           {"start_tokens", 4.0}}};
  const std::vector<double> token_positions = {0, 1, 5, 6, 40, 1000};
  const auto rotate_head = [&](Role role, const Tensor& x, int head, double position) {
    Tensor row({1, 1, kDim});
    std::copy_n(matrix(x).row(head), kDim, row.data.data());
    return value_of(apply_rotary(longrope, role, std::vector<double>{position}, row));
  };
  for (const int zero_head : {-1, 0, 1}) {
    Tensor q = dyadic(110, {kHeads, kDim});
    const Tensor k = dyadic(111, {kHeads, kDim});
    if (zero_head >= 0) std::fill_n(matrix(q).row(zero_head), kDim, 0.0f);
    double expected = 0;
    for (int head = 0; head < kHeads; ++head) {
      for (const double m : token_positions) {
        for (const double n : token_positions) {
          const double product =
              dot_product(rotate_head(Role::query, q, head, m), rotate_head(Role::key, k, head, n));
          const double shifted_product = dot_product(rotate_head(Role::query, q, head, 0),
                                                     rotate_head(Role::key, k, head, n - m));
          expected = std::max(expected, std::fabs(product - shifted_product));
        }
      }
    }
    ASSERT_GT(expected, 0.1);
    ASSERT_OK_AND_ASSIGN(const double residual,
                         relative_position_error(longrope, q, k, token_positions));
    EXPECT_NEAR(residual, expected, 1e-12) << "without head " << zero_head;
  }
}

TEST(RotationResidual, RejectsInvalidArguments) {
  const EncodingConfig rope{.id = "rope", .params = {}};
  const Tensor q = dyadic(108, {1, 4}), three = dyadic(109, {1, 1, 4});
  const std::vector<double> token_positions = {0, 1};
  EXPECT_EQ(relative_position_error(rope, three, three, token_positions).status().message(),
            "q: has shape 1 x 1 x 4; expected heads x dim");
  EXPECT_EQ(relative_position_error(rope, q, dyadic(1, {2, 4}), token_positions).status().message(),
            "k: has shape 2 x 4, but q has 1 x 4");
  EXPECT_EQ(relative_position_error(rope, q, q, Positions(token_positions, 2)).status().message(),
            "positions: have 2 coordinates each; expected one");
  EXPECT_EQ(relative_position_error(rope, q, q, {}).status().message(),
            "positions: 0 is outside 1 to 4096");
  EXPECT_EQ(relative_position_error(rope, q, q, positions_from(0, 4097)).status().message(),
            "positions: 4097 is outside 1 to 4096");
  EXPECT_EQ(relative_position_error(rope, Tensor({0, 4}), Tensor({0, 4}), token_positions)
                .status()
                .message(),
            "q: has shape 0 x 4; expected heads x dim");
  Tensor query_with_nan = q;
  query_with_nan.data[2] = std::nanf("");
  EXPECT_EQ(relative_position_error(rope, query_with_nan, q, token_positions).status().message(),
            "q[2]: NaN is not a finite number");
  EXPECT_EQ(relative_position_error(rope, q, query_with_nan, token_positions).status().message(),
            "k[2]: NaN is not a finite number");
  EXPECT_EQ(relative_position_error({.id = "alibi", .params = {}}, q, q, token_positions)
                .status()
                .message(),
            "encoding: alibi has no rotation; its injection is score, so call attention_bias");
}

// relative_position_error rotates q and k at the positions, q at 0 and k at every difference; each
// of these rotations may be out of range.
TEST(RotationResidual, RejectsOverflowAndOversizedRotations) {
  const EncodingConfig rope{.id = "rope", .params = {}};
  const Tensor zeros({1, 2}), largest_values({1, 2}, {3e38f, 3e38f});  // above the largest float32
  const std::vector<double> single_position = {1}, distant_positions = {-20, 20};
  const std::string range_error = ": the result of rope exceeds the float32 maximum, 3.40282e+38";
  EXPECT_EQ(
      relative_position_error(rope, largest_values, zeros, single_position).status().message(),
      "q" + range_error);
  EXPECT_EQ(
      relative_position_error(rope, zeros, largest_values, single_position).status().message(),
      "k" + range_error);
  // XPos measures from its centre, 50, where a query keeps its length; at 0 it is 2.7 times as
  // long.
  const EncodingConfig xpos{.id = "xpos", .params = {{"scale_base", 64.0}, {"length", 100.0}}};
  EXPECT_EQ(
      relative_position_error(xpos, Tensor({1, 2}, {3e38f, 0}), zeros, std::vector<double>{50})
          .status()
          .message(),
      "q: the result of xpos exceeds the float32 maximum, 3.40282e+38");
  const EncodingConfig xpos_config{.id = "xpos", .params = {{"scale_base", 1.0}}};
  const std::string message =
      relative_position_error(xpos_config, zeros, zeros, distant_positions).status().message();
  EXPECT_EQ(message.rfind("positions[1]: 40 is too far from the centre 0 for scales", 0), 0u)
      << message;
  const Tensor wide_query({1, 131072});
  const Status status =
      relative_position_error(rope, wide_query, wide_query, positions_from(0, 4096)).status();
  EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(status.message(),
            "positions: transformed vectors of 1 x 4096 x 131072 numbers would take 2048 MiB; at "
            "most 1024 MiB can be returned");
}

}  // namespace
}  // namespace phasor::test::rotation_residual_test
