// The variants of the sinusoidal table that differ between codebases, and the learned factor.

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

Tensor create_table(const std::vector<double>& positions, int dim, Params params = {}) {
  return value_of(
      position_table({.id = "sinusoidal", .params = std::move(params)}, positions, dim));
}

Params make_params(const char* frequencies, Params more = {}) {
  more["layout"] = std::string("concatenated");
  more["frequencies"] = std::string(frequencies);
  return more;
}

std::string error_of(int dim, Params params) {
  return position_table({.id = "sinusoidal", .params = std::move(params)}, positions_from(0, 2),
                        dim)
      .status()
      .message();
}

// The frequency of each sinusoid, from the sine at a position so early that asin inverts it.
std::vector<double> frequencies_of(int dim, const Params& params) {
  const double early_position = 1e-3;
  const Tensor t = create_table({early_position}, dim, params);
  std::vector<double> all;
  for (int k = 0; k < dim / 2; ++k) {
    all.push_back(std::asin(static_cast<double>(t.data[static_cast<std::size_t>(k)])) /
                  early_position);
  }
  return all;
}

// Successive frequencies have a constant ratio, from min_timescale (which multiplies) to
// min_timescale^2 / max_timescale.
TEST(SinusoidalConventions, FrequenciesAreAGeometricSeries) {
  for (const int dim : {4, 6, 7, 16, 33}) {
    for (const double min : {1.0, 2.0}) {
      const std::vector<double> w = frequencies_of(
          dim, make_params("tensor2tensor", {{"min_timescale", min}, {"max_timescale", 500.0}}));
      EXPECT_NEAR(w.front(), min, 1e-6 * min);
      EXPECT_NEAR(w.back() / (min * min / 500), 1, 1e-6);
      for (std::size_t k = 2; k < w.size(); ++k)
        EXPECT_NEAR(w[k] * w[k - 2] / (w[k - 1] * w[k - 1]), 1, 1e-6);
    }
  }
  // the paper's: base^(-6/8)
  EXPECT_NEAR(frequencies_of(8, {{"layout", std::string("concatenated")}}).back(), 1e-3, 1e-9);
  EXPECT_NEAR(frequencies_of(8, make_params("tensor2tensor")).back(), 1e-4, 1e-10);
}

TEST(SinusoidalConventions, Tensor2tensorSupportsASingleFrequencyAndFairseqRejectsIt) {
  for (const int dim : {2, 3}) {
    EXPECT_NEAR(frequencies_of(dim, make_params("tensor2tensor"))[0], 1, 1e-6);
    EXPECT_EQ(error_of(dim, make_params("fairseq")),
              "dim: " + std::to_string(dim) +
                  " makes fairseq's frequencies divide by 0; expected a dim of at least 4, or the "
                  "frequencies of tensor2tensor");
  }
  EXPECT_EQ(create_table({0, 5}, 1, make_params("tensor2tensor")).data, (std::vector<float>{0, 0}));
  EXPECT_EQ(create_table({0, 5}, 1, make_params("fairseq")).data, (std::vector<float>{0, 0}));
}

TEST(SinusoidalConventions, FairseqEqualsTensor2tensorWithTheBaseAsMaxTimescale) {
  for (const int dim : {4, 7, 10}) {
    EXPECT_EQ(
        create_table(positions_from(0, 5), dim, make_params("fairseq", {{"base", 300.0}})).data,
        create_table(positions_from(0, 5), dim,
                     make_params("tensor2tensor", {{"max_timescale", 300.0}}))
            .data);
  }
}

TEST(SinusoidalConventions, OnlyThePaddingRowIsZero) {
  const Tensor with = create_table(positions_from(0, 4), 8,
                                   make_params("fairseq", {{"padding_idx", 1.0}})),
               without = create_table(positions_from(0, 4), 8, make_params("fairseq"));
  for (int p = 0; p < 4; ++p) {
    for (int c = 0; c < 8; ++c)
      EXPECT_EQ(matrix(with).row(p)[c], p == 1 ? 0.0f : matrix(without).row(p)[c]);
  }
  // -1 means no padding row, not position -1
  EXPECT_EQ(create_table({-1}, 8).data, create_table({-1}, 8, {{"padding_idx", 5.0}}).data);
  EXPECT_NE(create_table({-1}, 8).data, std::vector<float>(8, 0.0f));
}

TEST(SinusoidalConventions, ZeroPaddedAppendsAZeroColumn) {
  for (const char* frequencies : {"tensor2tensor", "fairseq"}) {
    const Tensor odd_table = create_table(positions_from(0, 5), 9, make_params(frequencies)),
                 even = create_table(positions_from(0, 5), 8, make_params(frequencies));
    EXPECT_EQ(odd_table.data,
              create_table(positions_from(0, 5), 9,
                           make_params(frequencies, {{"odd_width", std::string("zero_padded")}}))
                  .data);
    for (int p = 0; p < 5; ++p) {
      for (int c = 0; c < 9; ++c)
        EXPECT_EQ(matrix(odd_table).row(p)[c], c < 8 ? matrix(even).row(p)[c] : 0.0f);
    }
  }
  const Tensor padded_table = create_table(positions_from(0, 5), 5,
                                           {{"odd_width", std::string("zero_padded")}}),
               formula = create_table(positions_from(0, 5), 5);
  for (int p = 0; p < 5; ++p) {
    for (int c = 0; c < 5; ++c)
      EXPECT_EQ(matrix(padded_table).row(p)[c], c < 4 ? matrix(formula).row(p)[c] : 0.0f);
  }
}

TEST(SinusoidalConventions, RejectsContradictoryParameters) {
  EXPECT_EQ(
      error_of(8, make_params("tensor2tensor", {{"min_timescale", 3.0}, {"max_timescale", 2.0}})),
      "max_timescale: 2 is below min_timescale 3");
  EXPECT_EQ(error_of(7, make_params("fairseq", {{"odd_width", std::string("rounded_up")}})),
            "odd_width: rounded_up requires the paper's frequencies; tensor2tensor and fairseq set "
            "the last column to 0");
  EXPECT_EQ(error_of(8, {{"scale", Tensor({1}, {2})}}), "scale: has no effect if scaled is false");
  EXPECT_EQ(error_of(8, {{"scaled", true}, {"scale", Tensor({2}, {1, 2})}}),
            "scale: has shape 2; expected a single number");
}

TEST(SinusoidalConventions, ScaleStartsAtOneOverTheRootOfTheDimAndIsLearned) {
  const int dim = 16;
  const std::vector<double> positions = positions_from(3, 5);
  const Tensor plain_table = create_table(positions, dim),
               scaled_table = create_table(positions, dim, {{"scaled", true}});
  for (std::size_t i = 0; i < plain_table.data.size(); ++i)
    EXPECT_NEAR(scaled_table.data[i], plain_table.data[i] / 4, 1e-7f);

  const Tensor d_out = dyadic(7, {5, dim});
  const auto compute_loss = [&](float scale) {
    const Tensor t =
        create_table(positions, dim, {{"scaled", true}, {"scale", Tensor({1}, {scale})}});
    double sum = 0;
    for (std::size_t i = 0; i < t.data.size(); ++i)
      sum += static_cast<double>(t.data[i]) * static_cast<double>(d_out.data[i]);
    return sum;
  };
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding,
                       create_encoding({.id = "sinusoidal", .params = {{"scaled", true}}},
                                       {.length = 5, .dim = dim}));
  EXPECT_EQ(encoding->parameters().at(0)->value.data[0], 0.25f);
  encoding->as_table()->table_backward(positions, matrix(d_out));
  EXPECT_NEAR(static_cast<double>(encoding->parameters().at(0)->grad.data[0]),
              (compute_loss(0.5f) - compute_loss(0.0f)) / 0.5, 1e-5);
}

// At signed distances, as Transformer-XL and XLNet use it: sines distinguish left from right,
// cosines do not.
TEST(SinusoidalConventions, SinesAreOddAndCosinesEvenInTheDistance) {
  const Tensor negative_table = create_table({7}, 12), positive_table = create_table({-7}, 12);
  for (std::size_t c = 0; c < 12; ++c)
    EXPECT_EQ(negative_table.data[c],
              c % 2 == 0 ? -positive_table.data[c] : positive_table.data[c]);
}

}  // namespace
}  // namespace phasor::test
