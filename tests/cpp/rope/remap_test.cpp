// RoPE with remapped distances (phasor/rope.h), compared with independent formulas.

#include "phasor/rope.h"
#include "remap_methods.h"

namespace phasor::test::remap_test {
namespace {

TEST(Remap, DistancesMatchTheFormulas) {
  for (const Method& method : methods()) {
    ASSERT_OK_AND_ASSIGN(const Tensor actual,
                         rope_distances({.id = "rope", .params = method.params},
                                        positions_from(0, 200), positions_from(0, 200), 8));
    for (int i = 0; i < 200; ++i) {
      for (int j = 0; j < 200; ++j) {
        const double expected = j > i ? 0 : method.distance(i, j);
        if (!std::isnan(expected)) {
          ASSERT_EQ(matrix(actual).row(i)[j], static_cast<float>(expected)) << i << " " << j;
        }
      }
    }
  }
}

TEST(Remap, AttentionMatchesTheFormulas) {
  for (const Method& method : methods()) {
    SCOPED_TRACE(std::get<Word>(method.params.at("remap")));
    for (const int keys : {1, 4, 17, 64, 150})
      expect_output(inputs(method.params, 2, 1, keys, keys), score_of(method), 1e-5);
    expect_output(inputs(method.params, 1, 1, 6, 300), score_of(method), 1e-5);
    CausalInputs in = inputs(method.params, 4, 2, 60, 60);
    in.config.window = 23;
    in.config.key_mask = std::vector<std::uint8_t>(60, 1);
    for (const std::size_t hidden : {1u, 2u, 30u}) in.config.key_mask[hidden] = 0;
    if (std::get<Word>(method.params.at("remap")) != "lm_infinite")
      expect_output(in, score_of(method), 1e-5);
  }
}

// All keys are equal, so scores differ only by distance.
TEST(Remap, ScoresAreConstantBeyondTheCeiling) {
  constexpr int kKeys = 120;
  const std::vector<Params> ceilings = {
      {{"remap", Word("rerope")}, {"window", 6.0}},
      {{"remap", Word("lm_infinite")},
       {"window", 6.0},
       {"sink_tokens", 50.0},
       {"max_distance", 11.0}},
  };
  for (const Params& params : ceilings) {
    CausalInputs in = inputs(params, 1, 1, kKeys, kKeys);
    for (int j = 1; j < kKeys; ++j)
      std::copy_n(matrix(std::as_const(in.k), 0).row(0), 8, matrix(in.k, 0).row(j));
    in.config.outputs = {.scores = true};
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, in.config));
    const bool is_bounded = std::get<Word>(params.at("remap")) == "rerope";
    for (int i = 20; i < kKeys; ++i) {
      const float* row = matrix(actual.scores, 0).row(i);
      const double distant_score = static_cast<double>(row[0]);
      // Keys are rotated by their positions, so equal products differ by rounding.
      for (int j = 1; j <= (is_bounded ? i - 6 : std::min(49, i - 6)); ++j)
        EXPECT_NEAR(static_cast<double>(row[j]), distant_score,
                    2e-6 * (1 + std::fabs(distant_score)));
      EXPECT_GT(std::fabs(static_cast<double>(row[i] - row[i - 1])), 1e-4);
    }
  }
}

TEST(Remap, GradientsMatchFiniteDifferences) {
  for (const Method& method : methods()) {
    SCOPED_TRACE(std::get<Word>(method.params.at("remap")));
    expect_gradients(inputs(method.params, 2, 1, 5, 60), score_of(method));
    expect_gradients(inputs(method.params, 1, 1, 12, 12), score_of(method));
  }
}

TEST(Remap, CacheMatchesAttention) {
  for (const Method& method : methods()) {
    SCOPED_TRACE(std::get<Word>(method.params.at("remap")));
    expect_cache(inputs(method.params, 4, 2, 90, 90), {1, 1, 40, 3, 45});
  }
}

TEST(Remap, EqualsRopeIfNoDistanceChanges) {
  const std::vector<Params> rope_params = {
      {{"remap", Word("self_extend")}, {"group", 1.0}, {"window", 3.0}},
      {{"remap", Word("self_extend")}, {"window", 50.0}},
      {{"remap", Word("rerope")}, {"window", 50.0}},
      {{"remap", Word("leaky_rerope")}, {"leak", 1.0}, {"window", 3.0}},
      {{"remap", Word("lm_infinite")}, {"window", 50.0}},
      {{"remap", Word("dual_chunk")}, {"chunk", 50.0}},
  };
  const CausalInputs rope = inputs({}, 2, 1, 50, 50);
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                       attention(rope.q, rope.k, rope.v, rope.config));
  for (const Params& params : rope_params) {
    const CausalInputs in = inputs(params, 2, 1, 50, 50);
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, in.config));
    EXPECT_LT(largest_error(actual.output.data, std::vector<double>(expected.output.data.begin(),
                                                                    expected.output.data.end())),
              2e-6)
        << std::get<Word>(params.at("remap"));
  }
}

// Heads of a call share cosines and sines, and the memory of packed keys.
TEST(Remap, ComputesEachHeadAsIfAlone) {
  for (const Method& method : methods()) {
    SCOPED_TRACE(std::get<Word>(method.params.at("remap")));
    const CausalInputs in = inputs(method.params, 4, 2, 70, 90);
    const Tensor d_output = dyadic(54, {4, 70, 9});
    ASSERT_OK_AND_ASSIGN(const AttentionGradients all_gradients,
                         attention_backward(in.q, in.k, in.v, d_output, in.config));
    const auto slice_head = [](const Tensor& x, int head) {
      return Tensor({1, x.shape[1], x.shape[2]},
                    {matrix(x, head).data, matrix(x, head).data + x.shape[1] * x.shape[2]});
    };
    ASSERT_OK_AND_ASSIGN(const AttentionResult joint_result,
                         attention(in.q, in.k, in.v, in.config));
    for (int h = 0; h < 4; ++h) {
      const Tensor q = slice_head(in.q, h), k = slice_head(in.k, h / 2),
                   v = slice_head(in.v, h / 2);
      ASSERT_OK_AND_ASSIGN(const AttentionResult head_result, attention(q, k, v, in.config));
      EXPECT_EQ(head_result.output.data, slice_head(joint_result.output, h).data);
      ASSERT_OK_AND_ASSIGN(const AttentionGradients head_gradients,
                           attention_backward(q, k, v, slice_head(d_output, h), in.config));
      EXPECT_EQ(head_gradients.d_q.data, slice_head(all_gradients.d_q, h).data);
    }
  }
}

TEST(Remap, AcceptsPositionsInAnyOrder) {
  for (const Method& method : methods()) {
    SCOPED_TRACE(std::get<Word>(method.params.at("remap")));
    CausalInputs in = inputs(method.params, 2, 1, 40, 40);
    ASSERT_OK_AND_ASSIGN(const AttentionResult ordered_result,
                         attention(in.q, in.k, in.v, in.config));
    CausalInputs permuted = in;
    for (int t = 0; t < 40; ++t) {
      const int source = t * 7 % 40;
      std::copy_n(matrix(in.k).row(source), 8, matrix(permuted.k).row(t));
      std::copy_n(matrix(in.v).row(source), 9, matrix(permuted.v).row(t));
      permuted.config.key_positions.values.push_back(source);
      permuted.config.query_positions.values.push_back(t);
    }
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual,
                         attention(permuted.q, permuted.k, permuted.v, permuted.config));
    EXPECT_LT(
        largest_error(actual.output.data, std::vector<double>(ordered_result.output.data.begin(),
                                                              ordered_result.output.data.end())),
        4e-6);
  }
}

TEST(Remap, MultipliesHugeValuesInDouble) {
  for (const Method& method : methods()) {
    CausalInputs in = inputs(method.params, 1, 1, 40, 40);
    for (float& x : in.q.data) x *= 1e25f;
    for (float& x : in.k.data) x *= 1e25f;
    in.config.scale = 1e-50 / std::sqrt(8.0);
    CausalInputs float_inputs = inputs(method.params, 1, 1, 40, 40);
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, in.config));
    ASSERT_OK_AND_ASSIGN(
        const AttentionResult expected,
        attention(float_inputs.q, float_inputs.k, float_inputs.v, float_inputs.config));
    EXPECT_LT(largest_error(actual.output.data, std::vector<double>(expected.output.data.begin(),
                                                                    expected.output.data.end())),
              4e-6);
  }
}

// Rows begin in the middle of a block, and tiles lie between the first tokens and the window.
TEST(Remap, MatchesTheFormulasAcrossBlocksAndGaps) {
  for (const Method& method : methods())
    expect_output(inputs(method.params, 1, 1, 3, 1500, 4), score_of(method), 1e-5);
}

TEST(Remap, ExplainSoftmaxMatchesTheFormulas) {
  for (const Method& method : methods()) {
    const CausalInputs in = inputs(method.params, 2, 1, 30, 30);
    ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation actual,
                         explain_softmax(in.q, in.k, in.config, 1, 29));
    EXPECT_LT(actual.max_abs_diff, 1e-6);
    for (int j = 0; j < 30; ++j) {
      const double expected = score_of(method)(in, 1, 29, j);
      if (std::isnan(expected)) continue;
      EXPECT_NEAR(static_cast<double>(actual.scaled.data[static_cast<std::size_t>(j)]), expected,
                  1e-5);
    }
  }
}

TEST(Remap, RejectsUndefinedCases) {
  CausalInputs in = inputs({{"remap", Word("rerope")}}, 1, 1, 4, 4);
  in.config.mask = Mask::none;
  EXPECT_EQ(
      refusal_of(in),
      "mask: \"none\" lets queries attend to later keys, for which remap of rope is not defined; "
      "expected \"causal\"");
  in = inputs({{"remap", Word("rerope")}, {"start_tokens", 2.0}}, 1, 1, 4, 4);
  EXPECT_EQ(refusal_of(in),
            "start_tokens: 2 cannot be combined with remap, which rotates all tokens alike");
  in = inputs({{"remap", Word("self_extend")}, {"group", 0.0}}, 1, 1, 4, 4);
  EXPECT_EQ(refusal_of(in), "group: 0 is outside 1 to 2147483647");
  in = inputs({{"remap", Word("dual_chunk")}, {"chunk", 8.0}, {"max_position", 6.0}}, 1, 1, 4, 4);
  EXPECT_EQ(refusal_of(in), "max_position: 6 is below the last position of a chunk, which is 7");
  in = inputs({{"remap", Word("selfextend")}}, 1, 1, 4, 4);
  EXPECT_EQ(refusal_of(in),
            "remap: \"selfextend\" is not one of none, self_extend, rerope, leaky_rerope, "
            "lm_infinite, dual_chunk");
}

}  // namespace
}  // namespace phasor::test::remap_test
