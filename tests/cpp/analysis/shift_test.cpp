// Shift matrices M_k: pe[p + k] = M_k pe[p].

#include <gtest/gtest.h>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

std::vector<double> compute_frequencies(int dim) {
  std::vector<double> frequencies;
  for (int t = 0; t < dim / 2; ++t) frequencies.push_back(1.0 / std::pow(10000.0, 2.0 * t / dim));
  return frequencies;
}

Tensor make_shift_matrix(const std::vector<double>& frequencies, double k,
                         SinusoidLayout layout = SinusoidLayout::interleaved) {
  return value_of(shift_matrix(frequencies, k, layout));
}

Tensor multiply(const Tensor& a, const Tensor& b) {
  Tensor product({a.shape[0], b.shape[1]});
  for (int r = 0; r < a.shape[0]; ++r) {
    for (int c = 0; c < b.shape[1]; ++c) {
      double sum = 0;
      for (int i = 0; i < a.shape[1]; ++i)
        sum += static_cast<double>(matrix(a).row(r)[i]) * static_cast<double>(matrix(b).row(i)[c]);
      matrix(product).row(r)[c] = static_cast<float>(sum);
    }
  }
  return product;
}

TEST(Shift, MatrixMapsEveryRowOfASinusoidalTable) {
  for (const int dim : {2, 8, 32}) {
    for (const bool interleaved : {true, false}) {
      const EncodingConfig config{
          .id = "sinusoidal",
          .params = {{"layout", std::string(interleaved ? "interleaved" : "concatenated")}}};
      ASSERT_OK_AND_ASSIGN(Tensor t, position_table(config, positions_from(0, 200), dim));
      const SinusoidLayout table_layout =
          interleaved ? SinusoidLayout::interleaved : SinusoidLayout::concatenated;
      const SinusoidLayout other_layout =
          interleaved ? SinusoidLayout::concatenated : SinusoidLayout::interleaved;
      for (const int k : {0, 1, 17, -5, 150}) {
        ASSERT_OK_AND_ASSIGN(
            double residual,
            shift_error(t, make_shift_matrix(compute_frequencies(dim), k, table_layout), k));
        EXPECT_LT(residual, 5e-7) << "dim " << dim << " k " << k;
        if (k == 0 || dim == 2) continue;
        ASSERT_OK_AND_ASSIGN(
            residual,
            shift_error(t, make_shift_matrix(compute_frequencies(dim), k, other_layout), k));
        EXPECT_GT(residual, 0.1) << "the layouts are not the same";
      }
    }
  }
}

TEST(Shift, ProductOfMatricesAddsTheShifts) {
  const std::vector<double> w = {1, 0.3, 0.01};
  for (const SinusoidLayout layout : {SinusoidLayout::interleaved, SinusoidLayout::concatenated}) {
    EXPECT_LT(largest_error(
                  multiply(make_shift_matrix(w, 3, layout), make_shift_matrix(w, 4.5, layout)).data,
                  make_shift_matrix(w, 7.5, layout).data),
              3e-7);
    EXPECT_LT(largest_error(
                  multiply(make_shift_matrix(w, 9, layout), make_shift_matrix(w, -9, layout)).data,
                  make_shift_matrix(w, 0, layout).data),
              3e-7);
  }
}

// The rows of a table of indices grow, and a rotation keeps norms.
TEST(Shift, ErrorIsLargeForATableWithoutAShiftMatrix) {
  ASSERT_OK_AND_ASSIGN(Tensor t,
                       position_table({.id = "index", .params = {}}, positions_from(0, 10), 2));
  ASSERT_OK_AND_ASSIGN(double residual, shift_error(t, make_shift_matrix({1}, 1), 1));
  EXPECT_GT(residual, 1);
}

// conformance/far_test.cpp tests that the matrix shifts every row of every sinusoidal table.
TEST(Shift, MatrixUsesTheFrequenciesOfTheEncoding) {
  for (const int dim : {2, 8, 32}) {
    for (const SinusoidLayout layout :
         {SinusoidLayout::interleaved, SinusoidLayout::concatenated}) {
      const std::string layout_name =
          layout == SinusoidLayout::interleaved ? "interleaved" : "concatenated";
      ASSERT_OK_AND_ASSIGN(
          Tensor m,
          shift_matrix({.id = "sinusoidal", .params = {{"layout", layout_name}}}, dim, 17));
      EXPECT_LT(largest_error(m.data, make_shift_matrix(compute_frequencies(dim), 17, layout).data),
                1e-7)
          << dim << " " << layout_name;
    }
  }
  ASSERT_OK_AND_ASSIGN(
      Tensor padded_matrix,
      shift_matrix({.id = "sinusoidal", .params = {{"odd_width", std::string("zero_padded")}}}, 3,
                   2));
  EXPECT_EQ(matrix(padded_matrix).row(2)[2], 1);
}

TEST(Shift, RejectsEncodingsWithoutAShiftMatrix) {
  const auto message = [&](EncodingConfig config, int dim) {
    return shift_matrix(config, dim, 1).status().message();
  };
  const auto unpaired_message = [](const std::string& channel) {
    return "encoding: channel " + channel + " is not in a sine-cosine pair; no shift matrix exists";
  };
  EXPECT_EQ(message({.id = "index", .params = {}}, 4), unpaired_message("0 of index at dim 4"));
  EXPECT_EQ(message({.id = "sinusoidal", .params = {}}, 5),
            unpaired_message("4 of sinusoidal at dim 5"));
  EXPECT_EQ(message({.id = "sine", .params = {}}, 1), unpaired_message("0 of sine at dim 1"));
  EXPECT_EQ(message({.id = "nerf", .params = {{"include_input", true}}}, 4),
            unpaired_message("0 of nerf at dim 4"));
  EXPECT_EQ(message({.id = "rope", .params = {}}, 4),
            "encoding: rope has no table; its injection is query_key, so call rotary_angles or "
            "apply_rotary");
  EXPECT_EQ(
      message({.id = "sinusoidal", .params = {{"base", 0.5}}}, 4).rfind("base: 0.5 is outside", 0),
      0u);
  EXPECT_EQ(shift_matrix({.id = "sinusoidal", .params = {}}, 4, HUGE_VAL).status().message(),
            "k: Infinity is not a finite number");
}

TEST(Shift, RejectsInvalidArguments) {
  const std::vector<double> single_frequency = {1}, nan_frequencies = {1, std::nan("")};
  EXPECT_EQ(shift_matrix({}, 1, SinusoidLayout::interleaved).status().message(),
            "frequencies: the list is empty; expected at least one");
  EXPECT_EQ(shift_matrix(nan_frequencies, 1, SinusoidLayout::interleaved).status().message(),
            "frequencies[1]: NaN is not a finite number");
  EXPECT_EQ(
      shift_matrix(single_frequency, HUGE_VAL, SinusoidLayout::interleaved).status().message(),
      "k: Infinity is not a finite number");
  const Tensor t({3, 2});
  EXPECT_EQ(shift_error(t, Tensor({3, 3}), 1).status().message(),
            "shift: has shape 3 x 3; expected a square matrix of dim 2");
  EXPECT_EQ(shift_error(t, make_shift_matrix({1}, 1), 3).status().message(),
            "k: 3 is outside -2 to 2");
  EXPECT_EQ(shift_error(t, make_shift_matrix({1}, 1), -3).status().message(),
            "k: -3 is outside -2 to 2");
  EXPECT_EQ(shift_error(Tensor({2}), make_shift_matrix({1}, 1), 0).status().message(),
            "table: has shape 2; expected rows x dim");
  EXPECT_EQ(shift_error(Tensor({0, 2}), make_shift_matrix({1}, 1), 0).status().message(),
            "table: has shape 0 x 2; expected rows x dim");
  EXPECT_EQ(
      shift_matrix(single_frequency, 2147483648.0, SinusoidLayout::interleaved).status().message(),
      "k: 2147483648 is outside -2147483647 to 2147483647");
  EXPECT_EQ(shift_matrix({.id = "sinusoidal", .params = {}}, 4, -2147483648.0).status().message(),
            "k: -2147483648 is outside -2147483647 to 2147483647");
  const std::vector<double> excess_frequencies(524289, 1.0), oversized_frequencies(8193, 1.0);
  EXPECT_EQ(shift_matrix(excess_frequencies, 1, SinusoidLayout::interleaved).status().message(),
            "frequencies: 524289 is outside 1 to 524288");
  EXPECT_EQ(shift_matrix(oversized_frequencies, 1, SinusoidLayout::interleaved).status().code(),
            StatusCode::resource_exhausted);
  EXPECT_EQ(shift_matrix({.id = "sinusoidal", .params = {}}, 16386, 1).status().code(),
            StatusCode::resource_exhausted);
}

// A maximum ignores a NaN, which is neither larger nor smaller, so the values are checked first.
TEST(Shift, ErrorRejectsValuesThatAreNotFinite) {
  Tensor t({3, 2}), m = make_shift_matrix({1}, 1);
  t.data[3] = std::nanf("");
  EXPECT_EQ(shift_error(t, m, 1).status().message(), "table[3]: NaN is not a finite number");
  m.data[1] = -HUGE_VALF;
  EXPECT_EQ(shift_error(Tensor({3, 2}), m, 1).status().message(),
            "shift[1]: -Infinity is not a finite number");
}

TEST(Shift, ErrorMatchesAHandComputedCase) {
  // M swaps the channels. Rows (1, 2) and (3, 7): forwards M (1, 2) = (2, 1) against (3, 7),
  // backwards M (3, 7) = (7, 3) against (1, 2).
  const Tensor t({2, 2}, {1, 2, 3, 7}), swap({2, 2}, {0, 1, 1, 0});
  EXPECT_EQ(value_of(shift_error(t, swap, 1)), 6);
  EXPECT_EQ(value_of(shift_error(t, swap, -1)), 6);
  EXPECT_EQ(value_of(shift_error(t, swap, 0)), 4);  // (7, 3) against (3, 7)
  const Tensor first_pair_differs({3, 1}, {0, 5, 5}), last_pair_differs({3, 1}, {5, 5, 0}),
      identity({1, 1}, {1});
  for (const int k : {1, -1}) {  // the first and the last pair are included
    EXPECT_EQ(value_of(shift_error(first_pair_differs, identity, k)), 5);
    EXPECT_EQ(value_of(shift_error(last_pair_differs, identity, k)), 5);
  }
}

}  // namespace
}  // namespace phasor::test
