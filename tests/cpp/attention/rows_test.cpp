// A row of attention has the same bits for any split of the queries.

#include <gtest/gtest.h>

#include <algorithm>
#include <cstring>

#include "attention_inputs.h"
#include "phasor/attention.h"
#include "results.h"
#include "variants.h"

namespace phasor::test {
namespace {

Tensor slice_rows(const Tensor& t, int first, int count) {
  Tensor out({t.shape[0], count, t.shape[2]});
  for (int h = 0; h < t.shape[0]; ++h) {
    std::copy_n(matrix(t, h).row(first),
                static_cast<std::size_t>(count) * static_cast<std::size_t>(t.shape[2]),
                matrix(out, h).data);
  }
  return out;
}

bool are_bit_identical(const Tensor& a, const Tensor& b) {
  return a.shape == b.shape &&
         std::memcmp(a.data.data(), b.data.data(), a.data.size() * sizeof(float)) == 0;
}

struct SplitCase {
  const char* name;
  Sizes sizes;
  AttentionConfig config;
  std::vector<std::pair<int, int>> ranges;  ///< first query and number of queries
};

std::vector<std::pair<int, int>> list_rows(int first, int last) {
  std::vector<std::pair<int, int>> ranges;
  for (int r = first; r <= last; ++r) ranges.emplace_back(r, 1);
  return ranges;
}

AttentionConfig make_config(Mask mask, std::optional<int> window, double position_offset,
                            int hidden, bool weights, int keys) {
  AttentionConfig config{.encoding = {},
                         .mask = mask,
                         .window = window,
                         .key_mask = {},
                         .position_offset = position_offset,
                         .scale = {},
                         .outputs = {.weights = weights}};
  for (int j = 0; hidden > 0 && j < keys; ++j) config.key_mask.push_back(j % hidden == 1 ? 0 : 1);
  return config;
}

std::vector<SplitCase> list_split_cases() {
  const std::vector<std::pair<int, int>> ranges = {{0, 1}, {1, 1},  {31, 1}, {32, 1}, {36, 1},
                                                   {0, 5}, {5, 31}, {31, 2}, {32, 5}, {2, 35}};
  return {
      {"bidirectional",
       {2, 1, 37, 300, 8, 5},
       make_config(Mask::none, {}, 263, 0, false, 300),
       ranges},
      {"causal",
       {1, 1, 37, 300, 8, 5},
       make_config(Mask::causal, {}, 240, 0, false, 300),
       list_rows(0, 36)},
      {"causal, over blocks",
       {1, 1, 37, 1100, 8, 5},
       make_config(Mask::causal, {}, 1005, 0, false, 1100),
       ranges},
      // A sum over the visible keys must not depend on the end of the tile. Windows of 22 and 38
      // leave a remainder of 2 beyond a clip of 16. The 32 rows take every place within a tile,
      // half of them on each side of a tile boundary.
      {"window of 22",
       {1, 1, 48, 300, 8, 5},
       make_config(Mask::none, 22, 100, 0, false, 300),
       list_rows(16, 47)},
      {"window of 38",
       {1, 1, 48, 300, 8, 5},
       make_config(Mask::none, 38, 100, 0, false, 300),
       list_rows(16, 47)},
      {"window of 47",
       {1, 1, 48, 300, 8, 5},
       make_config(Mask::none, 47, 100, 0, false, 300),
       list_rows(16, 47)},
      {"window, causal, hidden keys",
       {2, 2, 37, 90, 8, 5},
       make_config(Mask::causal, 22, 30, 3, false, 90),
       ranges},
      {"far away", {1, 1, 37, 40, 8, 5}, make_config(Mask::none, {}, 1500, 0, false, 40), ranges},
      {"whole rows", {1, 1, 37, 90, 8, 5}, make_config(Mask::causal, 50, 40, 0, true, 90), ranges},
  };
}

// Workers may split the queries anywhere.
TEST(AttentionRows, AreBitIdenticalForAnySplitOfTheQueries) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    for (SplitCase split : list_split_cases()) {
      SCOPED_TRACE(variant.name + ", " + split.name);
      split.sizes.kv_heads = heads_of_keys(variant.config, split.sizes.heads, split.sizes.kv_heads);
      const Inputs in = inputs(split.sizes);
      split.config.encoding = variant.config;
      AttentionResult actual;
      ASSERT_OK_AND_ASSIGN(AttentionResult expected, attention(in.q, in.k, in.v, split.config));
      ASSERT_OK_AND_ASSIGN(AttentionResult repeated_result,
                           attention(in.q, in.k, in.v, split.config));
      ASSERT_TRUE(are_bit_identical(expected.output, repeated_result.output))
          << "twice is not the same";
      const double position_offset = *split.config.position_offset;
      for (const auto& [first, count] : split.ranges) {
        split.config.position_offset = position_offset + first;
        ASSERT_OK_AND_ASSIGN(actual,
                             attention(slice_rows(in.q, first, count), in.k, in.v, split.config));
        ASSERT_TRUE(are_bit_identical(actual.output, slice_rows(expected.output, first, count)))
            << "queries " << first << " + " << count;
        ++compared;
      }
    }
  }
  EXPECT_GT(compared, 3000);
}

}  // namespace
}  // namespace phasor::test
