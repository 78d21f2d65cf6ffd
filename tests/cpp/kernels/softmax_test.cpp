// Softmax from its two kernels, in both variants, against the formula in double.

#include <gtest/gtest.h>

#include "kernel_row.h"
#include "kernels/attention_kernels.h"
#include "numbers.h"

namespace phasor::test {
namespace {

using RowMax = float (*)(const float*, int);
using ExpAndSum = double (*)(float*, int, float);

struct Softmax {
  std::string name;
  RowMax row_max;
  ExpAndSum exp_and_sum;

  void operator()(float* row, int n) const {
    const float max = row_max(row, n);
    const double total = max == kHidden ? 0.0 : exp_and_sum(row, n, max);
    for (int i = 0; i < n; ++i)
      row[i] = total > 0 ? static_cast<float>(static_cast<double>(row[i]) / total) : 0.0f;
  }
};

std::vector<Softmax> softmax_kernels() {
  std::vector<Softmax> all = {{"scalar", kernels::scalar::row_max, kernels::scalar::exp_and_sum},
                              {"simd", kernels::simd::row_max, kernels::simd::exp_and_sum}};
  for (const kernels::IsaLevel level : kernels::kLevels) {
    if (!kernels::is_level_supported(level)) continue;
    const kernels::AttentionKernels& level_kernels = kernels::attention_kernels(level);
    all.push_back({kernels::level_name(level), level_kernels.row_max, level_kernels.exp_and_sum});
  }
  return all;
}

std::vector<double> softmax_reference(const std::vector<float>& scores) {
  double max = -HUGE_VAL, total = 0;
  for (const float s : scores) max = std::max(max, static_cast<double>(s));
  std::vector<double> weights;
  for (const float s : scores)
    weights.push_back(s == kHidden ? 0.0 : std::exp(static_cast<double>(s) - max));
  for (const double w : weights) total += w;
  for (double& w : weights) w = total > 0 ? w / total : 0.0;
  return weights;
}

void expect_softmax(const std::vector<float>& scores, const std::string& where) {
  const std::vector<double> expected = softmax_reference(scores);
  for (const Softmax& softmax : softmax_kernels()) {
    for (int shift = 0; shift < kernels::kLanes; ++shift) {
      GuardedRow row(scores, shift);
      softmax(row.data(), static_cast<int>(scores.size()));
      row.expect_guards(softmax.name + (" softmax " + where));
      const std::vector<float> actual = row.values();
      ASSERT_LT(largest_error(actual, expected), 1e-6) << softmax.name << " " << where;
      for (std::size_t i = 0; i < actual.size(); ++i) {
        if (scores[i] == kHidden) {
          ASSERT_EQ(actual[i], 0.0f) << softmax.name << " " << where << " " << i;
        }
      }
    }
  }
}

TEST(Softmax, AgreesWithTheFormulaAtEveryLength) {
  for (int n = 0; n <= kLongestRow; ++n) {
    Tensor scores = dyadic(31, {std::max(n, 1)});
    scores.data.resize(static_cast<std::size_t>(n));
    expect_softmax(scores.data, "length " + std::to_string(n));
    for (float& s : scores.data) s *= 20;
    expect_softmax(scores.data, "wide scores, length " + std::to_string(n));
  }
}

TEST(Softmax, GivesHiddenEntriesAWeightOfZero) {
  for (int n = 1; n <= kLongestRow; ++n) {
    const Tensor scores = dyadic(32, {n});
    for (int hidden = 0; hidden < n; ++hidden) {
      std::vector<float> row = scores.data;
      row[static_cast<std::size_t>(hidden)] = kHidden;
      expect_softmax(row, "hidden " + std::to_string(hidden));
      std::vector<float> single_score(static_cast<std::size_t>(n), kHidden);
      single_score[static_cast<std::size_t>(hidden)] = -3;
      expect_softmax(single_score, "alone " + std::to_string(hidden));
    }
    expect_softmax(std::vector<float>(static_cast<std::size_t>(n), kHidden), "nothing visible");
  }
}

TEST(Softmax, AgreesWithTheFormulaForExtremeScores) {
  for (const float extreme : {1e4f, -1e4f, 3e38f, -3e38f, 88.0f, -88.0f}) {
    for (int n = 1; n <= kernels::kPanelColumns + 3; ++n) {
      std::vector<float> row(static_cast<std::size_t>(n), extreme);
      expect_softmax(row, "all " + std::to_string(extreme));
      row.back() = 0;
      expect_softmax(row, "last 0, others " + std::to_string(extreme));
      row.front() = -extreme;
      expect_softmax(row, "both signs of " + std::to_string(extreme));
    }
  }
}

// A sum in float32 would lose many small weights.
TEST(Softmax, LongRowsSumToOne) {
  for (const int n : {700, 4097, 1048575}) {
    Tensor scores = dyadic(33, {n});
    for (float& s : scores.data) s *= 4;
    const std::vector<double> expected = softmax_reference(scores.data);
    for (const Softmax& softmax : softmax_kernels()) {
      std::vector<float> row = scores.data;
      softmax(row.data(), n);
      double sum = 0, relative = 0;
      for (std::size_t i = 0; i < row.size(); ++i) {
        sum += static_cast<double>(row[i]);
        relative = std::max(relative, std::fabs(static_cast<double>(row[i]) / expected[i] - 1));
      }
      EXPECT_NEAR(sum, 1.0, 2e-7) << softmax.name << " " << n;
      EXPECT_LT(relative, 1.1e-6) << softmax.name << " " << n;
    }
  }
}

// The weights of a row (0, x) are 1 / (1 + e^x) and e^x / (1 + e^x), so their error is that of the
// exponential.
TEST(Softmax, SmallWeightsHaveALowRelativeError) {
  for (const Softmax& softmax : softmax_kernels()) {
    for (double x = -68.9; x <= 0; x += 0.037) {
      float row[2] = {0, static_cast<float>(x)};
      const double e = std::exp(static_cast<double>(row[1])), expected = e / (1 + e);
      softmax(row, 2);
      ASSERT_NEAR(static_cast<double>(row[1]) / expected, 1.0, 2e-7 + 7e-8 * std::fabs(x))
          << softmax.name << " at " << x;
    }
    float row[2] = {0, -69.1f};
    softmax(row, 2);
    ASSERT_EQ(row[1], 0.0f) << softmax.name;
  }
}

}  // namespace
}  // namespace phasor::test
