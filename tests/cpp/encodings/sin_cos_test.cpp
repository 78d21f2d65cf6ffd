#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

Tensor create_sin_cos_table(const std::vector<double>& positions, int dim, double start = 0) {
  return value_of(position_table({.id = "sin_cos", .params = {{"start", start}}}, positions, dim));
}

TEST(SinCos, HasTwoChannelsForAnyDim) {
  for (const int dim : {1, 2, 7, 64})
    EXPECT_EQ(create_sin_cos_table(positions_from(0, 3), dim).shape, (std::vector<int>{3, 2}));
}

// Each step multiplies cos p + i sin p by cos 1 + i sin 1.
TEST(SinCos, AdvancesOneRadianPerToken) {
  const Tensor t = create_sin_cos_table(positions_from(0, 50), 2, 1);
  double s = 0.8414709848078965, c = 0.5403023058681398;  // sin 1, cos 1
  const double step_s = s, step_c = c;
  for (int p = 0; p < 50; ++p) {
    EXPECT_NEAR(static_cast<double>(matrix(t).row(p)[0]), s, 1e-6);
    EXPECT_NEAR(static_cast<double>(matrix(t).row(p)[1]), c, 1e-6);
    const double next_sine = s * step_c + c * step_s;
    c = c * step_c - s * step_s;
    s = next_sine;
  }
}

TEST(SinCos, RejectsEmbeddingsOfOneChannel) {
  SelfAttentionConfig config;
  config.encoding.id = "sin_cos";
  EXPECT_TRUE(self_attention(dyadic(1, {4, 2}), config).ok());
  EXPECT_TRUE(self_attention(dyadic(1, {4, 8}), config).ok());
  const Status status = self_attention(dyadic(1, {4, 1}), config).status();
  EXPECT_EQ(status.message(), "dim: sin_cos has 2 channels; expected at most 1, the embedding dim");
}

}  // namespace
}  // namespace phasor::test
