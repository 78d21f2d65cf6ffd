#include <gtest/gtest.h>

#include <cmath>

#include "gradients.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::rope_fourier_test {
namespace {

EncodingConfig fourier(Params params = {}) {
  return {.id = "rope_fourier", .params = std::move(params)};
}

TEST(RopeFourier, EqualsRopeWithoutNoiseAndFloor) {
  const Tensor x = dyadic(11, {2, 5, 8});
  const std::vector<double> positions = {0, 1, 2, 70000, -3};
  ASSERT_OK_AND_ASSIGN(const Tensor actual, apply_rotary(fourier({{"pairs", 4.0}, {"noise", 0.0}}),
                                                         Role::query, positions, x));
  const EncodingConfig rope{.id = "rope", .params = {{"layout", std::string("half_split")}}};
  ASSERT_OK_AND_ASSIGN(const Tensor expected, apply_rotary(rope, Role::query, positions, x));
  EXPECT_LT(largest_error(actual.data, expected.data), 1e-6);
}

TEST(RopeFourier, FloorLengthDropsFrequenciesWithoutAFullPeriod) {
  const auto count_kept_pairs = [](double floor_length) {
    const auto created = value_of(create_encoding(
        fourier({{"base", 10000.0}, {"floor_length", floor_length}}), {.dim = 16, .heads = 2}));
    return created->parameters()[0]->value.shape;
  };
  EXPECT_EQ(count_kept_pairs(0), (std::vector<int>{2, 8, 4}));
  EXPECT_EQ(count_kept_pairs(64),
            (std::vector<int>{2, 3, 3}));  // 1, 0.32 and 0.1 are at least 0.098
  EXPECT_EQ(count_kept_pairs(7), (std::vector<int>{2, 1, 1}));
  EXPECT_EQ(create_encoding(fourier({{"floor_length", 6.0}}), {.dim = 16}).status().message(),
            "floor_length: 6 is too short for a full rotation of any frequency");
}

// (x, y) -> (x, y), or (x - y, x + y), whose products are twice as large.
TEST(RopeFourier, RestKeepsOrDoublesTheProductsOfOtherPairs) {
  const Tensor q = dyadic(12, {1, 1, 8}), k = dyadic(13, {1, 1, 8});
  const auto rotate_with = [&](const char* word) {
    const EncodingConfig config = fourier({{"pairs", 1.0}, {"rest", std::string(word)}});
    const Tensor a = value_of(apply_rotary(config, Role::query, std::vector<double>{9}, q)),
                 b = value_of(apply_rotary(config, Role::key, std::vector<double>{2}, k));
    double sum = 0;
    for (const std::size_t c : {1u, 2u, 3u, 5u, 6u, 7u})
      sum += static_cast<double>(a.data[c]) * static_cast<double>(b.data[c]);
    return sum;
  };
  double product = 0;
  for (const std::size_t c : {1u, 2u, 3u, 5u, 6u, 7u})
    product += static_cast<double>(q.data[c]) * static_cast<double>(k.data[c]);
  EXPECT_NEAR(rotate_with("identity"), product, 1e-6);
  EXPECT_NEAR(rotate_with("sine_one"), 2 * product, 1e-6);
}

TEST(RopeFourier, RejectsMismatchedArguments) {
  const auto error_of = [](Params params, EncodingDims geometry) {
    return create_encoding(fourier(std::move(params)), geometry).status().message();
  };
  EXPECT_EQ(error_of({}, {.dim = 7}), "dim: 7 is odd, but rope_fourier needs pairs of channels");
  EXPECT_EQ(error_of({{"pairs", 5.0}}, {.dim = 8}), "pairs: 5 exceeds the 4 pairs of 8 channels");
  EXPECT_EQ(error_of({{"sin_weight", Tensor({1, 4, 4})}}, {.dim = 8}),
            "sin_weight: has shape 1 x 4 x 4; expected 1 x 4 x 2 (heads x frequencies x pairs)");
  EXPECT_EQ(
      error_of({}, {.dim = 8, .heads = 4, .kv_heads = 2}),
      "encoding: rope_fourier has weights for each head, so 4 query heads cannot share 2 kv heads");
  EXPECT_EQ(error_of({}, {.dim = 8, .axes = 3}),
            "positions: have 3 coordinates each; expected 1 for rope_fourier");
}

TEST(RopeFourier, GradientsMatchFiniteDifferences) {
  expect_gradients({.config = fourier({{"base", 9.0}})});
  expect_gradients({.config = fourier({{"floor_length", 64.0}, {"pairs", 3.0}})});
  expect_gradients({.config = fourier({{"rest", std::string("sine_one")}, {"base", 5.0}})});
}

}  // namespace
}  // namespace phasor::test::rope_fourier_test
