#include "optim/optimizer.h"

#include <gtest/gtest.h>

#include <cmath>

#include "math/generator.h"

namespace phasor {
namespace {

TEST(LrFactor, WarmsUpAndDecaysAsACosine) {
  EXPECT_DOUBLE_EQ(lr_factor(5, 20, 300, 0.05), 0.25);
  EXPECT_DOUBLE_EQ(lr_factor(20, 20, 300, 0.05), 1);
  EXPECT_NEAR(lr_factor(160, 20, 300, 0.05), 0.525, 1e-12);
  EXPECT_NEAR(lr_factor(300, 20, 300, 0.05), 0.05, 1e-12);
  EXPECT_NEAR(lr_factor(999, 20, 300, 0.05), 0.05, 1e-12);
  EXPECT_EQ(lr_factor(7, 0, 300, 1), 1);
}

TEST(Sgd, MatchesPyTorchWithMomentum) {
  std::vector<float> p = {1, -2}, b(2);
  const std::vector<float> grad = {0.5f, 1};
  sgd(0.1, 0.9, 0, 1, p, grad, b);
  sgd(0.1, 0.9, 0, 1, p, grad, b);
  EXPECT_NEAR(p[0], 1 - 0.1 * 0.5 * (1 + 1.9), 1e-6);
  EXPECT_NEAR(p[1], -2 - 0.1 * (1 + 1.9), 1e-6);
}

TEST(EuclideanNorm, IsTheRootOfTheSumOfSquares) {
  const std::vector<float> weights(5000, 2.0f);
  EXPECT_NEAR(euclidean_norm(weights), 2 * std::sqrt(5000.0), 1e-3);
}

TEST(Generator, DependsOnlyOnSeedPurposeAndCounter) {
  Generator random(1, RandomPurpose::batches, 7);
  const int first = random.uniform_integer(1000), second = random.uniform_integer(1000);
  Generator second_generator(1, RandomPurpose::batches, 7);
  EXPECT_EQ(second_generator.uniform_integer(1000), first);
  EXPECT_EQ(second_generator.uniform_integer(1000), second);
  EXPECT_NE(Generator(1, RandomPurpose::batches, 8).next(),
            Generator(1, RandomPurpose::batches, 7).next());
  EXPECT_NE(Generator(2, RandomPurpose::batches, 7).next(),
            Generator(1, RandomPurpose::batches, 7).next());
  EXPECT_NE(Generator(1, RandomPurpose::weights, 7).next(),
            Generator(1, RandomPurpose::batches, 7).next());
}

TEST(Generator, DrawsUniformAndNormalNumbers) {
  Generator random(3, RandomPurpose::weights, 0);
  std::vector<int> counts(10);
  double sum = 0, squares = 0;
  constexpr int kDraws = 20000;
  for (int n = 0; n < kDraws; ++n) {
    ++counts[static_cast<std::size_t>(random.uniform_integer(10))];
    const double x = random.normal();
    sum += x;
    squares += x * x;
  }
  for (const int count : counts) EXPECT_NEAR(count, kDraws / 10, 200);
  EXPECT_NEAR(sum / kDraws, 0, 0.03);
  EXPECT_NEAR(squares / kDraws, 1, 0.04);
}

}  // namespace
}  // namespace phasor
