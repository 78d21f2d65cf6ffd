#include <gtest/gtest.h>

#include <cmath>
#include <numbers>

#include "cache_steps.h"
#include "gradients.h"
#include "numbers.h"
#include "phasor/phasor.h"

namespace phasor::test::pope_test {
namespace {

EncodingConfig pope(Params params = {}) { return {.id = "pope", .params = std::move(params)}; }

TEST(Pope, MapsEachChannelToACosineAndASine) {
  const Tensor x({1, 1, 3}, {0.5f, -2, 1});
  ASSERT_OK_AND_ASSIGN(const Tensor actual,
                       apply_rotary(pope({{"base", 100.0}}), Role::key, std::vector<double>{7}, x));
  ASSERT_EQ(actual.shape, (std::vector<int>{1, 1, 6}));
  for (std::size_t c = 0; c < 3; ++c) {
    const double length = std::log(1 + std::exp(static_cast<double>(x.data[c]))),
                 angle = 7 * std::pow(100, -static_cast<double>(c) / 3);
    EXPECT_NEAR(static_cast<double>(actual.data[2 * c]), length * std::cos(angle), 1e-6);
    EXPECT_NEAR(static_cast<double>(actual.data[2 * c + 1]), length * std::sin(angle), 1e-6);
  }
}

// At equal positions every channel adds the product of its two magnitudes.
TEST(Pope, ScoreIsLargestAtTheQueryPositionWithoutPhases) {
  const Tensor q = dyadic(3, {1, 1, 4}), k = dyadic(4, {1, 1, 4});
  Tensor keys({1, 40, 4});
  for (int j = 0; j < 40; ++j) std::copy_n(k.data.begin(), 4, matrix(keys).row(j));
  AttentionConfig config;
  config.encoding = pope({{"phase", Tensor({1, 4})}});
  config.position_offset = 17;
  config.outputs.scores = true;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(q, keys, keys, config));
  const auto& scores = actual.scores.data;
  EXPECT_EQ(std::max_element(scores.begin(), scores.end()) - scores.begin(), 17);
  EXPECT_FLOAT_EQ(scores[15], scores[19]);  // symmetric without a learned phase
}

TEST(Pope, PhasesOutOfRangeAreClampedAndHaveNoGradient) {
  const Tensor q = dyadic(5, {2, 6, 2}), k = dyadic(6, {2, 6, 2}), d = dyadic(7, {2, 6, 2});
  AttentionConfig config;
  config.mask = Mask::causal;
  const auto phase_gradient = [&](std::vector<float> phase) {
    config.encoding = pope({{"phase", Tensor({2, 2}, std::move(phase))}});
    return value_of(attention_backward(q, k, q, d, config)).parameters.at("phase").data;
  };
  const float minimum = static_cast<float>(-2 * std::numbers::pi);
  const std::vector<float> outside_gradient = phase_gradient({0.5f, -7, -1, -2}),
                           boundary_gradient = phase_gradient({0, -6.2831850f, -1, -2});
  EXPECT_EQ(outside_gradient[0], 0);
  EXPECT_EQ(outside_gradient[1], 0);
  EXPECT_NE(boundary_gradient[0], 0);
  EXPECT_NE(boundary_gradient[1], 0) << minimum;
  EXPECT_NE(outside_gradient[2], 0);
  // The clamped phases are 0 or a whole period, which have no effect.
  config.outputs.scores = true;
  config.encoding = pope({{"phase", Tensor({2, 2}, {0.5f, -7, 0, -100})}});
  ASSERT_OK_AND_ASSIGN(const AttentionResult result, attention(q, k, q, config));
  config.encoding = pope({{"phase", Tensor({2, 2})}});
  ASSERT_OK_AND_ASSIGN(const AttentionResult zero_result, attention(q, k, q, config));
  EXPECT_LT(largest_error(result.output.data, zero_result.output.data), 1e-6);
}

TEST(Pope, SupportsSharedKeysWithPhasesPerHead) {
  const Tensor q = dyadic(8, {4, 5, 3}), shared = dyadic(9, {2, 5, 3});
  Tensor repeated_keys({4, 5, 3});
  for (int h = 0; h < 4; ++h)
    std::copy_n(matrix(shared, h / 2).data, 15, matrix(repeated_keys, h).data);
  AttentionConfig config;
  config.encoding = pope();
  config.mask = Mask::causal;
  config.window = 3;
  ASSERT_OK_AND_ASSIGN(const AttentionResult a, attention(q, shared, shared, config));
  ASSERT_OK_AND_ASSIGN(const AttentionResult b, attention(q, repeated_keys, repeated_keys, config));
  EXPECT_EQ(a.output.data, b.output.data);
}

TEST(Pope, CacheMatchesAttention) {
  const Inputs in = inputs(kText);
  AttentionConfig config;
  config.encoding = pope();
  config.mask = Mask::causal;
  ASSERT_OK_AND_ASSIGN(const AttentionResult full_result, attention(in.q, in.k, in.v, config));
  const auto cache = create_cache(make_cache_config(config.encoding, kText));
  for (int first = 0; first < kText.keys;) {
    const int count = std::min(first == 0 ? 33 : 1, kText.keys - first);
    ASSERT_OK_AND_ASSIGN(const AttentionResult step_result, decode(*cache, in, first, count));
    EXPECT_LT(
        largest_error(step_result.output.data, slice_tokens(full_result.output, first, count).data),
        2e-6);
    first += count;
  }
  ASSERT_TRUE(cache->truncate(40).ok());
  ASSERT_OK_AND_ASSIGN(const auto copy, cache->fork());
  expect_same_outputs(*copy, *cache, in, 40, 5);
}

TEST(Pope, RejectsUnsupportedArguments) {
  EXPECT_EQ(rotary_angles(pope(), std::vector<double>{1}, 4).status().message(),
            "encoding: pope does not rotate pairs of channels");
  EXPECT_EQ(create_encoding(pope(), {.dim = 4, .axes = 2}).status().message(),
            "positions: have 2 coordinates each; expected 1 for pope");
  EXPECT_EQ(create_encoding(pope({{"phase", Tensor({1, 3})}}), {.dim = 4}).status().message(),
            "phase: has shape 1 x 3; expected 1 x 4 (heads x dim)");
}

TEST(Pope, GradientsMatchFiniteDifferences) {
  expect_gradients({.config = pope()});
  expect_gradients({.config = pope({{"base", 3.0}}), .head_dim = 5});
}

}  // namespace
}  // namespace phasor::test::pope_test
