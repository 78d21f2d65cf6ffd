#include "phasor/random.h"

#include <gtest/gtest.h>

#include "numbers.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(Random, StartsWithTheReferenceValuesOfSplitMix64) {
  SplitMix64 random(1);
  for (const std::uint64_t expected :
       {0x910a2dec89025cc1ull, 0xbeeb8da1658eec67ull, 0xf893a2eefb32555eull})
    EXPECT_EQ(random.next(), expected);
}

TEST(Random, DyadicStartsWithKnownValues) {
  EXPECT_EQ(dyadic(1, {3}).data, (std::vector<float>{0.265625f, 0.98046875f, 1.8828125f}));
}

// FNV-1a over the bytes of 1000 draws, low byte first. The expected hash is from a Python program.
TEST(Random, HasTheSameStreamOnEveryPlatform) {
  SplitMix64 random(2024);
  std::uint64_t hash = 0xcbf29ce484222325ull;
  for (int draw = 0; draw < 1000; ++draw) {
    const std::uint64_t u = random.next();
    for (int byte = 0; byte < 8; ++byte)
      hash = (hash ^ ((u >> (8 * byte)) & 0xff)) * 0x100000001b3ull;
  }
  EXPECT_EQ(hash, 0xa5f8f3b4d50d47adull);
}

TEST(Random, UniformIsInTheOpenUnitInterval) {
  SplitMix64 random(3);
  double sum = 0;
  for (int i = 0; i < 100000; ++i) {
    const double u = random.uniform();
    ASSERT_GT(u, 0.0);
    ASSERT_LT(u, 1.0);
    sum += u;
  }
  EXPECT_NEAR(sum / 100000, 0.5, 0.005);
}

TEST(Random, NormalDrawsMatchReferenceValues) {
  ASSERT_OK_AND_ASSIGN(Tensor actual, random_normal(7, {2, 4}));
  EXPECT_EQ(actual.shape, (std::vector<int>{2, 4}));
  const std::vector<double> expected = {
      1.3649922974572282,   0.1445212212694154, -0.3965239752538177, -0.22759631143286668,
      0.004498526159831532, 1.259433058588588,  -0.5806130552620294, 1.0870433721462884};
  EXPECT_LT(largest_error(actual.data, expected), 1e-7);
}

TEST(Random, NormalDrawsHaveTheRightMoments) {
  ASSERT_OK_AND_ASSIGN(Tensor actual,
                       random_normal(5, {200001}));  // odd, so that the last pair is cut
  double sums[5] = {};
  for (const float x : actual.data) {
    for (int power = 1; power <= 4; ++power) sums[power] += std::pow(static_cast<double>(x), power);
  }
  // The tolerances are about four standard errors.
  const double expected[5] = {1, 0, 1, 0, 3}, tolerance[5] = {0, 0.01, 0.015, 0.04, 0.1};
  for (int power = 1; power <= 4; ++power)
    EXPECT_NEAR(sums[power] / 200001, expected[power], tolerance[power]) << "moment " << power;
}

TEST(Random, SeedsGiveDifferentDraws) {
  ASSERT_OK_AND_ASSIGN(Tensor first, random_normal(1, {8}));
  ASSERT_OK_AND_ASSIGN(Tensor second, random_normal(2, {8}));
  EXPECT_NE(first.data, second.data);
}

TEST(Random, RejectsImpossibleShapes) {
  EXPECT_EQ(random_normal(1, {0}).status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(random_normal(1, {-3}).status().code(), StatusCode::invalid_argument);
  EXPECT_EQ(random_normal(1, {1048576, 1048576}).status().code(), StatusCode::resource_exhausted);
}

}  // namespace
}  // namespace phasor::test
