#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::mrope_test {
namespace {

constexpr int kDim = 16;  // 8 pairs

EncodingConfig mrope(Params params = {}) { return {.id = "mrope", .params = std::move(params)}; }

ParamValue make_sections(float time, float row, float column) {
  return Tensor({3}, {time, row, column});
}

// The coordinate that each pair reads, found by rotating along one coordinate at a time.
std::string axis_letters(const EncodingConfig& config) {
  std::string axes(kDim / 2, '?');
  for (int axis = 0; axis < 3; ++axis) {
    std::vector<double> position(3);
    position[static_cast<std::size_t>(axis)] = 1;
    const auto actual = value_of(rotary_angles(config, Positions(position, 3), kDim));
    for (std::size_t t = 0; t < actual.data.size(); ++t) {
      if (actual.data[t] != 0) axes[t] = "thw"[axis];
    }
  }
  return axes;
}

TEST(Mrope, SectionsAssignCoordinatesToPairs) {
  EXPECT_EQ(axis_letters(mrope()), "tthhhwww");  // Qwen2-VL's 16, 24, 24 for 64 pairs
  EXPECT_EQ(axis_letters(mrope({{"sections", make_sections(4, 3, 1)}})), "tttthhhw");
  EXPECT_EQ(axis_letters(mrope({{"sections", make_sections(8, 0, 0)}})), "tttttttt");
  EXPECT_EQ(axis_letters(mrope({{"sections", make_sections(4, 2, 2)},
                                {"arrangement", std::string("interleaved")}})),
            "thwthwtt");
  EXPECT_EQ(axis_letters(mrope({{"sections", make_sections(2, 3, 3)},
                                {"arrangement", std::string("interleaved")}})),
            "thwthwth");
}

TEST(Mrope, EqualsRopeForText) {
  const Tensor x = dyadic(121, {2, 4, kDim});
  const std::vector<double> text_positions = {0, 1, 17, 1000},
                            triple = {0, 0, 0, 1, 1, 1, 17, 17, 17, 1000, 1000, 1000};
  Tensor expected = x;
  ASSERT_OK_AND_ASSIGN(
      expected,
      apply_rotary({.id = "rope", .params = {{"base", 1e6}, {"layout", std::string("half_split")}}},
                   Role::query, text_positions, expected));
  for (const std::string arrangement : {"contiguous", "interleaved"}) {
    Tensor single_axis_x = x, three_axis_x = x;
    ASSERT_OK_AND_ASSIGN(single_axis_x, apply_rotary(mrope({{"arrangement", arrangement}}),
                                                     Role::query, text_positions, single_axis_x));
    ASSERT_OK_AND_ASSIGN(three_axis_x,
                         apply_rotary(mrope({{"arrangement", arrangement}}), Role::query,
                                      Positions(triple, 3), three_axis_x));
    EXPECT_EQ(single_axis_x.data, expected.data);
    EXPECT_EQ(three_axis_x.data, expected.data);
  }
}

TEST(Mrope, ExactAtPositionOneMillion) {
  const std::vector<double> position = {1e6, 999983, -1e6};
  // the coordinate of each pair
  const std::vector<double> expected_positions = {1e6,    1e6,  999983, 999983,
                                                  999983, -1e6, -1e6,   -1e6};
  for (std::size_t t = 0; t < kDim / 2; ++t) {
    Tensor x({1, 1, kDim});
    x.data[t] = 1;
    ASSERT_OK_AND_ASSIGN(
        x, apply_rotary(mrope({{"base", 10000.0}}), Role::key, Positions(position, 3), x));
    const long double a = static_cast<long double>(expected_positions[t]) *
                          std::exp(-2.0L * static_cast<long double>(t) * std::log(10000.0L) / kDim);
    EXPECT_NEAR(static_cast<double>(x.data[t]), static_cast<double>(std::cos(a)), 1e-6) << t;
    EXPECT_NEAR(static_cast<double>(x.data[t + kDim / 2]), static_cast<double>(std::sin(a)), 1e-6)
        << t;
  }
}

TEST(Mrope, SupportsScaledFrequencies) {
  const std::vector<double> position = {1, 2, 3};
  ASSERT_OK_AND_ASSIGN(Tensor plain_angles, rotary_angles(mrope(), Positions(position, 3), kDim));
  ASSERT_OK_AND_ASSIGN(Tensor scaled_angles,
                       rotary_angles(mrope({{"scaling", std::string("linear")}, {"factor", 4.0}}),
                                     Positions(position, 3), kDim));
  for (std::size_t t = 0; t < plain_angles.data.size(); ++t)
    EXPECT_FLOAT_EQ(scaled_angles.data[t], plain_angles.data[t] / 4);
}

TEST(Mrope, RejectsInvalidSections) {
  const auto message = [&](const ParamValue& value) {
    return create_encoding(mrope({{"sections", value}}), {.dim = kDim, .axes = 3})
        .status()
        .message();
  };
  EXPECT_EQ(message(make_sections(2, 3, 4)),
            "sections: 2 + 3 + 4 sum to 9, but 8 pairs of channels are rotated");
  EXPECT_EQ(message(Tensor({2}, {4, 4})),
            "sections: has 2 entries; expected 3 (time, row, column)");
  EXPECT_EQ(message(make_sections(2.5F, 3, 2.5F)), "sections: 2.5 is not a whole number of pairs");
  EXPECT_EQ(message(make_sections(-1, 5, 4)), "sections: -1 is not a whole number of pairs");
  EXPECT_EQ(message(16.0), "sections: expected an array {shape, data} of 3");
}

TEST(Mrope, VideoAssignsTheSlowestPairsToTimeAndAlternatesRowsAndColumns) {
  const auto make_video_config = [](Params more) {
    more["arrangement"] = std::string("video");
    return mrope(std::move(more));
  };
  EXPECT_EQ(axis_letters(make_video_config({})), "hwhwhwtt");
  EXPECT_EQ(axis_letters(make_video_config({{"temporal_pairs", 3.0}})), "hwhwhttt");
  EXPECT_EQ(axis_letters(make_video_config({{"temporal_pairs", 8.0}})), "tttttttt");
  EXPECT_EQ(create_encoding(make_video_config({{"temporal_pairs", 9.0}}), {.dim = kDim})
                .status()
                .message(),
            "temporal_pairs: 9 exceeds the 8 rotated pairs of channels");
  EXPECT_EQ(
      create_encoding(make_video_config({{"sections", make_sections(4, 2, 2)}}), {.dim = kDim})
          .status()
          .message(),
      "sections: has no effect with arrangement \"video\"; set temporal_pairs");
}

TEST(VideoPositions, CentreEachFrameOnItsTime) {
  const auto actual = value_of(video_positions(
      {.before = 1, .frames = 2, .rows = 1, .columns = 3, .after = 2, .frame_step = 1.5}));
  EXPECT_EQ(actual.axes, 3);
  EXPECT_EQ(actual.values, (std::vector<double>{0,   0,   0,   1,   1,   0,   1,   1,   1,
                                                1,   1,   2,   2.5, 2.5, 1.5, 2.5, 2.5, 2.5,
                                                2.5, 2.5, 3.5, 3.5, 3.5, 3.5, 4.5, 4.5, 4.5}));
  const auto text_positions = value_of(video_positions({.before = 2}));
  EXPECT_EQ(text_positions.values, (std::vector<double>{0, 0, 0, 1, 1, 1}));
}

TEST(VideoPositions, RejectInvalidVideos) {
  EXPECT_EQ(video_positions({.frames = 2, .rows = 2}).status().message(),
            "grid: 2 x 2 x 0 has no patches; expected 0 x 0 x 0 if there is no video");
  EXPECT_EQ(video_positions({}).status().message(), "tokens: 0 is outside 1 to 1048576");
  EXPECT_EQ(video_positions({.before = -1}).status().message(),
            "before: -1 is outside 0 to 1048576");
  EXPECT_EQ(video_positions({.before = 1, .frame_step = NAN}).status().message(),
            "frame_step: NaN is outside 0 to 1048576");
}

}  // namespace
}  // namespace phasor::test::mrope_test
