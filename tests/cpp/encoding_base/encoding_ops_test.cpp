// Functions that apply an encoding outside attention: results, positions and sizes.

#include "phasor/encoding_ops.h"

#include <gtest/gtest.h>

#include <algorithm>

#include "numbers.h"
#include "phasor/positions.h"
#include "phasor/registry.h"
#include "results.h"
#include "variants.h"

namespace phasor::test {
namespace {

const EncodingConfig kSinusoidal{.id = "sinusoidal", .params = {}},
    kRope{.id = "rope", .params = {}}, kAlibi{.id = "alibi", .params = {}};

TEST(EncodingOps, AcceptPositionsUpToTheMaximum) {
  const Tensor x = dyadic(3, {1, 1, 4});
  for (const double sign : {1.0, -1.0}) {
    const std::vector<double> farthest = {sign * kMaxPosition},
                              too_far = {sign * (kMaxPosition + 1)}, endless = {sign * HUGE_VAL};
    const std::string words = sign > 0 ? "" : "-";
    const std::string outside_range =
        "positions[0]: " + words + "2147483648 is outside -2147483647 to 2147483647";
    EXPECT_EQ(position_table(kSinusoidal, farthest, 4).status().message(), "");
    EXPECT_EQ(position_table(kSinusoidal, too_far, 4).status().message(), outside_range);
    EXPECT_EQ(position_table(kSinusoidal, endless, 4).status().message(),
              "positions[0]: " + words + "Infinity is outside -2147483647 to 2147483647");
    EXPECT_EQ(rotary_angles(kRope, farthest, 4).status().message(), "");
    EXPECT_EQ(apply_rotary(kRope, Role::key, too_far, x).status().message(), outside_range);
    EXPECT_EQ(rotation_matrix(kRope, Role::key, too_far, 4).status().message(), outside_range);
    EXPECT_EQ(attention_bias(kAlibi, 1, farthest, farthest).status().message(), "");
    EXPECT_EQ(attention_bias(kAlibi, 1, too_far, farthest).status().message(), outside_range);
    EXPECT_EQ(attention_bias(kAlibi, 1, farthest, too_far).status().message(), outside_range);
  }
}

// The maximum itself is valid, but later positions and limits of the encoding are still checked.
TEST(EncodingOps, CheckPositionsAfterTheMaximum) {
  const std::vector<double> farthest = {kMaxPosition}, two = {kMaxPosition, kMaxPosition + 1};
  EXPECT_EQ(position_table(kSinusoidal, two, 4).status().message(),
            "positions[1]: 2147483648 is outside -2147483647 to 2147483647");
  EXPECT_FALSE(position_table({.id = "learned", .params = {}}, farthest, 4).ok());
}

TEST(EncodingOps, BiasRejectsSeveralCoordinates) {
  const std::vector<double> numbers = {0, 1, 2, 3};
  const Positions positions(numbers, 2), words(numbers);
  EXPECT_EQ(attention_bias(kAlibi, 1, positions, words).status().message(),
            "positions: have 2 coordinates each; expected 1");
  EXPECT_EQ(attention_bias(kAlibi, 1, words, positions).status().message(),
            "positions: have 2 coordinates each; expected 1");
  EXPECT_EQ(attention_bias(kAlibi, 1, words, words).status().message(), "");
}

TEST(EncodingOps, RejectPositionsOutsideTheEncoding) {
  const EncodingConfig learned{.id = "learned", .params = {{"max_length", 4.0}}};
  const std::vector<double> valid_position = {3}, past_table = {4}, fraction = {0.5};
  EXPECT_EQ(position_table(learned, valid_position, 2).status().message(), "");
  EXPECT_FALSE(position_table(learned, past_table, 2).ok());
  EXPECT_FALSE(position_table(learned, fraction, 2).ok());
  // Each position is valid, but not their distance.
  const EncodingConfig distances{.id = "relative_bias", .params = {{"max_length", 4.0}}};
  EXPECT_EQ(attention_bias(distances, 1, std::vector<double>{0}, valid_position).status().message(),
            "");
  EXPECT_EQ(
      attention_bias(distances, 1, std::vector<double>{-1}, valid_position).status().message(),
      "max_length: 4 is too small for tokens at distance 4; expected a larger value, or "
      "beyond: \"clip\"");
}

TEST(EncodingOps, RejectSizesOutOfRange) {
  const std::vector<double> zero = {0};
  EXPECT_EQ(position_table(kSinusoidal, zero, 0).status().message(),
            "dim: 0 is outside 1 to 1048576");
  EXPECT_EQ(rotary_angles(kRope, zero, -2).status().message(), "dim: -2 is outside 1 to 1048576");
  EXPECT_EQ(rotary_angles(kRope, {}, 4).status().message(), "length: 0 is outside 1 to 1048576");
  EXPECT_EQ(rotation_matrix(kRope, Role::query, zero, 0).status().message(),
            "dim: 0 is outside 1 to 1048576");
  EXPECT_EQ(rotation_matrix(kRope, Role::query, zero, 32768).status().code(),
            StatusCode::resource_exhausted);
  EXPECT_EQ(rope_frequencies(kRope, 0).status().message(), "dim: 0 is outside 1 to 1048576");
  EXPECT_EQ(rope_frequencies({.id = "xpos", .params = {}}, 4).status().message(),
            "encoding: xpos does not scale frequencies; expected rope or mrope");
  EXPECT_EQ(attention_bias(kAlibi, 1, {}, zero).status().message(),
            "queries: 0 is outside 1 to 1048576");
  EXPECT_EQ(attention_bias(kAlibi, 1, zero, {}).status().message(),
            "keys: 0 is outside 1 to 1048576");
  EXPECT_EQ(attention_bias(kAlibi, 1, zero, zero, 0).status().message(),
            "head_dim: 0 is outside 1 to 1048576");
  EXPECT_EQ(create_encoding(kRope, {.dim = 4, .axes = 0}).status().message(),
            "axes: 0 is outside 1 to 3");
  EXPECT_EQ(
      create_encoding({.id = "fourier", .params = {}}, {.dim = 4, .axes = 4}).status().message(),
      "axes: 4 is outside 1 to 3");
  EXPECT_EQ(
      create_encoding({.id = "fourier", .params = {}}, {.dim = 12, .axes = 3}).status().message(),
      "");
  for (const int size : {0, 1048577}) {
    const std::string outside = std::to_string(size) + " is outside 1 to 1048576";
    EXPECT_EQ(create_encoding({}, {.length = size}).status().message(), "length: " + outside);
    EXPECT_EQ(create_encoding({}, {.dim = size}).status().message(), "dim: " + outside);
    EXPECT_EQ(create_encoding({}, {.heads = size}).status().message(), "heads: " + outside);
  }
  EXPECT_TRUE(create_encoding({}, {.length = 1048576, .dim = 1048576, .heads = 1048576}).ok());
}

TEST(EncodingOps, RejectEncodingsOfOtherInjections) {
  const std::vector<double> zero = {0};
  EXPECT_EQ(position_table(kRope, zero, 4).status().message(),
            "encoding: rope has no table; its injection is query_key, so call rotary_angles or "
            "apply_rotary");
  EXPECT_EQ(rotary_angles({.id = "shaw", .params = {}}, zero, 4).status().message(),
            "encoding: shaw has no angles; its injection is key_value, so call attention");
  EXPECT_EQ(apply_rotary({.id = "cope", .params = {}}, Role::query, zero, Tensor({1, 1, 4}))
                .status()
                .message(),
            "encoding: cope has no rotation; its injection is score_content, so call attention");
  EXPECT_EQ(rope_frequencies(kAlibi, 4).status().message(),
            "encoding: alibi has no frequencies; its injection is score, so call attention_bias");
  EXPECT_EQ(attention_bias(kSinusoidal, 1, zero, zero).status().message(),
            "encoding: sinusoidal has no bias; its injection is input, so call position_table");
  EXPECT_EQ(attention_bias(EncodingConfig(), 1, zero, zero).status().message(),
            "encoding: none has no bias; expected a positional encoding");
}

TEST(EncodingOps, AnEncodingEqualsItsConfiguration) {
  const std::vector<double> positions = {0, 3, 1, 2};
  const Tensor x = dyadic(4, {2, 4, 8});
  int variant_count = 0;
  for (const Variant& variant : every_variant()) {
    SCOPED_TRACE(variant.name);
    const auto created = create_encoding(variant.config, {.length = 4, .dim = 8, .heads = 2});
    const auto single_head = create_encoding(variant.config, {.length = 4, .dim = 8});
    if (!created.ok() || !single_head.ok()) continue;
    const Encoding &encoding = **created, &single = **single_head;
    const auto expect_same = [&](const Result<Tensor>& actual, const Result<Tensor>& expected) {
      ASSERT_EQ(actual.status().message(), expected.status().message());
      if (!actual.ok()) return;
      EXPECT_EQ(actual->shape, expected->shape);
      EXPECT_EQ(actual->data, expected->data);
      ++variant_count;
    };
    expect_same(position_table(single, positions, 8), position_table(variant.config, positions, 8));
    expect_same(rotary_angles(single, positions, 8), rotary_angles(variant.config, positions, 8));
    expect_same(attention_bias(encoding, 2, positions, positions, 8),
                attention_bias(variant.config, 2, positions, positions, 8));
    expect_same(attention_bias(encoding, 2, 3, 4, 1, 8),
                attention_bias(variant.config, 2, 3, 4, 1, 8));
    expect_same(apply_rotary(encoding, Role::key, positions, x),
                apply_rotary(variant.config, Role::key, positions, x));
    expect_same(rotation_matrix(single, Role::query, std::vector<double>{3}, 8),
                rotation_matrix(variant.config, Role::query, std::vector<double>{3}, 8));
    const auto frequencies = rope_frequencies(encoding, 8),
               expected = rope_frequencies(variant.config, 8);
    ASSERT_EQ(frequencies.status().message(), expected.status().message());
    if (expected.ok()) {
      EXPECT_EQ(frequencies->inv_freq, expected->inv_freq);
    }
  }
  EXPECT_GT(variant_count, 100);
}

TEST(EncodingOps, RejectAnEncodingOfOtherSizes) {
  const auto alibi = value_of(create_encoding(kAlibi, {.length = 4, .dim = 8, .heads = 2}));
  const auto rope =
      value_of(create_encoding(kRope, {.length = 4, .dim = 8, .heads = 4, .kv_heads = 2}));
  const auto sine = value_of(create_encoding(kSinusoidal, {.length = 4, .dim = 8, .heads = 2}));
  const std::vector<double> two = {0, 1}, five = {0, 1, 2, 3, 4}, none;
  EXPECT_EQ(position_table(*sine, two, 8).status().message(), "");
  EXPECT_EQ(position_table(*sine, two, 6).status().message(),
            "encoding: sinusoidal was created for channels: 8, but the call has 6");
  EXPECT_EQ(position_table(*sine, five, 8).status().message(),
            "encoding: sinusoidal was created for positions: at most 4, but the call has 5");
  EXPECT_EQ(position_table(*sine, none, 8).status().message(), "length: 0 is outside 1 to 1048576");
  EXPECT_EQ(position_table(*sine, Positions(five, 5), 8).status().message(),
            "encoding: sinusoidal was created for coordinates per position: 1, but the call has 5");
  EXPECT_EQ(position_table(*rope, two, 8).status().message(),
            "encoding: rope has no table; its injection is query_key, so call rotary_angles or "
            "apply_rotary");
  EXPECT_EQ(attention_bias(*alibi, 2, two, two, 8).status().message(), "");
  EXPECT_EQ(attention_bias(*alibi, 3, two, two, 8).status().message(),
            "encoding: alibi was created for heads: 2, but the call has 3");
  EXPECT_EQ(attention_bias(*alibi, 2, two, two, 4).status().message(),
            "encoding: alibi was created for channels: 8, but the call has 4");
  EXPECT_EQ(attention_bias(*sine, 2, two, two, 8).status().message(),
            "encoding: sinusoidal has no bias; its injection is input, so call position_table");
  // Keys have two heads, queries four.
  EXPECT_EQ(apply_rotary(*rope, Role::key, two, Tensor({2, 2, 8})).status().message(), "");
  EXPECT_EQ(apply_rotary(*rope, Role::query, two, Tensor({4, 2, 8})).status().message(), "");
  EXPECT_EQ(apply_rotary(*rope, Role::query, two, Tensor({2, 2, 8})).status().message(),
            "encoding: rope was created for heads: 4, but the call has 2");
  EXPECT_EQ(rotary_angles(*rope, two, 4).status().message(),
            "encoding: rope was created for channels: 8, but the call has 4");
  EXPECT_EQ(rotation_matrix(*rope, Role::key, two, 8).status().message(),
            "position: has 2 entries; expected 1");
  EXPECT_EQ(rope_frequencies(*rope, 4).status().message(),
            "encoding: rope was created for channels: 8, but the call has 4");
}

TEST(EncodingOps, AcceptACustomTableOfAnySize) {
  class Ones final : public Parameterless<TableEncoding> {
    void table(Positions, MatrixRef out) const override {
      for (int r = 0; r < out.rows; ++r) std::fill_n(out.row(r), out.columns, 1.0f);
    }
  };
  const std::vector<double> two = {0, 1};
  EXPECT_EQ(value_of(position_table(Ones(), two, 3)).data, std::vector<float>(6, 1));
  EXPECT_EQ(position_table(Ones(), two, 0).status().message(), "dim: 0 is outside 1 to 1048576");
}

}  // namespace
}  // namespace phasor::test
