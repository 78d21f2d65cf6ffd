// Rounding errors of float32 sums stay within the bounds of docs/reliability.md.

#include <gtest/gtest.h>

#include <cmath>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

const double kUnit = std::ldexp(1.0, -24);

// Scores are equal, so every weight is 1 / n. Equal values are the worst case, because every sum is
// rounded in the same direction.
TEST(SumError, OutputErrorsStayWithinTheirBound) {
  for (const int n : {1, 255, 256, 1000, 4096, 65536, 1000000}) {
    const Tensor q({1, 1, 1}), k({1, n, 1});
    for (const bool is_constant : {true, false}) {
      Tensor v({1, n, 1});
      SplitMix64 random(static_cast<std::uint64_t>(n));
      double mean = 0;
      for (float& x : v.data) {
        x = is_constant ? 0.1f : static_cast<float>(random.uniform());
        mean += static_cast<double>(x) / n;
      }
      for (const bool weights : {false, true}) {
        AttentionConfig config;
        config.outputs.weights = weights;
        const AttentionResult actual = value_of(attention(q, k, v, config));
        const double relative_error =
            std::fabs(static_cast<double>(actual.output.data[0]) - mean) / magnitude(v.data);
        EXPECT_LE(relative_error, (260 + n / 128.0) * kUnit)
            << n << (is_constant ? " equal values" : " values") << (weights ? " with weights" : "");
      }
    }
  }
}

TEST(SumError, ScoreErrorsStayWithinTheirBound) {
  for (const int head_dim : {1, 16, 64, 1000}) {
    const Tensor q = value_of(random_normal(1, {1, 20, head_dim})),
                 k = value_of(random_normal(2, {1, 20, head_dim})), v({1, 20, 1});
    AttentionConfig config{.scale = 0.3};
    config.outputs.scores = true;
    const AttentionResult actual = value_of(attention(q, k, v, config));
    for (int i = 0; i < 20; ++i) {
      for (int j = 0; j < 20; ++j) {
        double sum = 0, abs_sum = 0;
        for (int c = 0; c < head_dim; ++c) {
          const double product = 0.3 * static_cast<double>(matrix(q, 0).row(i)[c]) *
                                 static_cast<double>(matrix(k, 0).row(j)[c]);
          sum += product;
          abs_sum += std::fabs(product);
        }
        EXPECT_LE(std::fabs(static_cast<double>(matrix(actual.scores, 0).row(i)[j]) - sum),
                  (head_dim + 3) * kUnit * abs_sum);
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test
