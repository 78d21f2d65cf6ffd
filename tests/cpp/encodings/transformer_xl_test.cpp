#include <gtest/gtest.h>

#include "gradients.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::transformer_xl_test {
namespace {

constexpr int kHeads = 2, kDim = 4, kModel = 10, kQueries = 3, kKeys = 7;

struct Inputs {
  Tensor q = dyadic(91, {kHeads, kQueries, kDim}), k = dyadic(92, {kHeads, kKeys, kDim}),
         u = dyadic(93, {kHeads, kDim}), v = dyadic(94, {kHeads, kDim}),
         w_r = dyadic(95, {kHeads * kDim, kModel});

  EncodingConfig encoding() const {
    return {.id = "transformer_xl", .params = {{"u", u}, {"v", v}, {"w_r", w_r}}};
  }
  AttentionResult run(Mask mask, const EncodingConfig& config) const {
    AttentionConfig c;
    c.encoding = config;
    c.mask = mask;
    c.outputs.scores = true;
    return value_of(attention(q, k, k, c));
  }
};

// The authors' algorithm: scores for distances kKeys - 1 to 0, aligned by rel_shift. Queries follow
// the memory.
TEST(TransformerXl, EqualsRelShiftUnderACausalMask) {
  const Inputs in;
  const AttentionResult got = in.run(Mask::causal, in.encoding());
  std::vector<double> distances;
  for (int m = kKeys - 1; m >= 0; --m) distances.push_back(m);
  ASSERT_OK_AND_ASSIGN(
      Tensor waves,
      position_table({.id = "sinusoidal", .params = {{"layout", std::string("concatenated")}}},
                     distances, kModel));
  for (int h = 0; h < kHeads; ++h) {
    Tensor by_row({kQueries, kKeys}), shifted;
    for (int i = 0; i < kQueries; ++i) {
      for (int m = 0; m < kKeys; ++m) {
        double sum = 0;
        for (int c = 0; c < kDim; ++c) {
          double relative = 0;
          for (int x = 0; x < kModel; ++x)
            relative += static_cast<double>(matrix(in.w_r).row(h * kDim + c)[x]) *
                        static_cast<double>(matrix(waves).row(m)[x]);
          sum += relative * (static_cast<double>(matrix(in.q, h).row(i)[c]) +
                             static_cast<double>(matrix(in.v).row(h)[c]));
        }
        matrix(by_row).row(i)[m] = static_cast<float>(sum);
      }
    }
    ASSERT_OK_AND_ASSIGN(shifted, relative_shift(by_row));
    for (int i = 0; i < kQueries; ++i) {
      for (int j = 0; j <= i + kKeys - kQueries; ++j) {
        double content = 0;
        for (int c = 0; c < kDim; ++c) {
          content += static_cast<double>(matrix(in.k, h).row(j)[c]) *
                     (static_cast<double>(matrix(in.q, h).row(i)[c]) +
                      static_cast<double>(matrix(in.u).row(h)[c]));
        }
        const double expected =
            (content + static_cast<double>(matrix(shifted).row(i)[j])) / std::sqrt(kDim);
        EXPECT_LT(error(static_cast<double>(matrix(got.scores, h).row(i)[j]), expected), 2e-6);
      }
    }
  }
}

// The score is only the second sine, then only the second cosine of the distance.
TEST(TransformerXl, IsExactAtDistanceOneMillion) {
  const Tensor none({1, 2}), key({1, 1, 2}), w_r({2, 4}, {0, 1, 0, 0, 0, 0, 0, 1});
  AttentionConfig config;
  config.encoding = {.id = "transformer_xl",
                     .params = {{"base", 500.0}, {"u", none}, {"v", none}, {"w_r", w_r}}};
  config.outputs.scores = true;
  config.scale = 1.0;
  for (const double position_offset : {1e6, 999983.0}) {
    config.position_offset = position_offset;
    const long double angle = static_cast<long double>(position_offset) / std::sqrt(500.0L);
    for (const bool sine : {true, false}) {
      const Tensor q({1, 1, 2}, {sine ? 1.0f : 0.0f, sine ? 0.0f : 1.0f});
      ASSERT_OK_AND_ASSIGN(AttentionResult got, attention(q, key, key, config));
      EXPECT_NEAR(static_cast<double>(got.scores.data[0]),
                  static_cast<double>(sine ? std::sin(angle) : std::cos(angle)), 1e-6)
          << position_offset;
    }
  }
}

TEST(TransformerXl, RelativeShiftMovesEarlierRowsLeft) {
  ASSERT_OK_AND_ASSIGN(Tensor out, relative_shift(Tensor({2, 3}, {1, 2, 3, 4, 5, 6})));
  EXPECT_EQ(out.data, (std::vector<float>{2, 3, 0, 4, 5, 6}));
}

// Without a mask, keys on the right have negative distances, which change the sign of sines only.
TEST(TransformerXl, KeysOnTheLeftAndRightHaveDifferentScores) {
  Inputs in;
  in.q = Tensor({kHeads, kQueries, kDim});
  in.u = Tensor({kHeads, kDim});
  const EncodingConfig config = in.encoding();
  AttentionConfig c;
  c.encoding = config;
  c.position_offset = 3.0;
  c.outputs.scores = true;
  ASSERT_OK_AND_ASSIGN(AttentionResult got, attention(in.q, in.k, in.k, c));
  EXPECT_GT(std::fabs(matrix(got.scores).row(0)[1] - matrix(got.scores).row(0)[5]), 1e-2f);
}

TEST(TransformerXl, ClampedDistancesHaveEqualScores) {
  Inputs in;
  in.k = Tensor(in.k.shape);
  EncodingConfig config = in.encoding();
  config.params["clamp_len"] = 2.0;
  const AttentionResult got = in.run(Mask::causal, config);
  const float* last = matrix(got.scores).row(kQueries - 1);
  EXPECT_FLOAT_EQ(last[0], last[3]);
  EXPECT_FLOAT_EQ(last[3], last[4]);
  EXPECT_GT(std::fabs(last[4] - last[5]), 1e-3f);
}

// Scores are equal if the columns of W_r have the order of the sinusoids.
TEST(TransformerXl, LayoutsDifferByAPermutationOfChannels) {
  Inputs in;
  const AttentionResult concatenated = in.run(Mask::none, in.encoding());
  Tensor mixed = in.w_r;
  for (int r = 0; r < mixed.shape[0]; ++r) {
    for (int t = 0; t < kModel / 2; ++t) {
      matrix(mixed).row(r)[2 * t] = matrix(in.w_r).row(r)[t];
      matrix(mixed).row(r)[2 * t + 1] = matrix(in.w_r).row(r)[kModel / 2 + t];
    }
  }
  EncodingConfig config = in.encoding();
  config.params["w_r"] = mixed;
  config.params["layout"] = std::string("interleaved");
  EXPECT_LT(largest_error(in.run(Mask::none, config).scores.data, concatenated.scores.data), 1e-6);
}

TEST(TransformerXl, GradientsMatchFiniteDifferences) {
  GradientCase c{.config = {.id = "transformer_xl", .params = {}}};
  expect_gradients(c);
  c.queries = {40, 3, 41};  // outside the prepared range, not consecutive
  c.config.params["layout"] = std::string("interleaved");
  expect_gradients(c);
}

// The text spans several tiles. Gradients gathered for prepared distances must be added exactly
// once per call.
TEST(TransformerXl, GradientsDoNotDependOnPreparedDistances) {
  constexpr int kTokens = 300;
  const std::vector<int> shape = {kHeads, kTokens, kDim};
  const Tensor q = dyadic(96, shape), k = dyadic(97, shape), v = dyadic(98, shape),
               d_output = dyadic(99, shape);
  AttentionConfig config;
  config.mask = Mask::causal;
  const auto created = [](int length) {
    auto encoding = value_of(create_encoding({.id = "transformer_xl", .params = {}},
                                             {.length = length, .dim = kDim, .heads = kHeads}));
    encoding->dims.reset();  // otherwise a text longer than `length` would be rejected
    return encoding;
  };
  const auto prepared = created(kTokens), other = created(1);
  const auto add = [&](Encoding& encoding) {
    ASSERT_TRUE(attention_backward(q, k, v, d_output, encoding, config).ok());
  };
  add(*other);
  for (const double times : {1.0, 2.0}) {
    add(*prepared);
    for (std::size_t p = 0; p < other->parameters().size(); ++p) {
      const Parameter& expected = *other->parameters()[p];
      std::vector<double> sums(expected.grad.data.begin(), expected.grad.data.end());
      for (double& sum : sums) sum *= times;
      EXPECT_LT(largest_error(prepared->parameters()[p]->grad.data, sums), 1e-5)
          << expected.name << " " << times;
    }
  }
}

TEST(TransformerXl, RejectsAnOddNumberOfChannels) {
  EXPECT_EQ(create_encoding({.id = "transformer_xl", .params = {{"w_r", Tensor({4, 5})}}},
                            {.length = 3, .dim = 4, .heads = 1})
                .status()
                .message(),
            "w_r: has 5 columns; expected an even number");
}

}  // namespace
}  // namespace phasor::test::transformer_xl_test
