#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

Tensor create_bits(const std::vector<double>& positions, int dim, const char* order = "msb_first") {
  return value_of(
      position_table({.id = "binary", .params = {{"order", std::string(order)}}}, positions, dim));
}

TEST(Binary, WritesBitsInTheSelectedOrder) {
  EXPECT_EQ(create_bits({6}, 4).data, (std::vector<float>{0, 1, 1, 0}));
  EXPECT_EQ(create_bits({8}, 4).data, (std::vector<float>{1, 0, 0, 0}));
  EXPECT_EQ(create_bits({6}, 4, "lsb_first").data, (std::vector<float>{0, 1, 1, 0}));
  EXPECT_EQ(create_bits({8}, 4, "lsb_first").data, (std::vector<float>{0, 0, 0, 1}));
}

TEST(Binary, BitsEncodeThePositionModuloTwoToTheDim) {
  for (const int dim : {1, 3, 8, 31}) {
    const double modulus = std::exp2(dim);
    const std::vector<double> positions = {0,       1,          5,  7,  8,    255,        256,
                                           1000003, 2147483647, -1, -2, -256, -2147483647};
    const Tensor msb = create_bits(positions, dim), lsb = create_bits(positions, dim, "lsb_first");
    for (std::size_t p = 0; p < positions.size(); ++p) {
      double msb_value = 0, lsb_value = 0;
      for (int c = 0; c < dim; ++c) {
        msb_value = 2 * msb_value + static_cast<double>(matrix(msb).row(static_cast<int>(p))[c]);
        lsb_value += std::exp2(c) * static_cast<double>(matrix(lsb).row(static_cast<int>(p))[c]);
      }
      const double expected = positions[p] - modulus * std::floor(positions[p] / modulus);
      EXPECT_EQ(msb_value, expected) << positions[p] << " in " << dim;
      EXPECT_EQ(lsb_value, expected) << positions[p] << " in " << dim;
    }
  }
}

TEST(Binary, ExtraBitsRepeatTheSign) {
  const Tensor t = create_bits({5, -1}, 100, "lsb_first");
  for (int c = 3; c < 100; ++c) EXPECT_EQ(matrix(t).row(0)[c], 0.0f);
  for (int c = 0; c < 100; ++c) EXPECT_EQ(matrix(t).row(1)[c], 1.0f);
}

TEST(Binary, RejectsFractionalPositions) {
  EXPECT_EQ(position_table({.id = "binary", .params = {}}, std::vector<double>{1, 2.5}, 4)
                .status()
                .message(),
            "positions[1]: 2.5 is not a whole number");
}

}  // namespace
}  // namespace phasor::test
