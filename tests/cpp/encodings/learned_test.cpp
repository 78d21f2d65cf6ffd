#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::learned_test {
namespace {

constexpr int kRows = 6, kDim = 4;

EncodingConfig learned(Params params = {}) {
  params["table"] = dyadic(3, {kRows, kDim});
  return {.id = "learned", .params = std::move(params)};
}

std::string error_of(const EncodingConfig& config, const std::vector<double>& positions,
                     int dim = kDim) {
  return position_table(config, positions, dim).status().message();
}

TEST(Learned, ReturnsRowsByPosition) {
  const Tensor rows = dyadic(3, {kRows, kDim});
  ASSERT_OK_AND_ASSIGN(Tensor out,
                       position_table(learned(), std::vector<double>{5, 0, 0, 2}, kDim));
  const int row_indices[] = {5, 0, 0, 2};
  for (int t = 0; t < 4; ++t) {
    for (int c = 0; c < kDim; ++c)
      EXPECT_EQ(matrix(out).row(t)[c], matrix(rows).row(row_indices[t])[c]);
  }
}

TEST(Learned, AppliesRowOffsetAndScale) {
  const Tensor rows = dyadic(3, {kRows, kDim});
  ASSERT_OK_AND_ASSIGN(Tensor out, position_table(learned({{"row_offset", 2.0}, {"scaled", true}}),
                                                  std::vector<double>{0, 3}, kDim));
  for (int c = 0; c < kDim; ++c) {
    EXPECT_EQ(matrix(out).row(0)[c], matrix(rows).row(2)[c] / 2);  // 4^-0.5
    EXPECT_EQ(matrix(out).row(1)[c], matrix(rows).row(5)[c] / 2);
  }
}

// OPT gives padding the position -1, and its table has a row for it.
TEST(Learned, ReadsThePaddingRowLikeOpt) {
  const std::vector<std::uint8_t> visible = {0, 0, 1, 1};
  ASSERT_OK_AND_ASSIGN(const auto positions, position_ids(visible, PositionIdMode::opt, 1, 0));
  ASSERT_OK_AND_ASSIGN(const Tensor out,
                       position_table(learned({{"row_offset", 2.0}}), positions, kDim));
  const Tensor rows = dyadic(3, {kRows, kDim});
  const int row_indices[] = {1, 1, 2, 3};
  for (int t = 0; t < 4; ++t) {
    for (int c = 0; c < kDim; ++c)
      EXPECT_EQ(matrix(out).row(t)[c], matrix(rows).row(row_indices[t])[c]) << t;
  }
}

TEST(Learned, RejectsPositionsOutsideItsTable) {
  EXPECT_EQ(error_of(learned(), {0, 6}), "positions[1]: 6 is outside 0 to 5");
  EXPECT_EQ(error_of(learned(), {-1}), "positions[0]: -1 is outside 0 to 5");
  EXPECT_EQ(error_of(learned(), {0, 1, 1.5}), "positions[2]: 1.5 is not a whole number");
  EXPECT_EQ(error_of(learned({{"row_offset", 2.0}}), {4}), "positions[0]: 4 is outside -2 to 3");
  EXPECT_EQ(error_of(learned({{"row_offset", 2.0}}), {-2, -3}),
            "positions[1]: -3 is outside -2 to 3");
  EXPECT_EQ(error_of({.id = "learned", .params = {{"max_length", 3.0}}}, {3}),
            "positions[0]: 3 is outside 0 to 2");
  SelfAttentionConfig config;
  config.encoding = learned();
  config.position_offset = 3;
  EXPECT_EQ(self_attention(dyadic(1, {4, kDim}), config).status().message(),
            "positions[3]: 6 is outside 0 to 5");
}

TEST(Learned, RejectsContradictoryParameters) {
  EXPECT_EQ(error_of(learned(), {0}, 5), "table: has shape 6 x 4; expected max_length x 5");
  EXPECT_EQ(error_of(learned({{"max_length", 5.0}}), {0}),
            "max_length: 5 differs from the 6 rows of the table");
  // the default, set explicitly
  EXPECT_EQ(error_of(learned({{"max_length", 512.0}}), {0}),
            "max_length: 512 differs from the 6 rows of the table");
  EXPECT_EQ(error_of(learned({{"max_length", 6.0}}), {5}), "");
  EXPECT_EQ(error_of(learned({{"row_offset", 6.0}}), {0}),
            "row_offset: 6 leaves none of the 6 rows of the table");
  EXPECT_EQ(error_of({.id = "learned", .params = {{"table", 3.0}}}, {0}).rfind("table: ", 0), 0u);
}

TEST(Learned, DrawsRowsWithTheDeviationOfBert) {
  const EncodingConfig config{.id = "learned", .params = {{"max_length", 400.0}}};
  ASSERT_OK_AND_ASSIGN(Tensor first_table, position_table(config, positions_from(0, 400), 64));
  ASSERT_OK_AND_ASSIGN(Tensor second_table, position_table(config, positions_from(0, 400), 64));
  ASSERT_OK_AND_ASSIGN(
      Tensor other_table,
      position_table({.id = "learned", .params = {{"max_length", 400.0}, {"seed", 1.0}}},
                     positions_from(0, 400), 64));
  EXPECT_EQ(first_table.data, second_table.data);
  EXPECT_NE(first_table.data, other_table.data);
  double sum = 0, square_sum = 0;
  for (const float x : first_table.data)
    sum += static_cast<double>(x), square_sum += static_cast<double>(x) * static_cast<double>(x);
  const double count = static_cast<double>(first_table.data.size());
  EXPECT_NEAR(sum / count, 0, 0.02 * 4 / std::sqrt(count));
  EXPECT_NEAR(std::sqrt(square_sum / count), 0.02, 0.02 * 4 / std::sqrt(2 * count));
}

double compute_loss(const EncodingConfig& config, const std::vector<double>& positions,
                    const Tensor& d_out) {
  const Tensor out = value_of(position_table(config, positions, kDim));
  double sum = 0;
  for (std::size_t i = 0; i < out.data.size(); ++i)
    sum += static_cast<double>(out.data[i]) * static_cast<double>(d_out.data[i]);
  return sum;
}

// Repeated positions accumulate, unread rows stay exactly 0.
TEST(Learned, GradientMatchesFiniteDifferences) {
  const std::vector<double> positions = {2, 0, 2, 2, 3};
  const Tensor d_out = dyadic(4, {5, kDim});
  for (const Params& params : {Params{}, Params{{"row_offset", 1.0}}, Params{{"scaled", true}}}) {
    const EncodingConfig config = learned(params);
    ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding,
                         create_encoding(config, {.length = 5, .dim = kDim}));
    Parameter& table = *encoding->parameters().at(0);
    encoding->as_table()->table_backward(positions, matrix(d_out));
    const Tensor& gradient = table.grad;
    ASSERT_EQ(gradient.shape, table.value.shape);
    for (std::size_t i = 0; i < gradient.data.size(); ++i) {
      EncodingConfig increased_config = config, decreased_config = config;
      constexpr float kStep = 0.0625f;
      std::get<Tensor>(increased_config.params["table"]).data[i] += kStep;
      std::get<Tensor>(decreased_config.params["table"]).data[i] -= kStep;
      const double slope = (compute_loss(increased_config, positions, d_out) -
                            compute_loss(decreased_config, positions, d_out)) /
                           (2 * static_cast<double>(kStep));
      EXPECT_NEAR(static_cast<double>(gradient.data[i]), slope, 1e-6) << i;
    }
    EXPECT_EQ(matrix(gradient).row(5)[0], 0.0f);
    const Tensor first_gradient = gradient;
    encoding->as_table()->table_backward(positions, matrix(d_out));  // accumulates
    for (std::size_t i = 0; i < first_gradient.data.size(); ++i)
      EXPECT_EQ(gradient.data[i], 2 * first_gradient.data[i]);
  }
}

}  // namespace
}  // namespace phasor::test::learned_test
