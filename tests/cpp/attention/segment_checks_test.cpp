// Errors about segment ids, and about packed texts without them.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "segments.h"

namespace phasor::test::segment_checks_test {
namespace {

const Packed packed_inputs;
const Tensor &q = packed_inputs.q, &k = packed_inputs.k, &v = packed_inputs.v;
const std::vector<int>& kLengths = packed_inputs.lengths;
constexpr int kTokens = Packed::kTokens;

TEST(SegmentChecks, IdsAreComputedFromCumulativeLengths) {
  EXPECT_EQ(ids_of({3, 0, 2}), (std::vector<int>{0, 0, 0, 2, 2}));
  const auto message = [](std::vector<int> cumulative_lengths) {
    return segment_ids(cumulative_lengths).status().message();
  };
  EXPECT_EQ(message({}), "cu_seqlens: does not start at 0; expected cumulative lengths");
  EXPECT_EQ(message({1, 3}), "cu_seqlens: does not start at 0; expected cumulative lengths");
  EXPECT_EQ(message({0, 3, 2}), "cu_seqlens[2]: 2 is below the previous entry, 3");
  EXPECT_EQ(message({0, 0}), "cu_seqlens: 0 is outside 1 to 1048576");
}

TEST(SegmentChecks, RejectsInvalidOrIncompatibleArguments) {
  const auto message = [](auto change) {
    AttentionConfig config{.mask = Mask::causal};
    config.query_segment_ids = config.key_segment_ids = ids_of(kLengths);
    change(config);
    return attention(q, k, v, config).status().message();
  };
  EXPECT_EQ(message([](AttentionConfig& c) { c.query_segment_ids = {}; }),
            "query_segment_ids: is missing, but key_segment_ids is set; expected both or neither");
  EXPECT_EQ(message([](AttentionConfig& c) { c.key_segment_ids = {}; }),
            "key_segment_ids: is missing, but query_segment_ids is set; expected both or neither");
  EXPECT_EQ(message([](AttentionConfig& c) { c.key_segment_ids.push_back(1); }),
            "key_segment_ids: has 41 entries; expected 40, one per token");
  EXPECT_EQ(message([](AttentionConfig& c) { c.query_segment_ids[7] = -1; }),
            "query_segment_ids[7]: -1 is outside 0 to 2147483647");
  EXPECT_EQ(message([](AttentionConfig& c) { c.position_offset = 0; }),
            "position_offset: cannot be combined with key_segment_ids, because each text starts at "
            "0; set "
            "query_positions");
  EXPECT_EQ(message([](AttentionConfig& c) {
              c.window = 3;
              c.options.sink_tokens = 1;
              c.options.sink_positions = SinkPositions::cache;
            }),
            "sink_positions: cache cannot be combined with key_segment_ids");
  EXPECT_EQ(message([](AttentionConfig& c) {
              c.encoding.id = "cope";
              c.query_positions.values = positions_from(0, kTokens);
              c.key_positions.values = positions_from(0, kTokens);
              std::swap(c.key_positions.values[20], c.key_positions.values[21]);
              std::swap(c.key_positions.values[0], c.key_positions.values[20]);
            }),
            "key_positions: 1 comes after 21, but cope requires keys in ascending order");
}

// Without segment ids two visible keys must not share a position under a causal mask. Hidden
// padding, reordered keys, queries that share a position, and equal positions without a causal mask
// are accepted.
TEST(SegmentChecks, RepeatedPositionsRequireSegmentIds) {
  const Tensor x = dyadic(851, {1, 6, 4});
  const auto get_error_message = [&x](std::vector<double> queries, std::vector<double> keys,
                                      std::vector<std::uint8_t> key_mask = {},
                                      Mask mask = Mask::causal) {
    AttentionConfig config{.mask = mask, .key_mask = std::move(key_mask)};
    config.query_positions.values = std::move(queries);
    config.key_positions.values = std::move(keys);
    return attention(x, x, x, config).status().message();
  };
  const std::vector<double> positions = {0, 1, 2, 3, 4, 5};
  const auto format_duplicate_message = [](int index, int position, int key) {
    return "key_positions[" + std::to_string(index) + "]: " + std::to_string(position) +
           " is also the position of key " + std::to_string(key) +
           "; texts packed under a causal mask need query_segment_ids and key_segment_ids";
  };
  EXPECT_EQ(get_error_message({0, 1, 2, 0, 1, 2}, {0, 1, 2, 0, 1, 2}),
            format_duplicate_message(3, 0, 0));
  EXPECT_EQ(get_error_message(positions, {4, 5, 6, 2, 3, 4}), format_duplicate_message(5, 4, 0));
  EXPECT_EQ(get_error_message({0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}),
            format_duplicate_message(1, 0, 0));
  EXPECT_EQ(get_error_message(positions, {0, 1, 2, 2, 3, 3}), format_duplicate_message(3, 2, 2));
  EXPECT_EQ(get_error_message(positions, {1, 1, 0, 1, 2, 3}, {0, 0, 1, 1, 1, 1}), "");
  EXPECT_EQ(get_error_message({1, 1, 0, 1, 2, 3}, {1, 1, 0, 1, 2, 3}, {0, 0, 1, 1, 1, 1}), "");
  EXPECT_EQ(get_error_message(positions, {3, 4, 5, 0, 1, 2}), "");
  EXPECT_EQ(get_error_message({5, 5, 2, 2, 0, 0}, positions), "");
  EXPECT_EQ(get_error_message({0, 1, 2, 0, 1, 2}, {0, 1, 2, 0, 1, 2}, {}, Mask::none), "");
  // A single text whose tokens share positions is accepted if it has segment ids.
  AttentionConfig config{.mask = Mask::causal};
  config.query_positions.values = config.key_positions.values = {0, 1, 2, 2, 2, 3};
  config.query_segment_ids = config.key_segment_ids = {0, 0, 0, 0, 0, 0};
  config.outputs = {.weights = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(x, x, x, config));
  EXPECT_GT(matrix(actual.weights).row(2)[4], 0);
  // The index in the message counts the whole array of a batch.
  const Tensor batch_x = dyadic(852, {2, 1, 3, 4});
  AttentionConfig batch{.mask = Mask::causal};
  batch.query_positions.values = batch.key_positions.values = {0, 1, 2, 0, 1, 1};
  EXPECT_EQ(attention(batch_x, batch_x, batch_x, batch).status().message(),
            format_duplicate_message(5, 1, 4));
}

}  // namespace
}  // namespace phasor::test::segment_checks_test
