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

AttentionConfig config_of(const EncodingConfig& encoding) {
  AttentionConfig config;
  config.encoding = encoding;
  return config;
}

double step(const BiasExplanation& found, std::string_view name) {
  const auto at = std::find_if(found.steps.begin(), found.steps.end(),
                               [&](const Step& one) { return one.name == name; });
  EXPECT_NE(at, found.steps.end()) << name;
  return at == found.steps.end() ? std::nan("") : at->value;
}

TEST(SoftmaxExplanation, MatchesAttentionWeightsForEveryEncoding) {
  int tried = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    AttentionConfig config = config_of(variant.config);
    config.mask = Mask::causal;
    for (const int head : {0, 1}) {
      ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation chain, explain_softmax(q, k, config, head, 5));
      EXPECT_LT(chain.max_abs_diff, 2e-6);
      config.outputs = {.weights = true};
      ASSERT_OK_AND_ASSIGN(const AttentionResult whole, attention(q, k, k, config));
      config.outputs = {};
      double sum = 0;
      for (int j = 0; j < kTokens; ++j) {
        const std::size_t at = static_cast<std::size_t>(j);
        EXPECT_NEAR(chain.weight.data[at], matrix(whole.weights, head).row(5)[j], 2e-6);
        EXPECT_EQ(chain.weight.data[at] == 0, j > 5);
        EXPECT_EQ(chain.score.data[at],
                  j > 5 ? -std::numeric_limits<float>::infinity() : chain.score.data[at]);
        if (j <= 5) {
          EXPECT_NEAR(chain.score.data[at], chain.scaled.data[at] + chain.bias.data[at], 1e-5);
        }
        EXPECT_NEAR(chain.scaled.data[at], static_cast<float>(chain.scale) * chain.product.data[at],
                    1e-5);
        EXPECT_NEAR(chain.weight.data[at],
                    static_cast<double>(chain.exponential.data[at]) / chain.row_sum, 1e-6);
        sum += static_cast<double>(chain.exponential.data[at]);
      }
      EXPECT_NEAR(sum, chain.row_sum, 1e-5);
      EXPECT_EQ(*std::max_element(chain.score.data.begin(), chain.score.data.end()),
                static_cast<float>(chain.row_max));
      ++tried;
    }
  }
  EXPECT_GT(tried, 40);
}

TEST(SoftmaxExplanation, UsesRotatedVectors) {
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation plain, explain_softmax(q, k, config_of({}), 1, 3));
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation rotated,
                       explain_softmax(q, k, config_of({.id = "rope"}), 1, 3));
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
  const Tensor shared = dyadic(503, {1, kTokens, kHeadDim});
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation chain,
                       explain_softmax(q, shared, config_of({.id = "alibi"}), 1, 8));
  EXPECT_LT(chain.max_abs_diff, 2e-6);
  double expected = 0;
  for (int c = 0; c < kHeadDim; ++c)
    expected += static_cast<double>(matrix(q, 1).row(8)[c]) *
                static_cast<double>(matrix(shared, 0).row(2)[c]);
  EXPECT_EQ(chain.product.data[2], static_cast<float>(expected));
}

TEST(SoftmaxExplanation, HasZeroWeightsForARowWithoutKeys) {
  AttentionConfig config = config_of({});
  config.key_mask.assign(kTokens, 0);
  ASSERT_OK_AND_ASSIGN(const SoftmaxExplanation chain, explain_softmax(q, k, config, 0, 0));
  EXPECT_EQ(chain.row_sum, 0);
  EXPECT_EQ(chain.row_max, -std::numeric_limits<double>::infinity());
  for (const float weight : chain.weight.data) EXPECT_EQ(weight, 0);
}

TEST(BiasExplanation, LastStepMatchesTheBiasOfAttention) {
  std::vector<std::string> stepped;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    SCOPED_TRACE(variant.name);
    for (const auto& [query, key] : {std::pair{6, 1}, {2, 2}, {0, 8}}) {
      const auto found = explain_bias(q, k, config_of(variant.config), 1, query, key);
      if (!found.ok()) {
        EXPECT_EQ(found.status().message(),
                  "encoding: " + variant.config.id + " has no step-by-step explanation");
        continue;
      }
      stepped.push_back(variant.config.id);
      EXPECT_EQ(found->steps.front().name, "distance");
      EXPECT_EQ(found->steps.front().value, key - query);
      EXPECT_EQ(found->steps.back().name, "bias");
      EXPECT_NEAR(found->bias, found->steps.back().value, 2e-6 * (1 + std::fabs(found->bias)));
      EXPECT_EQ(found->max_abs_diff, std::fabs(found->bias - found->steps.back().value));
      AttentionConfig config = config_of(variant.config);
      config.outputs = {.bias = true};
      ASSERT_OK_AND_ASSIGN(const AttentionResult whole, attention(q, k, k, config));
      EXPECT_EQ(found->bias, static_cast<double>(matrix(whole.bias, 1).row(query)[key]));
    }
  }
  stepped.erase(std::unique(stepped.begin(), stepped.end()), stepped.end());
  EXPECT_EQ(stepped, (std::vector<std::string>{"alibi", "deberta", "fire", "kerple",
                                               "relative_bias", "shaw", "t5"}));
}

TEST(BiasExplanation, StepsMatchTheFunctionsOfTheEncodings) {
  ASSERT_OK_AND_ASSIGN(
      const BiasExplanation t5,
      explain_bias(q, k,
                   config_of({.id = "t5", .params = {{"num_buckets", 4.0}, {"max_distance", 6.0}}}),
                   0, 8, 1));
  const std::vector<int> distance = {-7};
  ASSERT_OK_AND_ASSIGN(const std::vector<int> bucket, t5_bucket(distance, 4, 6, true));
  EXPECT_EQ(step(t5, "bucket"), bucket[0]);
  EXPECT_EQ(step(t5, "entry"), step(t5, "bias"));

  ASSERT_OK_AND_ASSIGN(const BiasExplanation alibi,
                       explain_bias(q, k, config_of({.id = "alibi"}), 1, 8, 1));
  EXPECT_EQ(step(alibi, "slope"), value_of(alibi_slopes(kHeads))[1]);
  EXPECT_EQ(step(alibi, "bias"), -7 * value_of(alibi_slopes(kHeads))[1]);

  ASSERT_OK_AND_ASSIGN(
      const BiasExplanation shaw,
      explain_bias(q, k, config_of({.id = "shaw", .params = {{"clip", 3.0}}}), 0, 8, 1));
  EXPECT_EQ(step(shaw, "clipped distance"), -3);
  EXPECT_EQ(step(shaw, "row"), value_of(shaw_index(-7, 3)));

  ASSERT_OK_AND_ASSIGN(const BiasExplanation fire,
                       explain_bias(q, k, config_of({.id = "fire"}), 0, 8, 1));
  EXPECT_EQ(step(fire, "input"), step(fire, "phi of distance") / step(fire, "phi of position"));
}

TEST(Explanations, RejectInvalidArguments) {
  const AttentionConfig alibi = config_of({.id = "alibi"});
  const auto bias = [&](int head, int query, int key) {
    return explain_bias(q, k, alibi, head, query, key).status().message();
  };
  EXPECT_EQ(bias(2, 0, 0), "head: 2 is outside 0 to 1");
  EXPECT_EQ(bias(0, -1, 0), "query: -1 is outside 0 to 8");
  EXPECT_EQ(bias(0, 0, 9), "key: 9 is outside 0 to 8");
  EXPECT_EQ(explain_softmax(q, k, alibi, 0, 9).status().message(), "query: 9 is outside 0 to 8");
  EXPECT_EQ(
      explain_softmax(Tensor({1, kHeads, kTokens, kHeadDim}), k, alibi, 0, 0).status().message(),
      "q: has shape 1 x 2 x 9 x 8; expected heads x tokens x dim");
  EXPECT_EQ(explain_softmax(q, k, config_of({.id = "sinusoidal"}), 0, 0).status().message(),
            "encoding: sinusoidal is added to the embeddings before attention; use self_attention, "
            "or add "
            "its table yourself");
}

// Explanations hold float32 values. A step beyond float32 is rejected, although attention itself
// succeeds, because it computes such scores in double.
TEST(SoftmaxExplanation, RejectsValuesBeyondFloat32) {
  const auto message = [](float q_number, std::vector<float> keys, double scale,
                          std::vector<std::uint8_t> key_mask = {}) {
    AttentionConfig config;
    config.scale = scale;
    config.key_mask = std::move(key_mask);
    const Tensor row({1, 1, 1}, {q_number}), all({1, static_cast<int>(keys.size()), 1}, keys);
    EXPECT_TRUE(attention(row, all, all, config).ok());
    return explain_softmax(row, all, config, 0, 0).status().message();
  };
  const std::string end = " exceeds the float32 maximum, 3.40282e+38";
  EXPECT_EQ(message(1e30f, {1e30f, 0}, 1e-60), "q: a product q.k" + end);
  // Products are computed for hidden keys too.
  EXPECT_EQ(message(1e30f, {0, 1e30f}, 1e-60, {1, 0}), "q: a product q.k" + end);
  EXPECT_EQ(message(1e19f, {0, 1e19f}, 10, {1, 0}), "q: scale * q.k" + end);
  EXPECT_EQ(message(1e19f, {1e19f, 0}, 1), "");
  AttentionConfig biased = config_of(
      {.id = "relative_bias", .params = {{"max_length", 1.0}, {"b", Tensor({1}, {2e38f})}}});
  biased.scale = 1;
  const Tensor row({1, 1, 1}, {1.5e19f});
  EXPECT_EQ(explain_softmax(row, row, biased, 0, 0).status().message(), "q: a score" + end);
}

TEST(BiasExplanation, RejectsValuesBeyondFloat32) {
  const Tensor row({1, 1, 1}, {1e25f});
  AttentionConfig config =
      config_of({.id = "shaw",
                 .params = {{"clip", 1.0}, {"table_k", Tensor({3, 1}, {1e20f, 1e20f, 1e20f})}}});
  config.scale = 1e-20;  // the scaled term is finite, but the step q.a before it overflows
  EXPECT_EQ(explain_bias(row, row, config, 0, 0, 0).status().message(),
            "encoding: the contribution of shaw to the scores exceeds the float32 maximum, "
            "3.40282e+38");
}

TEST(Sinusoids, RejectsValuesBeyondFloat32) {
  const EncodingConfig steep{
      .id = "fourier",
      .params = {{"frequency_matrix", Tensor({1, 1}, {3e38f})}, {"sigma", 1000.0}}};
  EXPECT_EQ(sinusoids(steep, 2).status().message(),
            "encoding: a frequency of fourier exceeds the float32 maximum, 3.40282e+38");
}

TEST(Sinusoids, MatchTheChannelsOfTheTable) {
  int tables = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection != Injection::input) continue;
    SCOPED_TRACE(variant.name);
    const int head_dim = 16;
    const auto waves = sinusoids(variant.config, head_dim);
    if (!waves.ok()) continue;
    const std::vector<double> positions = {0, 1, 2.5, 40};
    ASSERT_OK_AND_ASSIGN(const Tensor rows, position_table(variant.config, positions, head_dim));
    for (const Sinusoid& wave : *waves) {
      if (wave.sine < 0 || wave.cosine < 0) continue;
      const double amplitude = static_cast<double>(matrix(rows).row(0)[wave.cosine]);
      for (int p = 1; p < 4; ++p) {
        const double angle = wave.frequency * positions[static_cast<std::size_t>(p)];
        EXPECT_NEAR(matrix(rows).row(p)[wave.sine], amplitude * std::sin(angle), 1e-6);
        EXPECT_NEAR(matrix(rows).row(p)[wave.cosine], amplitude * std::cos(angle), 1e-6);
      }
      ++tables;
    }
  }
  EXPECT_GT(tables, 40);
  EXPECT_EQ(sinusoids({.id = "learned"}, 8).status().message(),
            "encoding: the table of learned is not sinusoidal");
  EXPECT_EQ(sinusoids({.id = "alibi"}, 8).status().message(),
            "encoding: alibi has no table; its injection is score, so call attention_bias");
}

}  // namespace
}  // namespace phasor::test::explain_test
