#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"

namespace phasor::test {
namespace {

Tensor index(const std::vector<double>& positions, int width, double start = 0) {
  Tensor out;
  const Status status = table({.id = "index", .params = {{"start", start}}}, positions, width, out);
  EXPECT_TRUE(status.ok()) << status.message;
  return out;
}

TEST(Index, EveryChannelHoldsThePosition) {
  EXPECT_EQ(index({0, 1, 2}, 2).data, (std::vector<float>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(index({0, 1, 2}, 1, 1).data, (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(index({-4, 0.5, 16777215}, 1, 1).data, (std::vector<float>{-3, 1.5, 16777216}));
}

}  // namespace
}  // namespace phasor::test
