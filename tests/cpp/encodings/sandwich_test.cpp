#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

EncodingConfig make_sandwich_config(const std::string& index, double db) {
  return {.id = "sandwich", .params = {{"index", index}, {"db", db}}};
}

// Without its scale the bias is the inner product of two rows of the sinusoidal table minus that of
// a row with itself.
TEST(Sandwich, EqualsTheInnerProductOfSinusoids) {
  const int heads = 3, n = 7, dim = 16;
  ASSERT_OK_AND_ASSIGN(Tensor actual,
                       attention_bias(make_sandwich_config("from_zero", dim), heads, n, n, 0));
  ASSERT_OK_AND_ASSIGN(Tensor table_of_positions, position_table({.id = "sinusoidal", .params = {}},
                                                                 positions_from(0, n), dim));
  for (int h = 0; h < heads; ++h) {
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j < n; ++j) {
        double product = -dim / 2.0;
        for (int c = 0; c < dim; ++c) {
          product += static_cast<double>(matrix(table_of_positions).row(i)[c]) *
                     static_cast<double>(matrix(table_of_positions).row(j)[c]);
        }
        EXPECT_NEAR(static_cast<double>(matrix(actual, h).row(i)[j]),
                    product * heads / (8.0 * (h + 1)), 2e-6);
      }
    }
  }
}

// NeMo counts sinusoids from 1: the fastest is missing, and there is one more slow sinusoid.
TEST(Sandwich, FromOneStartsAtTheSecondFrequency) {
  ASSERT_OK_AND_ASSIGN(Tensor bias_from_zero,
                       attention_bias(make_sandwich_config("from_zero", 4), 1, 1, 1, 3));
  ASSERT_OK_AND_ASSIGN(Tensor bias_from_one,
                       attention_bias(make_sandwich_config("from_one", 4), 1, 1, 1, 3));
  EXPECT_NEAR(static_cast<double>(bias_from_zero.data[0]),
              (std::cos(3.0) + std::cos(3.0 / 100) - 2) / 8, 1e-7);
  EXPECT_NEAR(static_cast<double>(bias_from_one.data[0]),
              (std::cos(3.0 / 100) + std::cos(3.0 / 10000) - 2) / 8, 1e-7);
}

// Angles in float32 would be wrong by 0.06 radians here.
TEST(Sandwich, IsExactAtDistanceOneMillion) {
  const int db = 16;
  const std::vector<double> queries = {1e6, 999983, 1e6 + 0.5}, keys = {0, 3};
  ASSERT_OK_AND_ASSIGN(Tensor actual,
                       attention_bias(make_sandwich_config("from_zero", db), 1, queries, keys));
  for (std::size_t i = 0; i < queries.size(); ++i) {
    for (std::size_t j = 0; j < keys.size(); ++j) {
      long double sum = 0;
      for (int t = 0; t < db / 2; ++t) {
        const long double w = std::exp(-2.0L * t * std::log(10000.0L) / db);
        sum += std::cos(w * static_cast<long double>(queries[i] - keys[j])) - 1;
      }
      EXPECT_LT(error(static_cast<double>(actual.data[2 * i + j]), static_cast<double>(sum / 8)),
                1e-6)
          << queries[i] << " " << keys[j];
    }
  }
}

TEST(Sandwich, BiasDoesNotDependOnEarlierCalls) {
  const int heads = 3;
  const std::vector<double> near_positions = {0, 1, 2}, far_positions = {1000, 1001},
                            scattered_positions = {7, 0.5, 300};
  ASSERT_OK_AND_ASSIGN(const auto reused_encoding,
                       create_encoding(make_sandwich_config("from_one", 8), {.heads = heads}));
  for (const int head : {2, 0, 1, 1}) {
    for (const auto& queries : {near_positions, far_positions, scattered_positions}) {
      for (const auto& keys : {near_positions, scattered_positions}) {
        const int rows = static_cast<int>(queries.size()), columns = static_cast<int>(keys.size());
        Tensor actual({rows, columns}), expected({rows, columns});
        reused_encoding->as_score_bias()->add_bias(head, queries, keys, matrix(actual));
        ASSERT_OK_AND_ASSIGN(
            const auto new_encoding,
            create_encoding(make_sandwich_config("from_one", 8), {.heads = heads}));
        new_encoding->as_score_bias()->add_bias(head, queries, keys, matrix(expected));
        EXPECT_EQ(actual.data, expected.data);
      }
    }
  }
}

// Sums for distances within the encoding's length are computed on creation, all others in the call.
TEST(Sandwich, CachedSumsEqualRecomputedSums) {
  const int length = 600;
  const std::vector<double> queries = {0, 1, 255, 256, 599}, keys = {0, 3, 0.5, 256, 598, 599};
  const auto compute_bias = [&](int dims) {
    const auto created = value_of(
        create_encoding(make_sandwich_config("from_zero", 32), {.length = dims, .heads = 2}));
    Tensor bias({static_cast<int>(queries.size()), static_cast<int>(keys.size())});
    created->as_score_bias()->add_bias(1, queries, keys, matrix(bias));
    return bias.data;
  };
  EXPECT_EQ(compute_bias(length), compute_bias(1));
  EXPECT_EQ(compute_bias(length), compute_bias(257));
}

// Computing the sines again for each head would take half a minute.
TEST(Sandwich, Supports65537Heads) {
  const int heads = 65537;
  ASSERT_OK_AND_ASSIGN(const Tensor actual,
                       attention_bias(make_sandwich_config("from_zero", 128), heads, 1, 2, 5));
  for (const int h : {0, 1, 65536}) {
    EXPECT_LT(error(static_cast<double>(actual.data[2 * static_cast<std::size_t>(h)]) * (h + 1),
                    static_cast<double>(actual.data[0])),
              1e-6)
        << h;
  }
}

TEST(Sandwich, RejectsAnOddDim) {
  EXPECT_EQ(attention_bias(make_sandwich_config("from_zero", 7), 1, 1, 1, 0).status().message(),
            "db: 7 is odd; expected two channels per sinusoid");
}

}  // namespace
}  // namespace phasor::test
