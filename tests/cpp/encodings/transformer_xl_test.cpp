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
  const AttentionResult actual = in.run(Mask::causal, in.encoding());
  std::vector<double> distances;
  for (int m = kKeys - 1; m >= 0; --m) distances.push_back(m);
  ASSERT_OK_AND_ASSIGN(
      Tensor sinusoids,
      position_table({.id = "sinusoidal", .params = {{"layout", std::string("concatenated")}}},
                     distances, kModel));
  for (int h = 0; h < kHeads; ++h) {
    Tensor unshifted({kQueries, kKeys}), shifted;
    for (int i = 0; i < kQueries; ++i) {
      for (int m = 0; m < kKeys; ++m) {
        double sum = 0;
        for (int c = 0; c < kDim; ++c) {
          double key_value = 0;
          for (int x = 0; x < kModel; ++x)
            key_value += static_cast<double>(matrix(in.w_r).row(h * kDim + c)[x]) *
                         static_cast<double>(matrix(sinusoids).row(m)[x]);
          sum += key_value * (static_cast<double>(matrix(in.q, h).row(i)[c]) +
                              static_cast<double>(matrix(in.v).row(h)[c]));
        }
        matrix(unshifted).row(i)[m] = static_cast<float>(sum);
      }
    }
    ASSERT_OK_AND_ASSIGN(shifted, relative_shift(unshifted));
    for (int i = 0; i < kQueries; ++i) {
      for (int j = 0; j <= i + kKeys - kQueries; ++j) {
        double content_score = 0;
        for (int c = 0; c < kDim; ++c) {
          content_score += static_cast<double>(matrix(in.k, h).row(j)[c]) *
                           (static_cast<double>(matrix(in.q, h).row(i)[c]) +
                            static_cast<double>(matrix(in.u).row(h)[c]));
        }
        const double expected =
            (content_score + static_cast<double>(matrix(shifted).row(i)[j])) / std::sqrt(kDim);
        EXPECT_LT(error(static_cast<double>(matrix(actual.scores, h).row(i)[j]), expected), 2e-6);
      }
    }
  }
}

// The score is only the second sine, then only the second cosine of the distance.
TEST(TransformerXl, IsExactAtDistanceOneMillion) {
  const Tensor zero_bias({1, 2}), key({1, 1, 2}), w_r({2, 4}, {0, 1, 0, 0, 0, 0, 0, 1});
  AttentionConfig config;
  config.encoding = {.id = "transformer_xl",
                     .params = {{"base", 500.0}, {"u", zero_bias}, {"v", zero_bias}, {"w_r", w_r}}};
  config.outputs.scores = true;
  config.scale = 1.0;
  for (const double position_offset : {1e6, 999983.0}) {
    config.position_offset = position_offset;
    const long double angle = static_cast<long double>(position_offset) / std::sqrt(500.0L);
    for (const bool is_sine : {true, false}) {
      const Tensor q({1, 1, 2}, {is_sine ? 1.0f : 0.0f, is_sine ? 0.0f : 1.0f});
      ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(q, key, key, config));
      EXPECT_NEAR(static_cast<double>(actual.scores.data[0]),
                  static_cast<double>(is_sine ? std::sin(angle) : std::cos(angle)), 1e-6)
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
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(in.q, in.k, in.k, c));
  EXPECT_GT(std::fabs(matrix(actual.scores).row(0)[1] - matrix(actual.scores).row(0)[5]), 1e-2f);
}

TEST(TransformerXl, ClampedDistancesHaveEqualScores) {
  Inputs in;
  in.k = Tensor(in.k.shape);
  EncodingConfig config = in.encoding();
  config.params["clamp_len"] = 2.0;
  const AttentionResult actual = in.run(Mask::causal, config);
  const float* last_row = matrix(actual.scores).row(kQueries - 1);
  EXPECT_FLOAT_EQ(last_row[0], last_row[3]);
  EXPECT_FLOAT_EQ(last_row[3], last_row[4]);
  EXPECT_GT(std::fabs(last_row[4] - last_row[5]), 1e-3f);
}

// Scores are equal if the columns of W_r have the order of the sinusoids.
TEST(TransformerXl, LayoutsDifferByAPermutationOfChannels) {
  Inputs in;
  const AttentionResult concatenated_result = in.run(Mask::none, in.encoding());
  Tensor changed_w_r = in.w_r;
  for (int r = 0; r < changed_w_r.shape[0]; ++r) {
    for (int t = 0; t < kModel / 2; ++t) {
      matrix(changed_w_r).row(r)[2 * t] = matrix(in.w_r).row(r)[t];
      matrix(changed_w_r).row(r)[2 * t + 1] = matrix(in.w_r).row(r)[kModel / 2 + t];
    }
  }
  EncodingConfig config = in.encoding();
  config.params["w_r"] = changed_w_r;
  config.params["layout"] = std::string("interleaved");
  EXPECT_LT(largest_error(in.run(Mask::none, config).scores.data, concatenated_result.scores.data),
            1e-6);
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
  const auto create_layer_encoding = [](int length) {
    auto encoding = value_of(create_encoding({.id = "transformer_xl", .params = {}},
                                             {.length = length, .dim = kDim, .heads = kHeads}));
    encoding->dims.reset();  // otherwise a text longer than `length` would be rejected
    return encoding;
  };
  const auto full_encoding = create_layer_encoding(kTokens),
             short_encoding = create_layer_encoding(1);
  const auto accumulate_gradients = [&](Encoding& encoding) {
    ASSERT_TRUE(attention_backward(q, k, v, d_output, encoding, config).ok());
  };
  accumulate_gradients(*short_encoding);
  for (const double factor : {1.0, 2.0}) {
    accumulate_gradients(*full_encoding);
    for (std::size_t p = 0; p < short_encoding->parameters().size(); ++p) {
      const Parameter& expected = *short_encoding->parameters()[p];
      std::vector<double> sums(expected.grad.data.begin(), expected.grad.data.end());
      for (double& sum : sums) sum *= factor;
      EXPECT_LT(largest_error(full_encoding->parameters()[p]->grad.data, sums), 1e-5)
          << expected.name << " " << factor;
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
