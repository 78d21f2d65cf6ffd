#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

Status create_grid_table(const std::vector<double>& point_positions, int axes, int dim,
                         const char* convention, Tensor& out, Params params = {}) {
  params["convention"] = std::string(convention);
  return position_table({.id = "sinusoidal_grid", .params = std::move(params)},
                        {point_positions, axes}, dim)
      .move_to(out);
}

Tensor create_grid_table(const std::vector<double>& point_positions, int axes, int dim,
                         const char* convention, Params params = {}) {
  Tensor out;
  const Status status =
      create_grid_table(point_positions, axes, dim, convention, out, std::move(params));
  EXPECT_TRUE(status.ok()) << status.message();
  return out;
}

Tensor create_axis_table(const std::vector<double>& positions, int dim, Params params) {
  return value_of(
      position_table({.id = "sinusoidal", .params = std::move(params)}, positions, dim));
}

const Params kConcatenated = {{"layout", std::string("concatenated")}};
const Params kRoundedUp = {{"odd_width", std::string("rounded_up")}};

// A row of the grid concatenates one row of a one-dimensional table per coordinate.
void expect_axis_blocks(const float* actual, const std::vector<Tensor>& blocks, int dim) {
  int c = 0;
  for (const Tensor& block : blocks) {
    for (int i = 0; i < block.shape[1] && c < dim; ++i, ++c)
      EXPECT_EQ(actual[c], block.data[static_cast<std::size_t>(i)]) << "channel " << c;
  }
  for (; c < dim; ++c) EXPECT_EQ(actual[c], 0.0f) << "channel " << c;
}

TEST(SinusoidalGrid, MaeEncodesTheColumnInTheFirstHalf) {
  const Tensor t = create_grid_table({3, 8}, 2, 16, "mae");
  expect_axis_blocks(
      t.data.data(),
      {create_axis_table({8}, 8, kConcatenated), create_axis_table({3}, 8, kConcatenated)}, 16);
}

TEST(SinusoidalGrid, InterleavedEncodesTheRowFirstAndTruncatesToTheDim) {
  for (const int dim : {3, 4, 5, 6, 7, 8, 16, 17}) {
    const int c = 2 * ((dim + 3) / 4);
    const Tensor t = create_grid_table({3, 8}, 2, dim, "interleaved");
    expect_axis_blocks(t.data.data(),
                       {create_axis_table({3}, c, {}), create_axis_table({8}, c, {})}, dim);
  }
  for (const int dim : {1, 5, 6, 7, 12, 13, 20}) {
    const int c = 2 * ((dim + 5) / 6);
    const Tensor t = create_grid_table({3, 8, -2}, 3, dim, "interleaved");
    expect_axis_blocks(t.data.data(),
                       {create_axis_table({3}, c, {}), create_axis_table({8}, c, {}),
                        create_axis_table({-2}, c, {})},
                       dim);
  }
}

TEST(SinusoidalGrid, Tensor2tensorPadsWithZeros) {
  Params axis_params = kConcatenated;
  axis_params["frequencies"] = std::string("tensor2tensor");
  for (const int dim : {1, 3, 4, 7, 8, 11, 16, 18}) {
    const int c = dim / 4 * 2;
    std::vector<Tensor> blocks;
    for (const double position : {3.0, 8.0}) {
      if (c > 0) blocks.push_back(create_axis_table({position}, c, axis_params));
    }
    expect_axis_blocks(create_grid_table({3, 8}, 2, dim, "tensor2tensor").data.data(), blocks, dim);
  }
  const Tensor t = create_grid_table({3, 8, 5}, 3, 13, "tensor2tensor");
  expect_axis_blocks(
      t.data.data(),
      {create_axis_table({3}, 4, axis_params), create_axis_table({8}, 4, axis_params),
       create_axis_table({5}, 4, axis_params)},
      13);
}

TEST(SinusoidalGrid, OneCoordinateEqualsTheOneDimensionalTable) {
  const std::vector<double> positions = positions_from(0, 6);
  EXPECT_EQ(create_grid_table(positions, 1, 10, "mae").data,
            create_axis_table(positions, 10, kConcatenated).data);
  EXPECT_EQ(create_grid_table(positions, 1, 9, "interleaved").data,
            create_axis_table(positions, 9, kRoundedUp).data);
}

TEST(SinusoidalGrid, IsExactAtPositionOneMillion) {
  const Tensor t =
      create_grid_table({1e6, -999983}, 2, 16, "mae");  // column first, each [4 sines | 4 cosines]
  for (std::size_t c = 0; c < 16; ++c) {
    const long double a = (c < 8 ? -999983.0L : 1e6L) *
                          std::exp(-static_cast<long double>(c % 4) * std::log(10000.0L) / 4);
    EXPECT_NEAR(static_cast<double>(t.data[c]),
                static_cast<double>(c % 8 < 4 ? std::sin(a) : std::cos(a)), 1e-6)
        << c;
  }
}

TEST(SinusoidalGrid, EachCoordinateChangesOnlyItsOwnChannels) {
  const Tensor mae = create_grid_table({3, 8, 3, 9}, 2, 16, "mae"),
               rows_first = create_grid_table({3, 8, 3, 9}, 2, 16, "interleaved");
  for (int c = 0; c < 16; ++c) {
    EXPECT_EQ(matrix(mae).row(0)[c] == matrix(mae).row(1)[c], c >= 8) << c;
    EXPECT_EQ(matrix(rows_first).row(0)[c] == matrix(rows_first).row(1)[c], c < 8) << c;
  }
}

TEST(SinusoidalGrid, RejectsSizesThatAConventionDoesNotSupport) {
  Tensor out;
  EXPECT_EQ(create_grid_table({0, 0}, 2, 6, "mae", out).message(),
            "dim: 6 is not a multiple of 4; each coordinate needs a sine and a cosine");
  EXPECT_EQ(
      create_grid_table({0, 0, 0}, 3, 12, "mae", out).message(),
      "convention: mae does not support 3 coordinates; expected interleaved or tensor2tensor");
  EXPECT_EQ(create_grid_table({0, 0}, 2, 8, "tensor2tensor", out,
                              {{"min_timescale", 4.0}, {"max_timescale", 2.0}})
                .message(),
            "max_timescale: 2 is below min_timescale 4");
}

TEST(SinusoidalGrid, HasTwoAxes) {
  EXPECT_EQ(find_encoding("sinusoidal_grid")->axes, 2);
  EXPECT_EQ(find_encoding("fourier")->axes, 1);  // supports any number of axes; the default is 1
}

}  // namespace
}  // namespace phasor::test
