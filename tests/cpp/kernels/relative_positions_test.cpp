// What all heads share is found once per difference of positions.

#include "kernels/relative_positions.h"

#include <gtest/gtest.h>

#include <vector>

namespace phasor::test {
namespace {

using kernels::RelativePositions;

class SharedByDistanceTest : public testing::Test {
 protected:
  const std::vector<double>& ask(const std::vector<double>& queries, const std::vector<double>& keys) {
    return shared_.values(RelativePositions(queries, keys), [this](double difference) {
      ++calls_;
      return 10 * difference;
    });
  }

  kernels::SharedByDistance shared_;
  int calls_ = 0;
};

TEST_F(SharedByDistanceTest, AsksOncePerDifferenceHoweverManyHeads) {
  const std::vector<double> queries = {3, 4, 5}, keys = {0, 1, 2, 3};
  for (int head = 0; head < 1000; ++head) {
    EXPECT_EQ(ask(queries, keys), (std::vector<double>{-50, -40, -30, -20, -10, 0}));
  }
  EXPECT_EQ(calls_, 6);
}

TEST_F(SharedByDistanceTest, OtherDifferencesAreAskedAnew) {
  EXPECT_EQ(ask({0}, {0, 1}), (std::vector<double>{0, 10}));
  EXPECT_EQ(ask({1}, {0, 1}), (std::vector<double>{-10, 0}));
  EXPECT_EQ(ask({1}, {0, 5}), (std::vector<double>{-10, 40}));
  EXPECT_EQ(ask({1}, {0}), (std::vector<double>{-10}));
  EXPECT_EQ(calls_, 7);
}

TEST_F(SharedByDistanceTest, TheSameDifferencesElsewhereAreKnown) {
  ask({100, 101}, {90, 91});
  ask({1000, 1001}, {990, 991});
  EXPECT_EQ(calls_, 3);
}

}  // namespace
}  // namespace phasor::test
