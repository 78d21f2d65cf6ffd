// Pooled weights, which need no N x N memory, against pooling of the whole weights.

#include <gtest/gtest.h>

#include <algorithm>

#include "attention_inputs.h"
#include "phasor/attention.h"
#include "results.h"

namespace phasor::test {
namespace {

PoolingConfig make_pooling(const PoolingAxis& rows, const PoolingAxis& columns = {},
                           int size = 64) {
  return {.rows = rows, .columns = columns, .size = size};
}

AttentionConfig add_pooling(AttentionConfig config, const PoolingConfig& pooling) {
  config.outputs = {.pooled_weights = true};
  config.pooling = pooling;
  return config;
}

// The range and cells of one axis of pooled weights.
struct Axis {
  int begin, end, cell_size;

  Axis(const PoolingAxis& axis, int count, int size)
      : begin(axis.begin), end(axis.end > 0 ? axis.end : count), cell_size(axis.cell_size) {
    if (cell_size > 0) return;
    for (cell_size = 1; cell_size * size < end - begin;) ++cell_size;
  }
  int cell_count() const {
    int n = 0;
    for (int position = begin; position < end; position += cell_size) ++n;
    return n;
  }
  int get_cell_begin(int n) const { return begin + n * cell_size; }
  int get_cell_end(int n) const { return std::min(end, get_cell_begin(n) + cell_size); }
};

// Compares each cell with the mean and maximum of the whole weights, in double.
void expect_pooled(const Inputs& in, const AttentionConfig& config, const PoolingConfig& pooling) {
  AttentionConfig full_config = config;
  full_config.outputs = {.weights = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(in.q, in.k, in.v, full_config));
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual,
                       attention(in.q, in.k, in.v, add_pooling(config, pooling)));
  const int heads = in.q.shape[0];
  const Axis rows(pooling.rows, in.q.shape[1], pooling.size),
      columns(pooling.columns, in.k.shape[1], pooling.size);
  const std::vector<int> shape = {heads, rows.cell_count(), columns.cell_count()};
  ASSERT_EQ(actual.pooled_mean.shape, shape);
  ASSERT_EQ(actual.pooled_max.shape, shape);
  EXPECT_TRUE(actual.weights.empty() && actual.scores.empty() && actual.bias.empty());
  EXPECT_LT(largest_error(actual.output.data, expected.output.data), 2e-6);
  for (int h = 0; h < heads; ++h) {
    for (int r = 0; r < rows.cell_count(); ++r) {
      for (int c = 0; c < columns.cell_count(); ++c) {
        double sum = 0, largest = 0;
        for (int i = rows.get_cell_begin(r); i < rows.get_cell_end(r); ++i) {
          for (int j = columns.get_cell_begin(c); j < columns.get_cell_end(c); ++j) {
            const double weight = static_cast<double>(matrix(expected.weights, h).row(i)[j]);
            sum += weight;
            largest = std::max(largest, weight);
          }
        }
        const double mean = sum / (rows.get_cell_end(r) - rows.get_cell_begin(r)) /
                            (columns.get_cell_end(c) - columns.get_cell_begin(c));
        // The tolerance is relative, because weights of long rows are small.
        ASSERT_NEAR(static_cast<double>(matrix(actual.pooled_mean, h).row(r)[c]), mean, 2e-6 * mean)
            << h << " " << r << " " << c;
        ASSERT_NEAR(static_cast<double>(matrix(actual.pooled_max, h).row(r)[c]), largest,
                    2e-6 * largest)
            << h << " " << r << " " << c;
      }
    }
  }
}

AttentionConfig make_rope_config() {
  return {.encoding = {.id = "rope", .params = {}},
          .key_mask = {},
          .position_offset = {},
          .scale = {},
          .outputs = {}};
}

TEST(PooledWeights, CellsHoldTheMeanAndMaximumOfTheirWeights) {
  const Inputs in = inputs({2, 1, 48, 36, 8, 5});
  expect_pooled(in, make_rope_config(), make_pooling({.cell_size = 6}, {.cell_size = 4}));
  expect_pooled(in, make_rope_config(), make_pooling({.cell_size = 12}, {.cell_size = 1}));
  expect_pooled(in, make_rope_config(), make_pooling({.cell_size = 1}, {.cell_size = 36}));
}

TEST(PooledWeights, PartialLastCellsUseOnlyTheirWeights) {
  const Inputs in = inputs({2, 2, 47, 35, 8, 8});
  expect_pooled(in, make_rope_config(), make_pooling({.cell_size = 10}, {.cell_size = 8}));
  // One row and one column remain.
  expect_pooled(in, make_rope_config(), make_pooling({.cell_size = 23}, {.cell_size = 34}));
}

TEST(PooledWeights, DefaultCellsAreTheSmallestThatFitSize) {
  for (const int size : {1, 2, 7, 36, 47, 48, 64}) {
    SCOPED_TRACE(size);
    expect_pooled(inputs({1, 1, 48, 37, 4, 4}), make_rope_config(), make_pooling({}, {}, size));
  }
}

TEST(PooledWeights, PoolsRangesOfRowsAndColumns) {
  const Inputs in = inputs({3, 1, 70, 90, 6, 4});
  for (const PoolingAxis& rows :
       {PoolingAxis{.begin = 31, .end = 34}, PoolingAxis{.begin = 5, .end = 70, .cell_size = 9},
        PoolingAxis{.begin = 69}}) {
    for (const PoolingAxis& columns : {PoolingAxis{.begin = 17, .end = 64}, PoolingAxis{.end = 1},
                                       PoolingAxis{.begin = 80, .cell_size = 4}}) {
      expect_pooled(in, make_rope_config(), make_pooling(rows, columns, 16));
    }
  }
}

TEST(PooledWeights, PoolsASingleRowOrColumn) {
  expect_pooled(inputs({2, 2, 1, 50, 4, 4}), make_rope_config(), make_pooling({}, {}, 8));
  expect_pooled(inputs({2, 2, 50, 1, 4, 4}), make_rope_config(), make_pooling({}, {}, 8));
  expect_pooled(inputs({1, 1, 1, 1, 2, 2}), make_rope_config(), make_pooling({}, {}, 1));
}

TEST(PooledWeights, CellsLargerThanTheAxisGiveOneCell) {
  expect_pooled(inputs({2, 2, 9, 11, 4, 4}), make_rope_config(),
                make_pooling({.cell_size = 100}, {.cell_size = 12}));
}

// Tiles have 16 or 32 queries and 256 to 1024 keys, depending on the kernels. Cells cross tile
// boundaries, and scores grow along the row.
TEST(PooledWeights, CellsMaySpanTiles) {
  Inputs in = inputs({1, 1, 70, 700, 4, 4});
  for (int j = 0; j < 700; ++j) {
    for (int c = 0; c < 4; ++c) matrix(in.k).row(j)[c] *= static_cast<float>(j) / 100;
  }
  for (const auto& [rows, columns] :
       std::vector<std::pair<int, int>>{{31, 100}, {7, 255}, {70, 33}, {33, 700}}) {
    expect_pooled(in, make_rope_config(),
                  make_pooling({.cell_size = rows}, {.cell_size = columns}));
  }
  expect_pooled(in, make_rope_config(),
                make_pooling({.begin = 30, .end = 40}, {.begin = 250, .end = 600}, 10));
}

// Hidden keys have the weight 0, and so do all keys of a row without visible keys.
TEST(PooledWeights, SupportsMasksWindowsAndEmptyRows) {
  const Inputs in = inputs({2, 1, 40, 60, 4, 4});
  AttentionConfig config = make_rope_config();
  config.mask = Mask::causal;
  expect_pooled(in, config, make_pooling({}, {}, 7));
  config.position_offset = -10;  // ten rows are before the first key
  expect_pooled(in, config, make_pooling({.cell_size = 4}, {.cell_size = 9}));
  config.window = 3;
  expect_pooled(in, config, make_pooling({.cell_size = 4}, {.cell_size = 9}));
  for (int j = 0; j < 60; ++j) config.key_mask.push_back(j % 3 == 0 ? 0 : 1);
  expect_pooled(in, config, make_pooling({.cell_size = 3}, {.cell_size = 5}));
  config.key_mask.assign(60, 0);
  expect_pooled(in, config, make_pooling({}, {}, 4));
}

TEST(PooledWeights, SupportsEveryInjectionPoint) {
  const Inputs in = inputs({2, 1, 33, 40, 4, 4});
  for (const char* id : {"none", "alibi", "kerple", "cope", "shaw", "transformer_xl"}) {
    SCOPED_TRACE(id);
    AttentionConfig config = make_rope_config();
    config.encoding.id = id;
    expect_pooled(in, config, make_pooling({}, {}, 6));
  }
}

// outputs.head selects a head of the whole arrays, but not of the pooled weights.
TEST(PooledWeights, CoversAllHeadsBesideTheArraysOfOneHead) {
  const Inputs in = inputs({2, 2, 20, 20, 4, 4});
  AttentionConfig config = add_pooling(make_rope_config(), make_pooling({}, {}, 5));
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(in.q, in.k, in.v, config));
  config.outputs.weights = true;
  config.outputs.head = 1;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
  EXPECT_EQ(actual.weights.shape, (std::vector<int>{1, 20, 20}));
  ASSERT_EQ(actual.pooled_mean.shape, expected.pooled_mean.shape);
  EXPECT_LT(largest_error(actual.pooled_mean.data, expected.pooled_mean.data), 2e-6);
  EXPECT_LT(largest_error(actual.pooled_max.data, expected.pooled_max.data), 2e-6);
}

TEST(PooledWeights, IsEmptyUnlessRequested) {
  const Inputs in = inputs({1, 1, 4, 4, 2, 2});
  AttentionConfig config = make_rope_config();
  config.pooling = make_pooling({.begin = -1}, {}, 0);  // not read
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
  EXPECT_TRUE(actual.pooled_mean.empty() && actual.pooled_max.empty());
}

TEST(PooledWeights, RejectsInvalidSizesAndRanges) {
  const Inputs in = inputs({1, 1, 6, 9, 2, 2});
  const auto get_error_message = [&](const PoolingConfig& pooling) {
    return attention(in.q, in.k, in.v, add_pooling(make_rope_config(), pooling)).status().message();
  };
  EXPECT_EQ(get_error_message(make_pooling({}, {}, 0)), "pooling.size: 0 is outside 1 to 4096");
  EXPECT_EQ(get_error_message(make_pooling({}, {}, -3)), "pooling.size: -3 is outside 1 to 4096");
  EXPECT_EQ(get_error_message(make_pooling({}, {}, 4097)),
            "pooling.size: 4097 is outside 1 to 4096");
  EXPECT_EQ(get_error_message(make_pooling({}, {}, 4096)), "");
  EXPECT_EQ(get_error_message(make_pooling({.cell_size = -1})),
            "pooling.cell_size: -1 is outside 1 to 1048576");
  EXPECT_EQ(get_error_message(make_pooling({}, {.cell_size = -2})),
            "pooling.cell_size: -2 is outside 1 to 1048576");
  EXPECT_EQ(get_error_message(make_pooling({.begin = -1, .end = 3})),
            "pooling.rows: -1 to 3 is not within 0 to 6");
  EXPECT_EQ(get_error_message(make_pooling({.begin = 2, .end = 7})),
            "pooling.rows: 2 to 7 is not within 0 to 6");
  EXPECT_EQ(get_error_message(make_pooling({.begin = 3, .end = 3})),
            "pooling.rows: 3 to 3 is not within 0 to 6");
  EXPECT_EQ(get_error_message(make_pooling({.begin = 6})),
            "pooling.rows: 6 to 6 is not within 0 to 6");
  EXPECT_EQ(get_error_message(make_pooling({.begin = 2, .end = -1})),
            "pooling.rows: 2 to -1 is not within 0 to 6");
  EXPECT_EQ(get_error_message(make_pooling({}, {.begin = 8, .end = 10})),
            "pooling.columns: 8 to 10 is not within 0 to 9");
}

}  // namespace
}  // namespace phasor::test
