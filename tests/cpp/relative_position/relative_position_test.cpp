#include "phasor/relative_position.h"

#include <gtest/gtest.h>

#include <cmath>

#include "numbers.h"
#include "results.h"

namespace phasor::test {
namespace {

TEST(RelativeShift, AcceptsOnlyNonemptyMatrices) {
  EXPECT_EQ(relative_shift(Tensor({3})).status().message(),
            "x: has shape 3; expected queries x keys");
  EXPECT_EQ(relative_shift(Tensor({1, 2, 3})).status().message(),
            "x: has shape 1 x 2 x 3; expected queries x keys");
  EXPECT_EQ(relative_shift(Tensor({2, 0})).status().message(),
            "x: has shape 2 x 0; expected queries x keys");
  ASSERT_OK_AND_ASSIGN(const Tensor shifted, relative_shift(Tensor({1, 3}, {4, 5, 6})));
  EXPECT_EQ(shifted.data, (std::vector<float>{4, 5, 6}));
}

TEST(RelativeShift, RejectsNaN) {
  EXPECT_EQ(relative_shift(Tensor({1, 3}, {4, NAN, 6})).status().message(),
            "x[1]: NaN is not a finite number");
}

TEST(AlibiSlopes, RejectsInvalidHeadsAndExponents) {
  const auto refusal = [](int heads, double bias_max) {
    return alibi_slopes(heads, bias_max).status().message();
  };
  EXPECT_EQ(refusal(8, 8), "");
  EXPECT_EQ(refusal(0, 8), "heads: 0 is outside 1 to 1048576");
  EXPECT_EQ(refusal(-4, 8), "heads: -4 is outside 1 to 1048576");
  EXPECT_EQ(refusal(8, NAN), "bias_max: NaN is outside 0 to 1000");
  EXPECT_EQ(refusal(8, -INFINITY), "bias_max: -Infinity is outside 0 to 1000");
}

TEST(ShawIndex, RejectsInvalidDistancesAndClips) {
  const auto refusal = [](double distance, int clip) {
    return shaw_index(distance, clip).status().message();
  };
  EXPECT_EQ(refusal(-1e300, 2), "");
  EXPECT_EQ(refusal(NAN, 2), "distance: NaN is not a finite number");
  EXPECT_EQ(refusal(INFINITY, 2), "distance: Infinity is not a finite number");
  EXPECT_EQ(refusal(1, -1), "clip: -1 is outside 0 to 1048576");
}

// A logarithmic scale with adjacent ends, whose bucket numbers can exceed an int.
TEST(DebertaLogBucket, ComputesLargeBucketsAndRejectsOverflow) {
  const auto bucket = [](int distance, int bucket_size, int max_position) {
    return deberta_log_bucket(std::vector<int>{distance}, bucket_size, max_position);
  };
  const std::string message = bucket(2147483647, 1048576, 524290).status().message();
  EXPECT_TRUE(message.starts_with("relative_position[0]: 2147483647 is in bucket 2.28") &&
              message.ends_with("; expected at most 2147483647"))
      << message;
  EXPECT_EQ(bucket(-2147483647 - 1, 1048576, 524290).status().code(), StatusCode::invalid_argument);
  // middle 524288, end 524289, 524287 steps: the distance 524800 is ln(524800 / 524288) /
  // ln(524289 / 524288) 524287 steps further.
  const double steps = std::log1p(512.0 / 524288) / std::log1p(1.0 / 524288) * 524287;
  EXPECT_EQ(value_of(bucket(524800, 1048576, 524290))[0],
            524288 + static_cast<int>(std::ceil(steps)));
  EXPECT_EQ(value_of(bucket(-524800, 1048576, 524290))[0],
            -524288 - static_cast<int>(std::ceil(steps)));
  EXPECT_EQ(value_of(bucket(524289, 1048576, 524290))[0], 524288 + 524287)
      << "exactly the end of the scale";
  EXPECT_EQ(value_of(bucket(-2147483647 - 1, 256, 512))[0],
            -value_of(bucket(2147483647, 256, 512))[0]);
  EXPECT_EQ(bucket(5, 256, 129).status().message(),
            "max_position: 129 does not exceed the number of distances with separate buckets, 129");
}

TEST(CopeBias, RejectsInvalidArraysByName) {
  const Tensor q = dyadic(1, {2, 3, 4}), logits = dyadic(2, {2, 3, 5}), e = dyadic(3, {4, 6});
  const auto message = [](const Tensor& a, const Tensor& b, const Tensor& c) {
    return cope_bias(a, b, c).status().message();
  };
  EXPECT_EQ(message(q, logits, e), "");
  EXPECT_EQ(message(Tensor({3, 4}), logits, e),
            "q: has shape 3 x 4; expected heads x queries x dim");
  EXPECT_EQ(message(Tensor({2, 3, 0}), logits, e),
            "q: has shape 2 x 3 x 0; expected heads x queries x dim");
  EXPECT_EQ(message(q, Tensor({3, 5}), e), "gate_logits: has shape 3 x 5; expected 2 x 3 x keys");
  EXPECT_EQ(message(q, Tensor({1, 3, 5}), e),
            "gate_logits: has shape 1 x 3 x 5; expected 2 x 3 x keys");
  EXPECT_EQ(message(q, Tensor({2, 2, 5}), e),
            "gate_logits: has shape 2 x 2 x 5; expected 2 x 3 x keys");
  EXPECT_EQ(message(q, Tensor({2, 3, 0}), e),
            "gate_logits: has shape 2 x 3 x 0; expected 2 x 3 x keys");
  EXPECT_EQ(message(q, logits, Tensor({24})), "pos_emb: has shape 24; expected 4 x npos");
  EXPECT_EQ(message(q, logits, Tensor({5, 6})), "pos_emb: has shape 5 x 6; expected 4 x npos");
  EXPECT_EQ(message(q, logits, Tensor({4, 0})), "pos_emb: has shape 4 x 0; expected 4 x npos");
  const auto with_nan = [](Tensor t) {
    t.data[5] = std::nanf("");
    return t;
  };
  EXPECT_EQ(message(with_nan(q), logits, e), "q[5]: NaN is not a finite number");
  EXPECT_EQ(message(q, with_nan(logits), e), "gate_logits[5]: NaN is not a finite number");
  EXPECT_EQ(message(q, logits, with_nan(e)), "pos_emb[5]: NaN is not a finite number");
}

// p_ij is the sum of the sigmoid gates of the keys from j on, at most npos - 1. A fractional p_ij
// interpolates between the products of two vectors.
TEST(CopeBias, MatchesTheFormula) {
  const int heads = 2, queries = 3, keys = 5, dim = 4, npos = 4;
  const Tensor q = dyadic(4, {heads, queries, dim}), logits = dyadic(5, {heads, queries, keys}),
               e = dyadic(6, {dim, npos});
  ASSERT_OK_AND_ASSIGN(const Tensor actual, cope_bias(q, logits, e));
  ASSERT_EQ(actual.shape, (std::vector<int>{heads, queries, keys}));
  const auto product = [&](int h, int i, int p) {
    double sum = 0;
    for (int c = 0; c < dim; ++c)
      sum += static_cast<double>(matrix(q, h).row(i)[c]) * static_cast<double>(matrix(e).row(c)[p]);
    return sum;
  };
  for (int h = 0; h < heads; ++h) {
    for (int i = 0; i < queries; ++i) {
      for (int j = 0; j < keys; ++j) {
        double p = 0;
        for (int t = j; t < keys; ++t)
          p += 1 / (1 + std::exp(-static_cast<double>(matrix(logits, h).row(i)[t])));
        p = std::min(p, npos - 1.0);
        const int lower_index = std::min(static_cast<int>(p), npos - 2);
        const double expected = (lower_index + 1 - p) * product(h, i, lower_index) +
                                (p - lower_index) * product(h, i, lower_index + 1);
        EXPECT_LT(error(static_cast<double>(matrix(actual, h).row(i)[j]), expected), 1e-5)
            << h << " " << i << " " << j;
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test
