// The picture of the weights that needs no N x N memory: every cell against the weights themselves.

#include <gtest/gtest.h>

#include <algorithm>

#include "attention_inputs.h"
#include "phasor/attention.h"
#include "results.h"

namespace phasor::test {
namespace {

PoolingConfig parts(const MapAxis& rows, const MapAxis& columns = {}, int size = 64) {
  return {.rows = rows, .columns = columns, .size = size};
}

AttentionConfig with_map(AttentionConfig config, const PoolingConfig& map) {
  config.want = {.map = true};
  config.map = map;
  return config;
}

// An axis as the map has it: its part, and the first query or key of each cell.
struct Axis {
  int first, last, cell;

  Axis(const MapAxis& axis, int count, int size)
      : first(axis.first), last(axis.last > 0 ? axis.last : count), cell(axis.cell) {
    if (cell > 0) return;
    for (cell = 1; cell * size < last - first;) ++cell;  // the finest that fits
  }
  int cells() const {
    int n = 0;
    for (int at = first; at < last; at += cell) ++n;
    return n;
  }
  int begin(int n) const { return first + n * cell; }
  int end(int n) const { return std::min(last, begin(n) + cell); }
};

// Mean and largest of each cell, from whole weights in double.
void expect_map(const Inputs& in, const AttentionConfig& config, const PoolingConfig& map) {
  AttentionConfig whole = config;
  whole.want = {.weights = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult all, attention(in.q, in.k, in.v, whole));
  ASSERT_OK_AND_ASSIGN(const AttentionResult got,
                       attention(in.q, in.k, in.v, with_map(config, map)));
  const int heads = in.q.shape[0];
  const Axis rows(map.rows, in.q.shape[1], map.size), columns(map.columns, in.k.shape[1], map.size);
  const std::vector<int> shape = {heads, rows.cells(), columns.cells()};
  ASSERT_EQ(got.map_mean.shape, shape);
  ASSERT_EQ(got.map_max.shape, shape);
  EXPECT_TRUE(got.weights.empty() && got.scores.empty() && got.bias.empty());
  EXPECT_LT(largest_error(got.output.data, all.output.data), 2e-6);
  for (int h = 0; h < heads; ++h) {
    for (int r = 0; r < rows.cells(); ++r) {
      for (int c = 0; c < columns.cells(); ++c) {
        double sum = 0, largest = 0;
        for (int i = rows.begin(r); i < rows.end(r); ++i) {
          for (int j = columns.begin(c); j < columns.end(c); ++j) {
            const double weight = static_cast<double>(matrix(all.weights, h).row(i)[j]);
            sum += weight;
            largest = std::max(largest, weight);
          }
        }
        const double mean =
            sum / (rows.end(r) - rows.begin(r)) / (columns.end(c) - columns.begin(c));
        // Relative: weights of long rows are small.
        ASSERT_NEAR(static_cast<double>(matrix(got.map_mean, h).row(r)[c]), mean, 2e-6 * mean)
            << h << " " << r << " " << c;
        ASSERT_NEAR(static_cast<double>(matrix(got.map_max, h).row(r)[c]), largest, 2e-6 * largest)
            << h << " " << r << " " << c;
      }
    }
  }
}

AttentionConfig rope_config() {
  return {.encoding = {.id = "rope", .params = {}},
          .key_mask = {},
          .offset = {},
          .scale = {},
          .want = {}};
}

TEST(AttentionMap, CellsHaveTheMeanAndTheLargestOfTheirWeights) {
  const Inputs in = inputs({2, 1, 48, 36, 8, 5});
  expect_map(in, rope_config(), parts({.cell = 6}, {.cell = 4}));
  expect_map(in, rope_config(), parts({.cell = 12}, {.cell = 1}));
  expect_map(in, rope_config(), parts({.cell = 1}, {.cell = 36}));
}

TEST(AttentionMap, TheLastCellIsTheMeanOfWhatItHas) {
  const Inputs in = inputs({2, 2, 47, 35, 8, 8});
  expect_map(in, rope_config(), parts({.cell = 10}, {.cell = 8}));
  // one row and one column are left over
  expect_map(in, rope_config(), parts({.cell = 23}, {.cell = 34}));
}

TEST(AttentionMap, WithoutACellItIsTheFinestOfAtMostSizeCells) {
  for (const int size : {1, 2, 7, 36, 47, 48, 64}) {
    SCOPED_TRACE(size);
    expect_map(inputs({1, 1, 48, 37, 4, 4}), rope_config(), parts({}, {}, size));
  }
}

TEST(AttentionMap, PartsOfAxesAreThoseRowsAndColumns) {
  const Inputs in = inputs({3, 1, 70, 90, 6, 4});
  for (const MapAxis& rows : {MapAxis{.first = 31, .last = 34},
                              MapAxis{.first = 5, .last = 70, .cell = 9}, MapAxis{.first = 69}}) {
    for (const MapAxis& columns :
         {MapAxis{.first = 17, .last = 64}, MapAxis{.last = 1}, MapAxis{.first = 80, .cell = 4}}) {
      expect_map(in, rope_config(), parts(rows, columns, 16));
    }
  }
}

TEST(AttentionMap, OneRowAndOneColumn) {
  expect_map(inputs({2, 2, 1, 50, 4, 4}), rope_config(), parts({}, {}, 8));
  expect_map(inputs({2, 2, 50, 1, 4, 4}), rope_config(), parts({}, {}, 8));
  expect_map(inputs({1, 1, 1, 1, 2, 2}), rope_config(), parts({}, {}, 1));
}

TEST(AttentionMap, CellsLargerThanTheAxisAreOneCell) {
  expect_map(inputs({2, 2, 9, 11, 4, 4}), rope_config(), parts({.cell = 100}, {.cell = 12}));
}

// Tiles have 32 queries and 256 keys: cells that begin in one and end in another, over rows whose
// largest score rises late.
TEST(AttentionMap, CellsReachOverTiles) {
  Inputs in = inputs({1, 1, 70, 700, 4, 4});
  for (int j = 0; j < 700; ++j) {
    for (int c = 0; c < 4; ++c) matrix(in.k).row(j)[c] *= static_cast<float>(j) / 100;
  }
  for (const auto& [rows, columns] :
       std::vector<std::pair<int, int>>{{31, 100}, {7, 255}, {70, 33}, {33, 700}}) {
    expect_map(in, rope_config(), parts({.cell = rows}, {.cell = columns}));
  }
  expect_map(in, rope_config(), parts({.first = 30, .last = 40}, {.first = 250, .last = 600}, 10));
}

// What is hidden counts as the weight 0 it has; rows that see nothing are 0.
TEST(AttentionMap, MasksWindowsAndEmptyRows) {
  const Inputs in = inputs({2, 1, 40, 60, 4, 4});
  AttentionConfig config = rope_config();
  config.mask = Mask::causal;
  expect_map(in, config, parts({}, {}, 7));
  config.offset = -10;  // ten rows are before the first key
  expect_map(in, config, parts({.cell = 4}, {.cell = 9}));
  config.window = 3;
  expect_map(in, config, parts({.cell = 4}, {.cell = 9}));
  for (int j = 0; j < 60; ++j) config.key_mask.push_back(j % 3 == 0 ? 0 : 1);
  expect_map(in, config, parts({.cell = 3}, {.cell = 5}));
  config.key_mask.assign(60, 0);
  expect_map(in, config, parts({}, {}, 4));
}

TEST(AttentionMap, EveryPlaceOfEntry) {
  const Inputs in = inputs({2, 1, 33, 40, 4, 4});
  for (const char* id : {"none", "alibi", "kerple", "cope", "shaw", "transformer_xl"}) {
    SCOPED_TRACE(id);
    AttentionConfig config = rope_config();
    config.encoding.id = id;
    expect_map(in, config, parts({}, {}, 6));
  }
}

// One head of the large arrays does not choose a head of the map.
TEST(AttentionMap, ComesBesideWholeArrays) {
  const Inputs in = inputs({2, 2, 20, 20, 4, 4});
  AttentionConfig config = with_map(rope_config(), parts({}, {}, 5));
  ASSERT_OK_AND_ASSIGN(const AttentionResult alone, attention(in.q, in.k, in.v, config));
  config.want.weights = true;
  config.want.head = 1;
  ASSERT_OK_AND_ASSIGN(const AttentionResult both, attention(in.q, in.k, in.v, config));
  EXPECT_EQ(both.weights.shape, (std::vector<int>{1, 20, 20}));
  ASSERT_EQ(both.map_mean.shape, alone.map_mean.shape);
  EXPECT_LT(largest_error(both.map_mean.data, alone.map_mean.data), 2e-6);
  EXPECT_LT(largest_error(both.map_max.data, alone.map_max.data), 2e-6);
}

TEST(AttentionMap, IsNotMadeUnlessWanted) {
  const Inputs in = inputs({1, 1, 4, 4, 2, 2});
  AttentionConfig config = rope_config();
  config.map = parts({.first = -1}, {}, 0);  // not read
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(in.q, in.k, in.v, config));
  EXPECT_TRUE(got.map_mean.empty() && got.map_max.empty());
}

TEST(AttentionMap, WhatIsNotThereIsRefusedByName) {
  const Inputs in = inputs({1, 1, 6, 9, 2, 2});
  const auto refusal = [&](const PoolingConfig& map) {
    return attention(in.q, in.k, in.v, with_map(rope_config(), map)).status().message();
  };
  EXPECT_EQ(refusal(parts({}, {}, 0)), "map.size: 0 is outside 1 to 4096");
  EXPECT_EQ(refusal(parts({}, {}, -3)), "map.size: -3 is outside 1 to 4096");
  EXPECT_EQ(refusal(parts({}, {}, 4097)), "map.size: 4097 is outside 1 to 4096");
  EXPECT_EQ(refusal(parts({}, {}, 4096)), "");
  EXPECT_EQ(refusal(parts({.cell = -1})), "map.cell: -1 is outside 1 to 1048576");
  EXPECT_EQ(refusal(parts({}, {.cell = -2})), "map.cell: -2 is outside 1 to 1048576");
  EXPECT_EQ(refusal(parts({.first = -1, .last = 3})), "map.rows: -1 to 3 is not a part of 0 to 6");
  EXPECT_EQ(refusal(parts({.first = 2, .last = 7})), "map.rows: 2 to 7 is not a part of 0 to 6");
  EXPECT_EQ(refusal(parts({.first = 3, .last = 3})), "map.rows: 3 to 3 is not a part of 0 to 6");
  EXPECT_EQ(refusal(parts({.first = 6})), "map.rows: 6 to 6 is not a part of 0 to 6");
  EXPECT_EQ(refusal(parts({.first = 2, .last = -1})), "map.rows: 2 to -1 is not a part of 0 to 6");
  EXPECT_EQ(refusal(parts({}, {.first = 8, .last = 10})),
            "map.columns: 8 to 10 is not a part of 0 to 9");
}

}  // namespace
}  // namespace phasor::test
