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
  const std::vector<double> words = {0, 1, 5, 6, 40, 1000}, rows = {0, 8, 40, 64, 4096};
  double residual = 0;
  int tried = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection != Injection::query_key || !variant.type->relative ||
        !accepts(variant, {.length = 1, .dim = kDim, .heads = kHeads}))
      continue;
    const bool by_row = accepts(variant, {.length = 1, .dim = kDim, .heads = kHeads, .axes = 2});
    const Status status =
        relative_position_error(variant.config, q, k, by_row ? rows : words).move_to(residual);
    ASSERT_TRUE(status.ok()) << variant.name << ": " << status.message();
    EXPECT_LT(residual, 2e-5) << variant.name;
    if (by_row) {  // the next patch is farther away if it begins a new row
      ASSERT_OK_AND_ASSIGN(residual, relative_position_error(variant.config, q, k, words));
      EXPECT_GT(residual, 0.1) << variant.name;
    }
    ++tried;
  }
  EXPECT_GT(tried, 15);
  // LongRoPE rotates the first tokens by other frequencies than the rest.
  const EncodingConfig longrope{.id = "rope",
                                .params = {{"scaling", std::string("longrope")},
                                           {"sequence_length", 9000.0},
                                           {"start_tokens", 4.0}}};
  ASSERT_OK_AND_ASSIGN(residual, relative_position_error(longrope, q, k, words));
  EXPECT_GT(residual, 0.1);
}

// The expected value rotates one vector at a time. A query of zeros has no error, so each head is
// also tested alone.
TEST(RotationResidual, IsTheMaximumOverHeads) {
  const EncodingConfig longrope{.id = "rope",
                                .params = {{"scaling", std::string("longrope")},
                                           {"sequence_length", 9000.0},
                                           {"start_tokens", 4.0}}};
  const std::vector<double> words = {0, 1, 5, 6, 40, 1000};
  const auto at = [&](Role role, const Tensor& x, int head, double position) {
    Tensor one({1, 1, kDim});
    std::copy_n(matrix(x).row(head), kDim, one.data.data());
    return value_of(apply_rotary(longrope, role, std::vector<double>{position}, one));
  };
  for (const int zeroed : {-1, 0, 1}) {
    Tensor q = dyadic(110, {kHeads, kDim});
    const Tensor k = dyadic(111, {kHeads, kDim});
    if (zeroed >= 0) std::fill_n(matrix(q).row(zeroed), kDim, 0.0f);
    double expected = 0;
    for (int head = 0; head < kHeads; ++head) {
      for (const double m : words) {
        for (const double n : words) {
          const double here = dot_product(at(Role::query, q, head, m), at(Role::key, k, head, n));
          const double moved =
              dot_product(at(Role::query, q, head, 0), at(Role::key, k, head, n - m));
          expected = std::max(expected, std::fabs(here - moved));
        }
      }
    }
    ASSERT_GT(expected, 0.1);
    ASSERT_OK_AND_ASSIGN(const double residual, relative_position_error(longrope, q, k, words));
    EXPECT_NEAR(residual, expected, 1e-12) << "without head " << zeroed;
  }
}

TEST(RotationResidual, RejectsInvalidArguments) {
  const EncodingConfig rope{.id = "rope", .params = {}};
  const Tensor q = dyadic(108, {1, 4}), three = dyadic(109, {1, 1, 4});
  const std::vector<double> words = {0, 1};
  EXPECT_EQ(relative_position_error(rope, three, three, words).status().message(),
            "q: has shape 1 x 1 x 4; expected heads x dim");
  EXPECT_EQ(relative_position_error(rope, q, dyadic(1, {2, 4}), words).status().message(),
            "k: has shape 2 x 4, but q has 1 x 4");
  EXPECT_EQ(relative_position_error(rope, q, q, Positions(words, 2)).status().message(),
            "positions: have 2 coordinates each; expected one");
  EXPECT_EQ(relative_position_error(rope, q, q, {}).status().message(),
            "positions: 0 is outside 1 to 4096");
  EXPECT_EQ(relative_position_error(rope, q, q, positions_from(0, 4097)).status().message(),
            "positions: 4097 is outside 1 to 4096");
  EXPECT_EQ(relative_position_error(rope, Tensor({0, 4}), Tensor({0, 4}), words).status().message(),
            "q: has shape 0 x 4; expected heads x dim");
  Tensor broken = q;
  broken.data[2] = std::nanf("");
  EXPECT_EQ(relative_position_error(rope, broken, q, words).status().message(),
            "q[2]: NaN is not a finite number");
  EXPECT_EQ(relative_position_error(rope, q, broken, words).status().message(),
            "k[2]: NaN is not a finite number");
  EXPECT_EQ(relative_position_error({.id = "alibi", .params = {}}, q, q, words).status().message(),
            "encoding: alibi has no rotation; its injection is score, so call attention_bias");
}

// relative_position_error rotates q and k at the positions, q at 0 and k at every difference; each
// of these rotations may be out of range.
TEST(RotationResidual, RejectsOverflowAndOversizedRotations) {
  const EncodingConfig rope{.id = "rope", .params = {}};
  const Tensor zero({1, 2}), longer({1, 2}, {3e38f, 3e38f});  // above the largest float32
  const std::vector<double> one = {1}, apart = {-20, 20};
  const std::string leaves = ": the result of rope exceeds the float32 maximum, 3.40282e+38";
  EXPECT_EQ(relative_position_error(rope, longer, zero, one).status().message(), "q" + leaves);
  EXPECT_EQ(relative_position_error(rope, zero, longer, one).status().message(), "k" + leaves);
  // XPos measures from its centre, 50, where a query keeps its length; at 0 it is 2.7 times as
  // long.
  const EncodingConfig xpos{.id = "xpos", .params = {{"scale_base", 64.0}, {"length", 100.0}}};
  EXPECT_EQ(relative_position_error(xpos, Tensor({1, 2}, {3e38f, 0}), zero, std::vector<double>{50})
                .status()
                .message(),
            "q: the result of xpos exceeds the float32 maximum, 3.40282e+38");
  const EncodingConfig fading{.id = "xpos", .params = {{"scale_base", 1.0}}};
  const std::string message = relative_position_error(fading, zero, zero, apart).status().message();
  EXPECT_EQ(message.rfind("positions[1]: 40 is too far from the centre 0 for scales", 0), 0u)
      << message;
  const Tensor wide({1, 131072});
  const Status status = relative_position_error(rope, wide, wide, positions_from(0, 4096)).status();
  EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(status.message(),
            "positions: transformed vectors of 1 x 4096 x 131072 numbers would take 2048 MiB; at "
            "most 1024 MiB can be returned");
}

}  // namespace
}  // namespace phasor::test::rotation_residual_test
