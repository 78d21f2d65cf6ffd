#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(Proximal, EqualsKerpleWithBothParametersOne) {
  Tensor kerple;
  ASSERT_OK_AND_ASSIGN(Tensor actual, attention_bias({.id = "proximal", .params = {}}, 3, 4, 9, 5));
  const Tensor unit_r({3}, {1, 1, 1});
  ASSERT_OK_AND_ASSIGN(
      kerple,
      attention_bias({.id = "kerple", .params = {{"r1", unit_r}, {"r2", unit_r}}}, 3, 4, 9, 5));
  EXPECT_EQ(actual.data, kerple.data);
}

TEST(Proximal, IsSymmetricAndEqualForAllHeads) {
  ASSERT_OK_AND_ASSIGN(Tensor actual, attention_bias({.id = "proximal", .params = {}}, 2, 5, 5, 0));
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      EXPECT_EQ(matrix(actual, 0).row(i)[j], matrix(actual, 0).row(j)[i]);
      EXPECT_EQ(matrix(actual, 0).row(i)[j], matrix(actual, 1).row(i)[j]);
    }
  }
  EXPECT_NEAR(static_cast<double>(matrix(actual).row(4)[0]), -std::log(5.0), 1e-6);
  EXPECT_EQ(matrix(actual).row(2)[2], 0.0f);
}

}  // namespace
}  // namespace phasor::test
