// Normalized queries and keys: three norms, over one head or all heads, before or after the
// encoding.

#include <gtest/gtest.h>

#include <cmath>

#include "attention_inputs.h"
#include "cache_steps.h"
#include "loss_slopes.h"
#include "phasor/explain.h"
#include "phasor/phasor.h"
#include "reference.h"
#include "results.h"

namespace phasor::test::qk_norm_test {
namespace {

constexpr Sizes kSizes{4, 2, 9, 12, 6, 5};

std::vector<QkNorm> list_norms(const Sizes& s) {
  std::vector<QkNorm> norms;
  for (const QkNorm::Norm norm : {QkNorm::Norm::rms, QkNorm::Norm::layer, QkNorm::Norm::l2}) {
    for (const QkNorm::Over over : {QkNorm::Over::head, QkNorm::Over::all_heads}) {
      for (const QkNorm::Order order :
           {QkNorm::Order::before_encoding, QkNorm::Order::after_encoding}) {
        const bool over_all_heads = over == QkNorm::Over::all_heads;
        QkNorm qk_norm{
            .norm = norm,
            .over = over,
            .weight_form =
                over_all_heads ? QkNorm::WeightForm::one_plus : QkNorm::WeightForm::plain,
            .order = order,
            .q_weight = dyadic(51, {over_all_heads ? s.heads * s.head_dim : s.head_dim}),
            .k_weight = dyadic(52, {over_all_heads ? s.kv_heads * s.head_dim : s.head_dim})};
        norms.push_back(std::move(qk_norm));
      }
    }
  }
  return norms;
}

std::string format_name(const QkNorm& norm) {
  return std::to_string(static_cast<int>(norm.norm)) + " over " +
         std::to_string(static_cast<int>(norm.over)) + ", order " +
         std::to_string(static_cast<int>(norm.order));
}

AttentionConfig make_config(const QkNorm& norm, const char* encoding) {
  AttentionConfig config{.encoding = {.id = encoding}, .mask = Mask::causal, .scale = 0.5};
  config.options.qk_norm = norm;
  return config;
}

TEST(QkNorm, MatchesTheFormula) {
  const Inputs in = inputs(kSizes);
  for (const QkNorm& norm : list_norms(kSizes)) {
    for (const char* encoding : {"none", "rope", "xpos", "alibi"}) {
      AttentionConfig config = make_config(norm, encoding);
      config.outputs.weights = true;
      ASSERT_OK_AND_ASSIGN(const Reference expected, formula(in.q, in.k, in.v, config));
      ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
      EXPECT_LT(largest_error(actual.weights.data, expected.weights), allowed(expected))
          << encoding << " " << format_name(norm);
      EXPECT_LT(largest_error(actual.output.data, expected.output), allowed(expected));
    }
  }
}

// Tolerances for a loss that is curved near short vectors, and for sums of large terms.
constexpr SlopeRule kCurved = {kExactSteps, 1e-3, 0.05};

TEST(QkNorm, GradientsMatchFiniteDifferences) {
  for (QkNorm norm : list_norms(kSizes)) {
    for (const char* encoding : {"none", "rope", "alibi"}) {
      Inputs in = inputs(kSizes);
      const Tensor d_output = dyadic(53, {4, 9, 5});
      AttentionConfig config = make_config(norm, encoding);
      ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                           attention_backward(in.q, in.k, in.v, d_output, config));
      const auto loss = [&] {
        return inner(value_of(formula(in.q, in.k, in.v, config)).output, d_output);
      };
      SCOPED_TRACE(encoding + (" " + format_name(norm)));
      expect_gradient("q", in.q, actual.d_q, kCurved, 4, loss);
      expect_gradient("k", in.k, actual.d_k, kCurved, 4, loss);
      expect_gradient("q_weight", config.options.qk_norm->q_weight, actual.options.q_weight,
                      kCurved, 4, loss);
      expect_gradient("k_weight", config.options.qk_norm->k_weight, actual.options.k_weight,
                      kCurved, 4, loss);
    }
  }
}

TEST(QkNorm, LearnedRotationGradientsMatchFiniteDifferences) {
  for (const QkNorm::Order order :
       {QkNorm::Order::before_encoding, QkNorm::Order::after_encoding}) {
    Inputs in = inputs({2, 2, 6, 6, 8, 3});
    const Tensor d_output = dyadic(54, {2, 6, 3});
    AttentionConfig config{.encoding = {.id = "rope_mixed"}};
    config.encoding =
        value_of(given_learned(config.encoding, {.length = 6, .dim = 8, .heads = 2, .axes = 2}));
    config.query_positions =
        config.key_positions = {.values = {0, 0, 0, 1, 0, 2, 1, 0, 1, 1, 1, 2}, .axes = 2};
    config.options.qk_norm = QkNorm{.order = order, .q_weight = dyadic(55, {8})};
    ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                         attention_backward(in.q, in.k, in.v, d_output, config));
    const auto loss = [&] {
      const Tensor output = value_of(attention(in.q, in.k, in.v, config)).output;
      return inner(Vector(output.data.begin(), output.data.end()), d_output);
    };
    ASSERT_EQ(actual.parameters.size(), 1u);
    for (const auto& [name, gradient] : actual.parameters)
      expect_gradient(name.c_str(), std::get<Tensor>(config.encoding.params.at(name)), gradient,
                      kRounded, 4, loss);
    EXPECT_TRUE(actual.options.k_weight.empty());
  }
}

TEST(QkNorm, KeepsZerosAndIgnoresTheLengthOfAVector) {
  Inputs in = inputs({1, 1, 4, 4, 4, 4});
  for (int c = 0; c < 4; ++c) in.q.data[static_cast<std::size_t>(c)] = 0;
  for (const QkNorm::Norm norm : {QkNorm::Norm::rms, QkNorm::Norm::layer, QkNorm::Norm::l2}) {
    for (const std::optional<double> eps : {std::optional<double>(), std::optional<double>(0.0)}) {
      AttentionConfig config = make_config({.norm = norm, .eps = eps}, "none");
      config.mask = Mask::none;
      config.outputs = {.weights = true, .scores = true};
      ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
      for (int j = 0; j < 4; ++j) EXPECT_EQ(matrix(actual.scores).row(0)[j], 0.0f);
      if (!eps) continue;
      Tensor scaled_q = in.q;
      for (float& x : scaled_q.data) x *= 1024;
      ASSERT_OK_AND_ASSIGN(const AttentionResult scaled_result,
                           attention(scaled_q, in.k, in.v, config));
      EXPECT_LT(largest_error(scaled_result.weights.data, actual.weights.data), 1e-6);
    }
  }
  // With |q| = |k| = 1 a score is at most the scale.
  AttentionConfig config = make_config({.norm = QkNorm::Norm::l2}, "rope");
  config.scale = 10;
  config.outputs.scores = true;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(in.q, in.k, in.v, config));
  for (const float s : actual.scores.data) EXPECT_LE(s, 10.00001f);
}

TEST(QkNorm, UniformWeightsCommuteWithRotations) {
  const Inputs in = inputs(kSizes);
  const auto output = [&](QkNorm::Order order, std::vector<float> weight) {
    const QkNorm norm{.order = order,
                      .q_weight = Tensor({6}, weight),
                      .k_weight = Tensor({6}, std::move(weight))};
    return value_of(attention(in.q, in.k, in.v, make_config(norm, "rope"))).output.data;
  };
  const std::vector<float> uniform_weights(6, 1.5f), varied_weights = {1, 2, 3, -1, 0.5f, 4};
  EXPECT_LT(largest_error(output(QkNorm::Order::before_encoding, uniform_weights),
                          output(QkNorm::Order::after_encoding, uniform_weights)),
            2e-6);
  EXPECT_GT(largest_error(output(QkNorm::Order::before_encoding, varied_weights),
                          output(QkNorm::Order::after_encoding, varied_weights)),
            1e-2);
}

TEST(QkNorm, AppliesInCachesAndLayers) {
  const Inputs in = inputs(kText);
  for (const QkNorm& norm : list_norms(kText)) {
    AttentionConfig config = make_config(norm, "rope");
    ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(in.q, in.k, in.v, config));
    CacheConfig cache_config = test::make_cache_config(config.encoding, kText);
    cache_config.scale = config.scale;
    cache_config.options = config.options;
    const std::unique_ptr<KeyValueCache> cache = create_cache(cache_config);
    for (int first = 0; first < 70; first += 10) {
      ASSERT_OK_AND_ASSIGN(const AttentionResult actual, decode(*cache, in, first, 10));
      EXPECT_LT(largest_error(actual.output.data, slice_tokens(expected.output, first, 10).data),
                2e-6);
    }
  }
  const Tensor x = dyadic(56, {12, 8}), d_output = dyadic(57, {12, 8});
  SelfAttentionConfig config{.heads = 2, .encoding = {.id = "rope"}};
  config.options.qk_norm = QkNorm{.q_weight = dyadic(58, {4})};
  ASSERT_OK_AND_ASSIGN(const SelfAttentionGradients actual,
                       self_attention_backward(x, d_output, config));
  EXPECT_FALSE(all_zero(actual.options.q_weight));
  EXPECT_EQ(actual.options.q_weight.shape, std::vector<int>{4});
}

TEST(QkNorm, IsIncludedInExplanations) {
  const Inputs in = inputs({2, 2, 6, 6, 4, 4});
  const AttentionConfig config = make_config({.q_weight = dyadic(59, {4})}, "rope");
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation explanation,
                       explain_softmax(in.q, in.k, config, 1, 3));
  EXPECT_LT(explanation.max_abs_diff, 1e-6);
}

TEST(QkNorm, RejectsInvalidWeightsAndEpsilon) {
  const Inputs in = inputs({4, 2, 3, 3, 4, 4});
  const auto get_error_message = [&](const QkNorm& norm) {
    const Status status = attention(in.q, in.k, in.v, make_config(norm, "none")).status();
    EXPECT_EQ(status.code(), StatusCode::invalid_argument);
    return status.message();
  };
  EXPECT_EQ(get_error_message({.q_weight = Tensor({3})}),
            "qk_norm.q_weight: has shape 3 with 3 values; expected one per channel of a head, 4");
  EXPECT_EQ(
      get_error_message({.over = QkNorm::Over::all_heads, .k_weight = Tensor({16})}),
      "qk_norm.k_weight: has shape 16 with 16 values; expected one per channel of all heads, 8");
  EXPECT_EQ(get_error_message({.k_weight = Tensor({4}, {0, 0, NAN, 0})}),
            "qk_norm.k_weight[2]: NaN is not a finite number");
  EXPECT_EQ(get_error_message({.eps = -1}), "qk_norm.eps: -1 is outside 0 to 1");
}

}  // namespace
}  // namespace phasor::test::qk_norm_test
