#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

Tensor create_index_table(const std::vector<double>& positions, int dim, double start = 0) {
  return value_of(position_table({.id = "index", .params = {{"start", start}}}, positions, dim));
}

TEST(Index, EveryChannelIsThePositionPlusStart) {
  EXPECT_EQ(create_index_table({0, 1, 2}, 2).data, (std::vector<float>{0, 0, 1, 1, 2, 2}));
  EXPECT_EQ(create_index_table({0, 1, 2}, 1, 1).data, (std::vector<float>{1, 2, 3}));
  EXPECT_EQ(create_index_table({-4, 0.5, 16777215}, 1, 1).data,
            (std::vector<float>{-3, 1.5, 16777216}));
}

TEST(Index, RejectsSeveralCoordinates) {
  const std::vector<double> grid = {0, 1, 2, 3};
  EXPECT_EQ(position_table({.id = "index", .params = {}}, {grid, 2}, 4).status().message(),
            "positions: have 2 coordinates each; expected 1 for index");
}

}  // namespace
}  // namespace phasor::test
