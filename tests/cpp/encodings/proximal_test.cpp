#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(Proximal, EqualsKerpleWithBothParametersOne) {
  Tensor kerple;
  ASSERT_OK_AND_ASSIGN(Tensor got, attention_bias({.id = "proximal", .params = {}}, 3, 4, 9, 5));
  const Tensor ones({3}, {1, 1, 1});
  ASSERT_OK_AND_ASSIGN(
      kerple, attention_bias({.id = "kerple", .params = {{"r1", ones}, {"r2", ones}}}, 3, 4, 9, 5));
  EXPECT_EQ(got.data, kerple.data);
}

TEST(Proximal, IsSymmetricAndEqualForAllHeads) {
  ASSERT_OK_AND_ASSIGN(Tensor got, attention_bias({.id = "proximal", .params = {}}, 2, 5, 5, 0));
  for (int i = 0; i < 5; ++i) {
    for (int j = 0; j < 5; ++j) {
      EXPECT_EQ(matrix(got, 0).row(i)[j], matrix(got, 0).row(j)[i]);
      EXPECT_EQ(matrix(got, 0).row(i)[j], matrix(got, 1).row(i)[j]);
    }
  }
  EXPECT_NEAR(static_cast<double>(matrix(got).row(4)[0]), -std::log(5.0), 1e-6);
  EXPECT_EQ(matrix(got).row(2)[2], 0.0f);
}

}  // namespace
}  // namespace phasor::test
