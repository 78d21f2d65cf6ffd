#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

Tensor bits(const std::vector<double>& positions, int dim, const char* order = "msb_first") {
  return value_of(
      position_table({.id = "binary", .params = {{"order", std::string(order)}}}, positions, dim));
}

TEST(Binary, WritesBitsInTheSelectedOrder) {
  EXPECT_EQ(bits({6}, 4).data, (std::vector<float>{0, 1, 1, 0}));
  EXPECT_EQ(bits({8}, 4).data, (std::vector<float>{1, 0, 0, 0}));
  EXPECT_EQ(bits({6}, 4, "lsb_first").data, (std::vector<float>{0, 1, 1, 0}));
  EXPECT_EQ(bits({8}, 4, "lsb_first").data, (std::vector<float>{0, 0, 0, 1}));
}

TEST(Binary, BitsEncodeThePositionModuloTwoToTheDim) {
  for (const int dim : {1, 3, 8, 31}) {
    const double modulus = std::exp2(dim);
    const std::vector<double> positions = {0,       1,          5,  7,  8,    255,        256,
                                           1000003, 2147483647, -1, -2, -256, -2147483647};
    const Tensor msb = bits(positions, dim), lsb = bits(positions, dim, "lsb_first");
    for (std::size_t p = 0; p < positions.size(); ++p) {
      double from_msb = 0, from_lsb = 0;
      for (int c = 0; c < dim; ++c) {
        from_msb = 2 * from_msb + static_cast<double>(matrix(msb).row(static_cast<int>(p))[c]);
        from_lsb += std::exp2(c) * static_cast<double>(matrix(lsb).row(static_cast<int>(p))[c]);
      }
      const double expected = positions[p] - modulus * std::floor(positions[p] / modulus);
      EXPECT_EQ(from_msb, expected) << positions[p] << " in " << dim;
      EXPECT_EQ(from_lsb, expected) << positions[p] << " in " << dim;
    }
  }
}

TEST(Binary, ExtraBitsRepeatTheSign) {
  const Tensor t = bits({5, -1}, 100, "lsb_first");
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
