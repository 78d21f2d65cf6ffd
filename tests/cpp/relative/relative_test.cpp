// The pieces of relative encodings that can be had by themselves: what they refuse.

#include "phasor/relative.h"

#include <gtest/gtest.h>

#include <cmath>

#include "numbers.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(RelativeShift, NeedsAMatrix) {
  EXPECT_EQ(relative_shift(Tensor({3})).status().message(), "x: its shape is 3; queries x keys is needed");
  EXPECT_EQ(relative_shift(Tensor({1, 2, 3})).status().message(), "x: its shape is 1 x 2 x 3; queries x keys is needed");
  EXPECT_EQ(relative_shift(Tensor({2, 0})).status().message(), "x: its shape is 2 x 0; queries x keys is needed");
  ASSERT_OK_AND_ASSIGN(const Tensor one, relative_shift(Tensor({1, 3}, {4, 5, 6})));
  EXPECT_EQ(one.data, (std::vector<float>{4, 5, 6}));
}

TEST(CopeBias, ArraysThatDoNotFitAreNamed) {
  const Tensor q = dyadic(1, {2, 3, 4}), logits = dyadic(2, {2, 3, 5}), e = dyadic(3, {4, 6});
  const auto message = [](const Tensor& a, const Tensor& b, const Tensor& c) { return cope_bias(a, b, c).status().message(); };
  EXPECT_EQ(message(q, logits, e), "");
  EXPECT_EQ(message(Tensor({3, 4}), logits, e), "q: its shape is 3 x 4; heads x queries x width is needed");
  EXPECT_EQ(message(Tensor({2, 3, 0}), logits, e), "q: its shape is 2 x 3 x 0; heads x queries x width is needed");
  EXPECT_EQ(message(q, Tensor({3, 5}), e), "gate_logits: its shape is 3 x 5; 2 x 3 x keys is needed");
  EXPECT_EQ(message(q, Tensor({1, 3, 5}), e), "gate_logits: its shape is 1 x 3 x 5; 2 x 3 x keys is needed");
  EXPECT_EQ(message(q, Tensor({2, 2, 5}), e), "gate_logits: its shape is 2 x 2 x 5; 2 x 3 x keys is needed");
  EXPECT_EQ(message(q, Tensor({2, 3, 0}), e), "gate_logits: its shape is 2 x 3 x 0; 2 x 3 x keys is needed");
  EXPECT_EQ(message(q, logits, Tensor({24})), "pos_emb: its shape is 24; 4 x npos is needed");
  EXPECT_EQ(message(q, logits, Tensor({5, 6})), "pos_emb: its shape is 5 x 6; 4 x npos is needed");
  EXPECT_EQ(message(q, logits, Tensor({4, 0})), "pos_emb: its shape is 4 x 0; 4 x npos is needed");
  const auto spoilt = [](Tensor t) {
    t.data[5] = std::nanf("");
    return t;
  };
  EXPECT_EQ(message(spoilt(q), logits, e), "q[5]: NaN is not a finite number");
  EXPECT_EQ(message(q, spoilt(logits), e), "gate_logits[5]: NaN is not a finite number");
  EXPECT_EQ(message(q, logits, spoilt(e)), "pos_emb[5]: NaN is not a finite number");
}

// p_ij counts the gates of the keys from j on, each a sigmoid, up to npos - 1; between two vectors the bias is between their products.
TEST(CopeBias, AgainstTheFormula) {
  const int heads = 2, queries = 3, keys = 5, width = 4, npos = 4;
  const Tensor q = dyadic(4, {heads, queries, width}), logits = dyadic(5, {heads, queries, keys}), e = dyadic(6, {width, npos});
  ASSERT_OK_AND_ASSIGN(const Tensor got, cope_bias(q, logits, e));
  ASSERT_EQ(got.shape, (std::vector<int>{heads, queries, keys}));
  const auto product = [&](int h, int i, int p) {
    double sum = 0;
    for (int c = 0; c < width; ++c) sum += static_cast<double>(matrix(q, h).row(i)[c]) * static_cast<double>(matrix(e).row(c)[p]);
    return sum;
  };
  for (int h = 0; h < heads; ++h) {
    for (int i = 0; i < queries; ++i) {
      for (int j = 0; j < keys; ++j) {
        double p = 0;
        for (int t = j; t < keys; ++t) p += 1 / (1 + std::exp(-static_cast<double>(matrix(logits, h).row(i)[t])));
        p = std::min(p, npos - 1.0);
        const int low = std::min(static_cast<int>(p), npos - 2);
        const double expected = (low + 1 - p) * product(h, i, low) + (p - low) * product(h, i, low + 1);
        EXPECT_LT(error(static_cast<double>(matrix(got, h).row(i)[j]), expected), 1e-5) << h << " " << i << " " << j;
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test
