// Both variants of the soft cap, and those of every supported level, against tanh in double.

#include <gtest/gtest.h>

#include <cmath>

#include "kernel_row.h"
#include "kernels/attention_kernels.h"
#include "numbers.h"

namespace phasor::test::softcap_test {
namespace {

using Softcap = void (*)(float*, int, float);
std::vector<std::pair<const char*, Softcap>> softcap_kernels() {
  std::vector<std::pair<const char*, Softcap>> kernels_list = {{"scalar", kernels::scalar::softcap},
                                                               {"simd", kernels::simd::softcap}};
  for (const kernels::IsaLevel level : kernels::kLevels) {
    if (kernels::is_level_supported(level))
      kernels_list.emplace_back(kernels::level_name(level),
                                kernels::attention_kernels(level).softcap);
  }
  return kernels_list;
}

std::vector<float> apply_softcap(Softcap softcap, const std::vector<float>& scores, float cap) {
  std::vector<float> row = scores;
  softcap(row.data(), static_cast<int>(row.size()), cap);
  return row;
}

TEST(Softcap, AgreesWithTanhAtEveryLength) {
  for (const auto& [name, softcap] : softcap_kernels()) {
    for (int n = 0; n <= kLongestRow; ++n) {
      Tensor scores = dyadic(41, {std::max(n, 1)});
      scores.data.resize(static_cast<std::size_t>(n));
      for (int shift = 0; shift < kernels::kLanes; ++shift) {
        GuardedRow row(scores.data, shift);
        softcap(row.data(), n, 1.5f);
        row.expect_guards(name);
        const std::vector<float> actual = row.values();
        for (std::size_t i = 0; i < actual.size(); ++i) {
          const double expected = 1.5 * std::tanh(static_cast<double>(scores.data[i]) / 1.5);
          ASSERT_NEAR(actual[i], expected, 6e-7 * std::fabs(expected)) << name << " " << n;
        }
      }
    }
  }
}

TEST(Softcap, IsAccurateAtEveryMagnitude) {
  std::vector<float> scores;
  for (double x = 1e-30; x < 1e30; x *= 1.01) {
    scores.push_back(static_cast<float>(x));
    scores.push_back(static_cast<float>(-x));
  }
  for (const float cap : {1e-30f, 0.125f, 50.0f, 1048576.0f, 1e30f}) {
    for (const auto& [name, softcap] : softcap_kernels()) {
      const std::vector<float> actual = apply_softcap(softcap, scores, cap);
      for (std::size_t i = 0; i < actual.size(); ++i) {
        const double size = static_cast<double>(cap),
                     expected = size * std::tanh(static_cast<double>(scores[i]) / size);
        // The ratio of a score to the cap can be below the smallest float32.
        ASSERT_NEAR(actual[i], expected, 6e-7 * std::fabs(expected) + 2e-45 * size + 1e-37)
            << name << " " << cap;
      }
    }
  }
}

// The polynomial for small scores and the quotient for others are selected per score.
TEST(Softcap, DoesNotDependOnOtherScores) {
  std::vector<float> scores;
  for (int i = 0; i < 200; ++i) scores.push_back(static_cast<float>((i * 37 % 200 - 100) * 0.011));
  for (const auto& [name, softcap] : softcap_kernels()) {
    const std::vector<float> actual = apply_softcap(softcap, scores, 1);
    for (std::size_t i = 0; i < actual.size(); ++i)
      ASSERT_EQ(actual[i], apply_softcap(softcap, {scores[i]}, 1)[0]) << name << " " << scores[i];
  }
}

TEST(Softcap, MapsInfinityToTheCapAndKeepsNaN) {
  for (const auto& [name, softcap] : softcap_kernels()) {
    const std::vector<float> actual =
        apply_softcap(softcap, {HUGE_VALF, -HUGE_VALF, NAN, 0, -0.0f, HUGE_VALF}, 50);
    EXPECT_NEAR(actual[0], 50, 1e-5) << name;
    EXPECT_NEAR(actual[1], -50, 1e-5) << name;
    EXPECT_TRUE(std::isnan(actual[2])) << name;
    EXPECT_EQ(actual[3], 0.0f) << name;
    EXPECT_NEAR(actual[5], 50, 1e-5) << name;
  }
}

TEST(Softcap, BackwardHasTheSlopeOfTanh) {
  const Tensor scores = dyadic(43, {kLongestRow});
  const std::vector<float> actual = apply_softcap(kernels::active::softcap, scores.data, 0.75f);
  std::vector<float> gradients(actual.size(), 2.0f);
  kernels::softcap_backward(gradients.data(), actual.data(), kLongestRow, 0.75f);
  for (std::size_t i = 0; i < actual.size(); ++i) {
    const double t = std::tanh(static_cast<double>(scores.data[i]) / 0.75);
    ASSERT_NEAR(gradients[i], 2 * (1 - t * t), 2e-6);
  }
}

}  // namespace
}  // namespace phasor::test::softcap_test
