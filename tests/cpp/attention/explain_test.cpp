// Step-by-step explanations of scores: the last step equals the value that attention uses.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include "numbers.h"
#include "phasor/phasor.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::explain_test {
namespace {

constexpr int kHeads = 2, kTokens = 9, kHeadDim = 8;
const Tensor q = dyadic(501, {kHeads, kTokens, kHeadDim}),
             k = dyadic(502, {kHeads, kTokens, kHeadDim});

AttentionConfig make_config(const EncodingConfig& encoding) {
  AttentionConfig config;
  config.encoding = encoding;
  return config;
}

double get_step(const BiasExplanation& explanation, std::string_view name) {
  const auto it = std::find_if(explanation.steps.begin(), explanation.steps.end(),
                               [&](const Step& s) { return s.name == name; });
  EXPECT_NE(it, explanation.steps.end()) << name;
  return it == explanation.steps.end() ? std::nan("") : it->value;
}

TEST(SoftmaxExplanation, MatchesAttentionWeightsForEveryEncoding) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    AttentionConfig config = make_config(variant.config);
    config.mask = Mask::causal;
    for (const int head : {0, 1}) {
      ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation softmax,
                           explain_softmax(q, k, config, head, 5));
      EXPECT_LT(softmax.max_abs_diff, 2e-6);
      config.outputs = {.weights = true};
      ASSERT_OK_AND_ASSIGN(const AttentionResult result, attention(q, k, k, config));
      config.outputs = {};
      double sum = 0;
      for (int j = 0; j < kTokens; ++j) {
        const std::size_t index = static_cast<std::size_t>(j);
        EXPECT_NEAR(softmax.weight.data[index], matrix(result.weights, head).row(5)[j], 2e-6);
        EXPECT_EQ(softmax.weight.data[index] == 0, j > 5);
        EXPECT_EQ(softmax.score.data[index],
                  j > 5 ? -std::numeric_limits<float>::infinity() : softmax.score.data[index]);
        if (j <= 5) {
          EXPECT_NEAR(softmax.score.data[index],
                      softmax.scaled.data[index] + softmax.bias.data[index], 1e-5);
        }
        EXPECT_NEAR(softmax.scaled.data[index],
                    static_cast<float>(softmax.scale) * softmax.product.data[index], 1e-5);
        EXPECT_NEAR(softmax.weight.data[index],
                    static_cast<double>(softmax.exponential.data[index]) / softmax.row_sum, 1e-6);
        sum += static_cast<double>(softmax.exponential.data[index]);
      }
      EXPECT_NEAR(sum, softmax.row_sum, 1e-5);
      EXPECT_EQ(*std::max_element(softmax.score.data.begin(), softmax.score.data.end()),
                static_cast<float>(softmax.row_max));
      ++compared;
    }
  }
  EXPECT_GT(compared, 40);
}

TEST(SoftmaxExplanation, UsesRotatedVectors) {
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation plain,
                       explain_softmax(q, k, make_config({}), 1, 3));
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation rotated,
                       explain_softmax(q, k, make_config({.id = "rope"}), 1, 3));
  double expected = 0;
  for (int c = 0; c < kHeadDim; ++c)
    expected +=
        static_cast<double>(matrix(q, 1).row(3)[c]) * static_cast<double>(matrix(k, 1).row(4)[c]);
  EXPECT_EQ(plain.product.data[4], static_cast<float>(expected));
  EXPECT_EQ(plain.scale, 1 / std::sqrt(8.0));
  EXPECT_NE(rotated.product.data[4], plain.product.data[4]);
  EXPECT_NEAR(rotated.product.data[3], plain.product.data[3], 1e-5);  // the same position
}

TEST(SoftmaxExplanation, UsesTheSharedKeysOfGroupedHeads) {
  const Tensor shared_keys = dyadic(503, {1, kTokens, kHeadDim});
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation softmax,
                       explain_softmax(q, shared_keys, make_config({.id = "alibi"}), 1, 8));
  EXPECT_LT(softmax.max_abs_diff, 2e-6);
  double expected = 0;
  for (int c = 0; c < kHeadDim; ++c)
    expected += static_cast<double>(matrix(q, 1).row(8)[c]) *
                static_cast<double>(matrix(shared_keys, 0).row(2)[c]);
  EXPECT_EQ(softmax.product.data[2], static_cast<float>(expected));
}

TEST(SoftmaxExplanation, HasZeroWeightsForARowWithoutKeys) {
  AttentionConfig config = make_config({});
  config.key_mask.assign(kTokens, 0);
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation softmax, explain_softmax(q, k, config, 0, 0));
  EXPECT_EQ(softmax.row_sum, 0);
  EXPECT_EQ(softmax.row_max, -std::numeric_limits<double>::infinity());
  for (const float weight : softmax.weight.data) EXPECT_EQ(weight, 0);
}

TEST(BiasExplanation, LastStepMatchesTheBiasOfAttention) {
  std::vector<std::string> ids;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    for (const auto& [query, key] : {std::pair{6, 1}, {2, 2}, {0, 8}}) {
      const auto explanation = explain_bias(q, k, make_config(variant.config), 1, query, key);
      if (!explanation.ok()) {
        EXPECT_EQ(explanation.status().message(),
                  "encoding: " + variant.config.id + " has no step-by-step explanation");
        continue;
      }
      ids.push_back(variant.config.id);
      EXPECT_EQ(explanation->steps.front().name, "distance");
      EXPECT_EQ(explanation->steps.front().value, key - query);
      EXPECT_EQ(explanation->steps.back().name, "bias");
      EXPECT_NEAR(explanation->bias, explanation->steps.back().value,
                  2e-6 * (1 + std::fabs(explanation->bias)));
      EXPECT_EQ(explanation->max_abs_diff,
                std::fabs(explanation->bias - explanation->steps.back().value));
      AttentionConfig config = make_config(variant.config);
      config.outputs = {.bias = true};
      ASSERT_OK_AND_ASSIGN(const AttentionResult result, attention(q, k, k, config));
      EXPECT_EQ(explanation->bias, static_cast<double>(matrix(result.bias, 1).row(query)[key]));
    }
  }
  ids.erase(std::unique(ids.begin(), ids.end()), ids.end());
  EXPECT_EQ(ids, (std::vector<std::string>{"alibi", "deberta", "fire", "kerple", "relative_bias",
                                           "shaw", "t5"}));
}

TEST(BiasExplanation, StepsMatchTheFunctionsOfTheEncodings) {
  ASSERT_OK_AND_ASSIGN(
      const BiasExplanation t5,
      explain_bias(
          q, k, make_config({.id = "t5", .params = {{"num_buckets", 4.0}, {"max_distance", 6.0}}}),
          0, 8, 1));
  const std::vector<int> distance = {-7};
  ASSERT_OK_AND_ASSIGN(const std::vector<int> bucket, t5_bucket(distance, 4, 6, true));
  EXPECT_EQ(get_step(t5, "bucket"), bucket[0]);
  EXPECT_EQ(get_step(t5, "entry"), get_step(t5, "bias"));

  ASSERT_OK_AND_ASSIGN(const BiasExplanation alibi,
                       explain_bias(q, k, make_config({.id = "alibi"}), 1, 8, 1));
  EXPECT_EQ(get_step(alibi, "slope"), value_of(alibi_slopes(kHeads))[1]);
  EXPECT_EQ(get_step(alibi, "bias"), -7 * value_of(alibi_slopes(kHeads))[1]);

  ASSERT_OK_AND_ASSIGN(
      const BiasExplanation shaw,
      explain_bias(q, k, make_config({.id = "shaw", .params = {{"clip", 3.0}}}), 0, 8, 1));
  EXPECT_EQ(get_step(shaw, "clipped distance"), -3);
  EXPECT_EQ(get_step(shaw, "row"), value_of(shaw_index(-7, 3)));

  ASSERT_OK_AND_ASSIGN(const BiasExplanation fire,
                       explain_bias(q, k, make_config({.id = "fire"}), 0, 8, 1));
  EXPECT_EQ(get_step(fire, "input"),
            get_step(fire, "phi of distance") / get_step(fire, "phi of position"));
}

TEST(Explanations, RejectInvalidArguments) {
  const AttentionConfig alibi = make_config({.id = "alibi"});
  const auto get_error = [&](int head, int query, int key) {
    return explain_bias(q, k, alibi, head, query, key).status().message();
  };
  EXPECT_EQ(get_error(2, 0, 0), "head: 2 is outside 0 to 1");
  EXPECT_EQ(get_error(0, -1, 0), "query: -1 is outside 0 to 8");
  EXPECT_EQ(get_error(0, 0, 9), "key: 9 is outside 0 to 8");
  EXPECT_EQ(explain_softmax(q, k, alibi, 0, 9).status().message(), "query: 9 is outside 0 to 8");
  EXPECT_EQ(
      explain_softmax(Tensor({1, kHeads, kTokens, kHeadDim}), k, alibi, 0, 0).status().message(),
      "q: has shape 1 x 2 x 9 x 8; expected heads x tokens x dim");
  EXPECT_EQ(explain_softmax(q, k, make_config({.id = "sinusoidal"}), 0, 0).status().message(),
            "encoding: sinusoidal is added to the embeddings before attention; use self_attention, "
            "or add "
            "its table yourself");
}

// Explanations hold float32 values. A step beyond float32 is rejected, although attention itself
// succeeds, because it computes such scores in double.
TEST(SoftmaxExplanation, RejectsValuesBeyondFloat32) {
  const auto message = [](float q_value, std::vector<float> keys, double scale,
                          std::vector<std::uint8_t> key_mask = {}) {
    AttentionConfig config;
    config.scale = scale;
    config.key_mask = std::move(key_mask);
    const Tensor x({1, 1, 1}, {q_value}), all_keys({1, static_cast<int>(keys.size()), 1}, keys);
    EXPECT_TRUE(attention(x, all_keys, all_keys, config).ok());
    return explain_softmax(x, all_keys, config, 0, 0).status().message();
  };
  const std::string suffix = " exceeds the float32 maximum, 3.40282e+38";
  EXPECT_EQ(message(1e30f, {1e30f, 0}, 1e-60), "q: a product q.k" + suffix);
  // Products are computed for hidden keys too.
  EXPECT_EQ(message(1e30f, {0, 1e30f}, 1e-60, {1, 0}), "q: a product q.k" + suffix);
  EXPECT_EQ(message(1e19f, {0, 1e19f}, 10, {1, 0}), "q: scale * q.k" + suffix);
  EXPECT_EQ(message(1e19f, {1e19f, 0}, 1), "");
  AttentionConfig bias_config = make_config(
      {.id = "relative_bias", .params = {{"max_length", 1.0}, {"b", Tensor({1}, {2e38f})}}});
  bias_config.scale = 1;
  const Tensor x({1, 1, 1}, {1.5e19f});
  EXPECT_EQ(explain_softmax(x, x, bias_config, 0, 0).status().message(), "q: a score" + suffix);
}

TEST(BiasExplanation, RejectsValuesBeyondFloat32) {
  const Tensor x({1, 1, 1}, {1e25f});
  AttentionConfig config =
      make_config({.id = "shaw",
                   .params = {{"clip", 1.0}, {"table_k", Tensor({3, 1}, {1e20f, 1e20f, 1e20f})}}});
  config.scale = 1e-20;  // the scaled term is finite, but the step q.a before it overflows
  EXPECT_EQ(explain_bias(x, x, config, 0, 0, 0).status().message(),
            "encoding: the contribution of shaw to the scores exceeds the float32 maximum, "
            "3.40282e+38");
}

TEST(Sinusoids, RejectsValuesBeyondFloat32) {
  const EncodingConfig fourier_config{
      .id = "fourier",
      .params = {{"frequency_matrix", Tensor({1, 1}, {3e38f})}, {"sigma", 1000.0}}};
  EXPECT_EQ(sinusoids(fourier_config, 2).status().message(),
            "encoding: a frequency of fourier exceeds the float32 maximum, 3.40282e+38");
}

TEST(Sinusoids, MatchTheChannelsOfTheTable) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection != Injection::input) continue;
    SCOPED_TRACE(variant.name);
    const int head_dim = 16;
    const auto components = sinusoids(variant.config, head_dim);
    if (!components.ok()) continue;
    const std::vector<double> positions = {0, 1, 2.5, 40};
    ASSERT_OK_AND_ASSIGN(const Tensor table, position_table(variant.config, positions, head_dim));
    for (const Sinusoid& component : *components) {
      if (component.sine < 0 || component.cosine < 0) continue;
      const double amplitude = static_cast<double>(matrix(table).row(0)[component.cosine]);
      for (int p = 1; p < 4; ++p) {
        const double angle = component.frequency * positions[static_cast<std::size_t>(p)];
        EXPECT_NEAR(matrix(table).row(p)[component.sine], amplitude * std::sin(angle), 1e-6);
        EXPECT_NEAR(matrix(table).row(p)[component.cosine], amplitude * std::cos(angle), 1e-6);
      }
      ++compared;
    }
  }
  EXPECT_GT(compared, 40);
  EXPECT_EQ(sinusoids({.id = "learned"}, 8).status().message(),
            "encoding: the table of learned is not sinusoidal");
  EXPECT_EQ(sinusoids({.id = "alibi"}, 8).status().message(),
            "encoding: alibi has no table; its injection is score, so call attention_bias");
}

}  // namespace
}  // namespace phasor::test::explain_test
