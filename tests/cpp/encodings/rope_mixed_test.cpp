#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::rope_mixed_test {
namespace {

constexpr int kHeads = 2, kDim = 8, kTokens = 6;

const std::vector<double> kGrid = {0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2};  // (row, column)

EncodingConfig make_mixed_config(const Tensor& frequencies) {
  return {.id = "rope_mixed", .params = {{"frequencies", frequencies}}};
}

TEST(RopeMixed, HeadsRotateBySeparateFrequencies) {
  const Tensor frequencies = dyadic(141, {2, kHeads, kDim / 2}),
               x = dyadic(142, {kHeads, kTokens, kDim});
  Tensor y = x;
  ASSERT_OK_AND_ASSIGN(
      y, apply_rotary(make_mixed_config(frequencies), Role::query, Positions(kGrid, 2), y));
  for (int h = 0; h < kHeads; ++h) {
    for (int p = 0; p < kTokens; ++p) {
      const double row = kGrid[static_cast<std::size_t>(2 * p)],
                   column = kGrid[static_cast<std::size_t>(2 * p + 1)];
      for (int t = 0; t < kDim / 2; ++t) {
        const double a = column * static_cast<double>(matrix(frequencies, 0).row(h)[t]) +
                         row * static_cast<double>(matrix(frequencies, 1).row(h)[t]);
        const double u = static_cast<double>(matrix(x, h).row(p)[2 * t]),
                     v = static_cast<double>(matrix(x, h).row(p)[2 * t + 1]);
        EXPECT_LT(error(static_cast<double>(matrix(y, h).row(p)[2 * t]),
                        u * std::cos(a) - v * std::sin(a)),
                  1e-6);
        EXPECT_LT(error(static_cast<double>(matrix(y, h).row(p)[2 * t + 1]),
                        u * std::sin(a) + v * std::cos(a)),
                  1e-6);
      }
    }
  }
}

TEST(RopeMixed, ExactAtPositionOneMillion) {
  const Tensor frequencies({2, 1, 2}, {0.3f, 1.7f, -0.9f, 0.1f});
  const std::vector<double> position = {1e6, -1e6 + 3};  // row, column
  for (std::size_t t = 0; t < 2; ++t) {
    Tensor x({1, 1, 4});
    x.data[2 * t] = 1;
    ASSERT_OK_AND_ASSIGN(
        x, apply_rotary(make_mixed_config(frequencies), Role::query, Positions(position, 2), x));
    const long double a = (-1e6L + 3) * static_cast<long double>(frequencies.data[t]) +
                          1e6L * static_cast<long double>(frequencies.data[2 + t]);
    EXPECT_NEAR(static_cast<double>(x.data[2 * t]), static_cast<double>(std::cos(a)), 1e-6);
    EXPECT_NEAR(static_cast<double>(x.data[2 * t + 1]), static_cast<double>(std::sin(a)), 1e-6);
  }
}

TEST(RopeMixed, FrequencyGradientsMatchFiniteDifferences) {
  const Tensor frequencies = dyadic(143, {2, kHeads, kDim / 2}),
               x = dyadic(144, {kHeads, kTokens, kDim}), d = dyadic(145, {kHeads, kTokens, kDim});
  const auto create_mixed = [](const Tensor& values) {
    std::unique_ptr<Encoding> encoding;
    EXPECT_TRUE(create_encoding(make_mixed_config(values),
                                {.length = kTokens, .dim = kDim, .heads = kHeads, .axes = 2})
                    .move_to(encoding)
                    .ok());
    return encoding;
  };
  const auto compute_loss = [&](const Tensor& values) {
    Tensor y = x;
    create_mixed(values)->as_query_key()->transform(Role::query, Positions(kGrid, 2), y);
    return dot_product(d, y);
  };
  const std::unique_ptr<Encoding> encoding = create_mixed(frequencies);
  EXPECT_EQ(encoding->parameters().at(0)->value.data, frequencies.data);
  Tensor d_x = d;
  const auto run_backward = [&] {
    encoding->as_query_key()->transform_backward(Role::query, Positions(kGrid, 2), x, d_x);
  };
  run_backward();
  const Tensor& actual = encoding->parameters().at(0)->grad;
  ASSERT_EQ(actual.shape, frequencies.shape);
  constexpr float kStep = 1.0F / 128;  // exact, and large because values are float32
  for (std::size_t i = 0; i < frequencies.data.size(); ++i) {
    // Richardson: steps h and 2h cancel the error of order h^2.
    const auto central_difference = [&](float step) {
      Tensor increased = frequencies, decreased = frequencies;
      increased.data[i] += step;
      decreased.data[i] -= step;
      return (compute_loss(increased) - compute_loss(decreased)) /
             (2.0 * static_cast<double>(step));
    };
    const double expected = (4.0 * central_difference(kStep) - central_difference(2 * kStep)) / 3.0;
    EXPECT_LT(error(static_cast<double>(actual.data[i]), expected), 1e-4) << i;
  }
  const std::vector<float> first_gradient = actual.data;
  d_x = d;
  run_backward();  // accumulates
  for (std::size_t i = 0; i < first_gradient.size(); ++i)
    EXPECT_NEAR(actual.data[i], 2 * first_gradient[i], 1e-5);
}

// A large float sum would lose most of each further token.
TEST(RopeMixed, GradientsOfLongTextsKeepPrecision) {
  constexpr int kTokenCount = 200000;
  constexpr float kGradient = 0.1F;
  const std::vector<double> positions(std::size_t{2} * kTokenCount, 1);  // row 1, column 1
  const auto encoding = value_of(create_encoding(make_mixed_config(Tensor({2, 1, 1})),
                                                 {.length = kTokenCount, .dim = 2, .axes = 2}));
  Tensor x({1, kTokenCount, 2}), d_x({1, kTokenCount, 2});
  for (int t = 0; t < kTokenCount; ++t) {
    matrix(x).row(t)[0] = 1;
    matrix(d_x).row(t)[1] = kGradient;  // frequencies of 0: nothing is rotated
  }
  encoding->as_query_key()->transform_backward(Role::query, Positions(positions, 2), x, d_x);
  for (const float actual : encoding->parameters().at(0)->grad.data)
    EXPECT_NEAR(static_cast<double>(actual) / (kTokenCount * static_cast<double>(kGradient)), 1,
                1e-6);
}

// A key is rotated by the frequencies of its query's head, so keys cannot be shared by heads.
TEST(RopeMixed, RejectsSharedKeys) {
  const Tensor q = dyadic(147, {4, 3, kDim}), k = dyadic(148, {2, 3, kDim});
  AttentionConfig config;
  config.encoding = {.id = "rope_mixed", .params = {}};
  const std::string expected =
      "encoding: rope_mixed has frequencies for each head, so 4 query heads cannot share 2 kv "
      "heads";
  EXPECT_EQ(attention(q, k, k, config).status().message(), expected);
  EXPECT_EQ(attention_backward(q, k, k, q, config).status().message(), expected);
  EXPECT_TRUE(attention(q, q, q, config).ok());

  CacheConfig cache_config{
      .heads = 4, .kv_heads = 2, .head_dim = kDim, .max_length = 5, .encoding = config.encoding};
  EXPECT_EQ(KeyValueCache::create(cache_config).status().message(), expected);
  cache_config.kv_heads = 4;
  EXPECT_TRUE(KeyValueCache::create(cache_config).ok());
}

TEST(RopeMixed, DefaultFrequenciesAreOneDirectionPerHeadAndItsNormal) {
  ASSERT_OK_AND_ASSIGN(
      std::unique_ptr<Encoding> encoding,
      create_encoding({.id = "rope_mixed", .params = {{"seed", 3.0}}}, {.dim = 16, .heads = 5}));
  const Tensor& f = encoding->parameters().at(0)->value;
  ASSERT_EQ(f.shape, (std::vector<int>{2, 5, 8}));
  for (int h = 0; h < 5; ++h) {
    const float *column_frequencies = matrix(f, 0).row(h), *row_frequencies = matrix(f, 1).row(h);
    for (int t = 0; t < 4; ++t) {
      const double magnitude = std::pow(10.0, -t / 4.0);
      EXPECT_NEAR(std::hypot(static_cast<double>(column_frequencies[t]),
                             static_cast<double>(row_frequencies[t])),
                  magnitude, 1e-6);
      EXPECT_NEAR(static_cast<double>(column_frequencies[t + 4]),
                  -static_cast<double>(row_frequencies[t]), 1e-6);
      EXPECT_NEAR(static_cast<double>(row_frequencies[t + 4]),
                  static_cast<double>(column_frequencies[t]), 1e-6);
    }
    if (h > 0) {
      EXPECT_GT(std::fabs(static_cast<double>(column_frequencies[0] - matrix(f, 0).row(h - 1)[0])),
                1e-3);
    }
  }
}

TEST(RopeMixed, RejectsFrequenciesOfAnotherShape) {
  const auto message = [&](std::vector<int> shape) {
    return create_encoding(make_mixed_config(dyadic(146, std::move(shape))),
                           {.dim = kDim, .heads = kHeads, .axes = 2})
        .status()
        .message();
  };
  EXPECT_EQ(message({2, 1, 4}),
            "frequencies: has shape 2 x 1 x 4; expected 2 x heads x pairs, here 2 x 2 x 4");
  EXPECT_EQ(message({2, 2, 8}),
            "frequencies: has shape 2 x 2 x 8; expected 2 x heads x pairs, here 2 x 2 x 4");
  EXPECT_EQ(message({2, 3, 4}), "");  // more heads than are requested
  EXPECT_EQ(create_encoding({.id = "rope_mixed", .params = {}}, {.dim = 6}).status().message(),
            "dim: 6 is not a multiple of 4, but rope_mixed rotates pairs of channels on two axes");
}

}  // namespace
}  // namespace phasor::test::rope_mixed_test
