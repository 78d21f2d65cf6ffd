#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

Tensor create_sinusoidal_table(const std::vector<double>& positions, int dim, Params params = {}) {
  return value_of(
      position_table({.id = "sinusoidal", .params = std::move(params)}, positions, dim));
}

// base^(-2t/d) in long double, by another formula than in the library.
long double frequency(int t, int dim, double base = 10000) {
  return std::exp(-2.0L * static_cast<long double>(t) * std::log(static_cast<long double>(base)) /
                  static_cast<long double>(dim));
}

// pe[p + k] = M_k pe[p], where M_k rotates each (sine, cosine) pair by k w_t and does not depend
// on p.
TEST(Sinusoidal, ShiftIsTheSameMatrixAtAllPositions) {
  const int dim = 32;
  const Tensor t = create_sinusoidal_table(positions_from(0, 120), dim);
  for (const int k : {0, 1, 7, 64}) {
    for (int p = 0; p + k < 120; p += 5) {
      for (int pair = 0; pair < dim / 2; ++pair) {
        const double a = static_cast<double>(static_cast<long double>(k) * frequency(pair, dim));
        const double s = static_cast<double>(matrix(t).row(p)[2 * pair]),
                     c = static_cast<double>(matrix(t).row(p)[2 * pair + 1]);
        ASSERT_NEAR(static_cast<double>(matrix(t).row(p + k)[2 * pair]),
                    s * std::cos(a) + c * std::sin(a), 5e-7);
        ASSERT_NEAR(static_cast<double>(matrix(t).row(p + k)[2 * pair + 1]),
                    -s * std::sin(a) + c * std::cos(a), 5e-7);
      }
    }
  }
}

TEST(Sinusoidal, SquaredNormOfEveryRowIsHalfTheDim) {
  for (const int dim : {2, 16, 128}) {
    const Tensor t = create_sinusoidal_table({0, 1, 17, 4095, 1e6, -3, 0.5}, dim);
    for (int p = 0; p < t.shape[0]; ++p) {
      double squared_norm = 0;
      for (int c = 0; c < dim; ++c)
        squared_norm +=
            static_cast<double>(matrix(t).row(p)[c]) * static_cast<double>(matrix(t).row(p)[c]);
      EXPECT_NEAR(squared_norm, dim / 2.0, 1e-6 * dim);
    }
  }
}

// pe[p] . pe[p'] = sum_t cos(w_t (p - p')), so it depends on the distance only.
TEST(Sinusoidal, ProductsOfRowsDependOnlyOnTheDistance) {
  const int dim = 64;
  const Tensor t = create_sinusoidal_table(positions_from(0, 40), dim);
  ASSERT_OK_AND_ASSIGN(Tensor dots, similarity(t, SimilarityMetric::dot));
  for (int a = 0; a < 40; ++a) {
    for (int b = 0; b < 40; ++b) {
      long double sum = 0;
      for (int pair = 0; pair < dim / 2; ++pair)
        sum += std::cos(frequency(pair, dim) * static_cast<long double>(a - b));
      ASSERT_NEAR(static_cast<double>(matrix(dots).row(a)[b]), static_cast<double>(sum), 3e-5);
    }
  }
}

// The slowest frequency is base^(-(d-2)/d); 1/base is only its limit for wide tables.
TEST(Sinusoidal, SlowestFrequencyExceedsTheInverseOfTheBase) {
  for (const int dim : {4, 8, 64}) {
    for (const double base : {100.0, 10000.0}) {
      const Tensor t = create_sinusoidal_table({1}, dim, {{"base", base}});
      const double w = std::atan2(static_cast<double>(t.data[static_cast<std::size_t>(dim - 2)]),
                                  static_cast<double>(t.data.back()));
      EXPECT_NEAR(w / std::pow(base, -(dim - 2.0) / dim), 1.0, 1e-6);
      EXPECT_GT(w * base, 1.1);
    }
  }
}

TEST(Sinusoidal, SupportsBothVariantsOfAnOddDim) {
  for (const int dim : {1, 3, 5, 7, 33}) {
    const Tensor even_table = create_sinusoidal_table(positions_from(0, 6), dim),
                 rounded = create_sinusoidal_table(positions_from(0, 6), dim,
                                                   {{"odd_width", std::string("rounded_up")}});
    const Tensor odd_table = create_sinusoidal_table(positions_from(0, 6), dim + 1);
    for (int p = 0; p < 6; ++p) {
      for (int c = 0; c < dim; ++c) {
        const long double a = static_cast<long double>(p) * frequency(c / 2, dim);
        ASSERT_NEAR(static_cast<double>(matrix(even_table).row(p)[c]),
                    static_cast<double>(c % 2 == 0 ? std::sin(a) : std::cos(a)), 2e-7);
        // equals the table of dim + 1 without its last column
        ASSERT_EQ(matrix(rounded).row(p)[c], matrix(odd_table).row(p)[c]);
      }
    }
  }
}

TEST(Sinusoidal, OddWidthDoesNotAffectAnEvenDim) {
  EXPECT_EQ(
      create_sinusoidal_table(positions_from(0, 9), 8).data,
      create_sinusoidal_table(positions_from(0, 9), 8, {{"odd_width", std::string("rounded_up")}})
          .data);
}

TEST(Sinusoidal, ConcatenatedReordersTheColumnsOfInterleaved) {
  for (const int dim : {1, 2, 7, 16}) {
    const Tensor interleaved_table = create_sinusoidal_table(positions_from(3, 5), dim),
                 concat = create_sinusoidal_table(positions_from(3, 5), dim,
                                                  {{"layout", std::string("concatenated")}});
    for (int p = 0; p < 5; ++p) {
      for (int c = 0; c < dim; ++c) {
        const int column = c % 2 == 0 ? c / 2 : (dim + 1) / 2 + c / 2;
        ASSERT_EQ(matrix(interleaved_table).row(p)[c], matrix(concat).row(p)[column])
            << "dim " << dim << " channel " << c;
      }
    }
  }
}

TEST(Sinusoidal, IsExactAtPositionOneMillion) {
  const int dim = 64;
  for (const double position : {65535.0, 1e6, 1e6 + 0.5, -1e6, 16777217.0}) {
    const Tensor t = create_sinusoidal_table({position}, dim);
    for (int c = 0; c < dim; ++c) {
      const long double a = static_cast<long double>(position) * frequency(c / 2, dim);
      EXPECT_NEAR(static_cast<double>(t.data[static_cast<std::size_t>(c)]),
                  static_cast<double>(c % 2 == 0 ? std::sin(a) : std::cos(a)), 1e-6);
    }
  }
}

}  // namespace
}  // namespace phasor::test
