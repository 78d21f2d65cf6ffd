// Errors about segment ids, and about packed texts without them.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "segments.h"

namespace phasor::test::segment_checks_test {
namespace {

const Packed inputs_of;
const Tensor &q = inputs_of.q, &k = inputs_of.k, &v = inputs_of.v;
const std::vector<int>& kLengths = inputs_of.lengths;
constexpr int kTokens = Packed::kTokens;

TEST(SegmentChecks, IdsAreComputedFromCumulativeLengths) {
  EXPECT_EQ(ids_of({3, 0, 2}), (std::vector<int>{0, 0, 0, 2, 2}));
  const auto message = [](std::vector<int> ends) { return segment_ids(ends).status().message(); };
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
  const auto call = [&x](std::vector<double> queries, std::vector<double> keys,
                         std::vector<std::uint8_t> mask = {}, Mask causal = Mask::causal) {
    AttentionConfig config{.mask = causal, .key_mask = std::move(mask)};
    config.query_positions.values = std::move(queries);
    config.key_positions.values = std::move(keys);
    return attention(x, x, x, config).status().message();
  };
  const std::vector<double> usual = {0, 1, 2, 3, 4, 5};
  const auto again = [](int index, int position, int key) {
    return "key_positions[" + std::to_string(index) + "]: " + std::to_string(position) +
           " is also the position of key " + std::to_string(key) +
           "; texts packed under a causal mask need query_segment_ids and key_segment_ids";
  };
  EXPECT_EQ(call({0, 1, 2, 0, 1, 2}, {0, 1, 2, 0, 1, 2}), again(3, 0, 0));
  EXPECT_EQ(call(usual, {4, 5, 6, 2, 3, 4}), again(5, 4, 0));
  EXPECT_EQ(call({0, 0, 0, 0, 0, 0}, {0, 0, 0, 0, 0, 0}), again(1, 0, 0));
  EXPECT_EQ(call(usual, {0, 1, 2, 2, 3, 3}), again(3, 2, 2));
  EXPECT_EQ(call(usual, {1, 1, 0, 1, 2, 3}, {0, 0, 1, 1, 1, 1}), "");
  EXPECT_EQ(call({1, 1, 0, 1, 2, 3}, {1, 1, 0, 1, 2, 3}, {0, 0, 1, 1, 1, 1}), "");
  EXPECT_EQ(call(usual, {3, 4, 5, 0, 1, 2}), "");
  EXPECT_EQ(call({5, 5, 2, 2, 0, 0}, usual), "");
  EXPECT_EQ(call({0, 1, 2, 0, 1, 2}, {0, 1, 2, 0, 1, 2}, {}, Mask::none), "");
  // A single text whose tokens share positions is accepted if it has segment ids.
  AttentionConfig config{.mask = Mask::causal};
  config.query_positions.values = config.key_positions.values = {0, 1, 2, 2, 2, 3};
  config.query_segment_ids = config.key_segment_ids = {0, 0, 0, 0, 0, 0};
  config.outputs = {.weights = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(x, x, x, config));
  EXPECT_GT(matrix(got.weights).row(2)[4], 0);
  // The index in the message counts the whole array of a batch.
  const Tensor both = dyadic(852, {2, 1, 3, 4});
  AttentionConfig batch{.mask = Mask::causal};
  batch.query_positions.values = batch.key_positions.values = {0, 1, 2, 0, 1, 1};
  EXPECT_EQ(attention(both, both, both, batch).status().message(), again(5, 1, 4));
}

}  // namespace
}  // namespace phasor::test::segment_checks_test
