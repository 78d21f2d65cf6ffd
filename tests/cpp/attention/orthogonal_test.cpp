#include <gtest/gtest.h>

#include <cmath>

#include "attention/self_attention.h"

namespace phasor::test {
namespace {

// A single orthogonalization leaves errors of 1e-5.
TEST(RandomOrthogonal, RowsAreOrthonormalToFloat32Precision) {
  constexpr int kEmbedDim = 96;
  Tensor m;
  ASSERT_TRUE(random_orthogonal(3, kEmbedDim, m).ok());
  double max_error = 0;
  for (int i = 0; i < kEmbedDim; ++i) {
    for (int j = 0; j <= i; ++j) {
      const float *a = matrix(m).row(i), *b = matrix(m).row(j);
      double product = i == j ? -1 : 0;
      for (int c = 0; c < kEmbedDim; ++c)
        product += static_cast<double>(a[c]) * static_cast<double>(b[c]);
      max_error = std::max(max_error, std::fabs(product));
    }
  }
  EXPECT_LT(max_error, 1e-6);
}

}  // namespace
}  // namespace phasor::test
