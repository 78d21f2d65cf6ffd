// Positions with several coordinates, and invalid positions.

#include <gtest/gtest.h>

#include <limits>

#include "attention_inputs.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::coordinates_test {
namespace {

constexpr int kHeads = 2, kTokens = 40, kHeadDim = 8;

const Tensor q = dyadic(401, {kHeads, kTokens, kHeadDim}),
             k = dyadic(402, {kHeads, kTokens, kHeadDim}),
             v = dyadic(403, {kHeads, kTokens, kHeadDim});

TEST(Positions, TwoCoordinatesMatchExplicitRotation) {
  AttentionConfig config, plain_config;
  config.encoding.id = "rope_2d";
  for (int t = 0; t < kTokens; ++t) {
    for (const int x : {t / 5, t % 5}) config.query_positions.values.push_back(x);
  }
  config.query_positions.axes = 2;
  config.key_positions = config.query_positions;
  const Positions positions(config.query_positions.values, 2);
  ASSERT_OK_AND_ASSIGN(const Tensor rotated_q,
                       apply_rotary(config.encoding, Role::query, positions, q));
  ASSERT_OK_AND_ASSIGN(const Tensor rotated_k,
                       apply_rotary(config.encoding, Role::key, positions, k));
  for (const Mask mask : {Mask::none, Mask::causal}) {  // the causal mask compares token indices
    config.mask = plain_config.mask = mask;
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(q, k, v, config));
    ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                         attention(rotated_q, rotated_k, v, plain_config));
    EXPECT_EQ(actual.output.data, expected.output.data);
  }
}

TEST(Positions, EveryCoordinateAffectsTheOutputOrIsRejected) {
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    for (const int axes : {2, 3}) {
      AttentionConfig config;
      config.encoding = variant.config;
      for (int i = 0; i < axes * kTokens; ++i) config.query_positions.values.push_back(i / axes);
      config.query_positions.axes = axes;
      config.key_positions = config.query_positions;
      const auto original = attention(q, k, v, config);
      if (!original.ok()) continue;
      for (int t = 0; t < kTokens; ++t)
        config.key_positions.values[static_cast<std::size_t>((t + 1) * axes - 1)] += t;
      ASSERT_OK_AND_ASSIGN(const AttentionResult shifted, attention(q, k, v, config));
      EXPECT_EQ(shifted.output.data == original->output.data, variant.type->id == "none")
          << axes << " coordinates";
    }
  }
}

TEST(Positions, RejectsInvalidPositions) {
  const auto get_error_message = [](AttentionConfig config) {
    return attention(q, k, v, config).status().message();
  };
  const std::vector<double> positions = positions_from(0, kTokens);
  EXPECT_EQ(get_error_message(make_config({}, positions, {})),
            "key_positions: is missing, but query_positions is set; expected both or neither");
  EXPECT_EQ(get_error_message(make_config({}, {}, positions)),
            "query_positions: is missing, but key_positions is set; expected both or neither");
  EXPECT_EQ(get_error_message(make_config({}, {0, 1}, positions)),
            "query_positions: has 2 entries; expected 40, one per query");
  EXPECT_EQ(get_error_message(make_config({}, positions, {0, 1, 2})),
            "key_positions: has 3 entries; expected 40, one per key");
  AttentionConfig config = make_config({}, positions, positions);
  config.position_offset = 0;
  EXPECT_EQ(get_error_message(config), "position_offset: cannot be combined with query_positions");
  for (const double invalid_value :
       {std::numeric_limits<double>::quiet_NaN(), std::numeric_limits<double>::infinity(), 1e300}) {
    config = make_config({}, positions, positions);
    config.key_positions.values[3] = invalid_value;
    EXPECT_TRUE(get_error_message(config).starts_with("key_positions[3]: "))
        << get_error_message(config);
    std::swap(config.key_positions, config.query_positions);
    EXPECT_TRUE(get_error_message(config).starts_with("query_positions[3]: "))
        << get_error_message(config);
  }
  config = make_config({}, positions, positions);
  config.query_positions.axes = 0;
  EXPECT_EQ(get_error_message(config), "query_positions.axes: 0 is outside 1 to 3");
  config.query_positions.axes = 2;
  EXPECT_EQ(get_error_message(config),
            "query_positions: has 20 entries; expected 40, one per query");
  config.query_positions.axes = 3;
  EXPECT_EQ(get_error_message(config),
            "query_positions: has 40 values; expected a multiple of 3, the number of coordinates "
            "per position");
  config.query_positions = {std::vector<double>(2 * kTokens), 2};
  EXPECT_EQ(get_error_message(config), "key_positions: has 1 axes, but query_positions has 2");
  config.key_positions = config.query_positions;
  config.encoding.id = "alibi";
  EXPECT_EQ(get_error_message(config),
            "query_positions: have 2 coordinates each; expected 1 for alibi");
  config.encoding.id = "rope";
  EXPECT_EQ(get_error_message(config),
            "query_positions: have 2 coordinates each; expected 1 (rope_2d and mrope accept more)");
  config = make_config({.id = "xpos", .params = {}}, positions, positions);
  config.key_positions.values[7] = 1e9;
  EXPECT_TRUE(get_error_message(config).starts_with("key_positions[7]: "))
      << get_error_message(config);
}

TEST(Positions, RejectsAnEncodingCreatedForOtherCoordinates) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Encoding> encoding,
                       create_encoding({.id = "rope_2d", .params = {}},
                                       {.length = kTokens, .dim = kHeadDim, .heads = kHeads}));
  AttentionConfig config;
  config.query_positions = config.key_positions = {std::vector<double>(2 * kTokens), 2};
  EXPECT_EQ(attention(q, k, v, *encoding, config).status().message(),
            "encoding: rope_2d was created for coordinates per position: 1, but the call has 2");
}

}  // namespace
}  // namespace phasor::test::coordinates_test
