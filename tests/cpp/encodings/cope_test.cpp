#include <gtest/gtest.h>

#include "gradients.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test {
namespace {

// pos_emb (dim, npos) whose product with a query (1, 0, ...) is the position itself.
Tensor make_embedding(int dim, int npos) {
  Tensor e({dim, npos});
  for (int p = 0; p < npos; ++p) matrix(e).row(0)[p] = static_cast<float>(p);
  return e;
}

AttentionResult run_attention(const Tensor& q, const Tensor& k, AttentionConfig config) {
  config.mask = Mask::causal;
  config.outputs = {.weights = true, .scores = true, .bias = true};
  return value_of(attention(q, k, k, config));
}

// The bias is i - j + 1, which includes the key itself. Hidden keys are not counted.
TEST(Cope, OpenGatesCountTokens) {
  const int n = 6;
  Tensor q({1, n, 2}), k({1, n, 2});
  for (int p = 0; p < n; ++p) {
    matrix(q).row(p)[0] = 1;
    matrix(q).row(p)[1] = 1;
    matrix(k).row(p)[1] = 64;  // sigmoid(64 / sqrt(2)) is 1
  }
  AttentionConfig config;
  config.encoding = {.id = "cope", .params = {{"npos", 9.0}, {"pos_emb", make_embedding(2, 9)}}};
  const AttentionResult result = run_attention(q, k, config);
  for (int i = 0; i < n; ++i) {
    for (int j = 0; j <= i; ++j)
      EXPECT_NEAR(static_cast<double>(matrix(result.bias).row(i)[j]), i - j + 1, 1e-5);
  }
  config.key_mask = {1, 1, 0, 0, 1, 1};
  EXPECT_NEAR(static_cast<double>(matrix(run_attention(q, k, config).bias).row(5)[0]), 4, 1e-5);
  config.key_mask = {};
  config.encoding = {.id = "cope", .params = {{"npos", 4.0}, {"pos_emb", make_embedding(2, 4)}}};
  // counts stop at npos - 1
  EXPECT_NEAR(static_cast<double>(matrix(run_attention(q, k, config).bias).row(5)[0]), 3, 1e-5);
}

// As in relative_bias: inside the fraction q.e is scaled like q.k, outside it is not scaled.
TEST(Cope, InsidePlacementAppliesTheScale) {
  const int n = 3;
  Tensor q({1, n, 2}), k({1, n, 2});
  for (int p = 0; p < n; ++p) {
    matrix(q).row(p)[0] = 1;
    matrix(q).row(p)[1] = 1;
    matrix(k).row(p)[1] = 256;  // gates are open
  }
  for (const std::string placement : {"outside", "inside"}) {
    AttentionConfig config;
    config.scale = 0.25;
    config.encoding = {
        .id = "cope",
        .params = {{"npos", 9.0}, {"pos_emb", make_embedding(2, 9)}, {"placement", placement}}};
    const AttentionResult actual = run_attention(q, k, config);
    for (int i = 0; i < n; ++i) {
      for (int j = 0; j <= i; ++j)
        EXPECT_NEAR(static_cast<double>(matrix(actual.bias).row(i)[j]),
                    (placement == "inside" ? 0.25 : 1) * (i - j + 1), 1e-5);
    }
  }
}

TEST(Cope, MatchesTheFormula) {
  const int n = 7, dim = 4, npos = 5;
  const Tensor q = dyadic(71, {1, n, dim}), k = dyadic(72, {1, n, dim}),
               e = dyadic(73, {dim, npos}), gate_key = dyadic(74, {1, n, dim});
  for (const bool has_own_keys : {false, true}) {
    for (const bool is_inside : {false, true}) {
      AttentionConfig config;
      config.encoding = {.id = "cope",
                         .params = {{"npos", static_cast<double>(npos)},
                                    {"pos_emb", e},
                                    {"placement", std::string(is_inside ? "inside" : "outside")}}};
      if (has_own_keys) config.encoding.params["gate_key"] = gate_key;
      const AttentionResult actual = run_attention(q, k, config);
      const auto compute_product = [&](const Tensor& keys, int i, int j) {
        double s = 0;
        for (int c = 0; c < dim; ++c)
          s += static_cast<double>(matrix(q).row(i)[c]) *
               static_cast<double>(matrix(keys).row(j)[c]);
        return s / std::sqrt(dim);
      };
      for (int i = 0; i < n; ++i) {
        for (int j = 0; j <= i; ++j) {
          double p = 0;
          for (int t = j; t <= i; ++t)
            p += 1 / (1 + std::exp(-compute_product(has_own_keys ? gate_key : k, i, t)));
          p = std::min(p, npos - 1.0);
          const int lower_index = static_cast<int>(p),
                    upper_index = std::min(lower_index + 1, npos - 1);
          double z = 0;
          for (int c = 0; c < dim; ++c) {
            z += static_cast<double>(matrix(q).row(i)[c]) *
                 ((1 - (p - lower_index)) * static_cast<double>(matrix(e).row(c)[lower_index]) +
                  (p - lower_index) * static_cast<double>(matrix(e).row(c)[upper_index]));
          }
          EXPECT_NEAR(static_cast<double>(matrix(actual.scores).row(i)[j]),
                      compute_product(k, i, j) + (is_inside ? z / std::sqrt(dim) : z), 5e-6);
        }
      }
    }
  }
}

TEST(Cope, CopeBiasEqualsTheBiasOfAttention) {
  const int n = 5, dim = 4;
  const Tensor q = dyadic(75, {2, n, dim}), k = dyadic(76, {2, n, dim}), e = dyadic(77, {dim, 6});
  AttentionConfig config;
  config.encoding = {.id = "cope", .params = {{"npos", 6.0}, {"pos_emb", e}}};
  const AttentionResult actual = run_attention(q, k, config);
  AttentionConfig plain_config;
  Tensor logits = run_attention(q, k, plain_config).scores, alone;
  for (float& x : logits.data) x = std::isinf(x) ? -1e30f : x;
  ASSERT_OK_AND_ASSIGN(alone, cope_bias(q, logits, e));
  EXPECT_LT(largest_error(actual.bias.data, alone.data), 2e-6);
}

TEST(Cope, GradientsMatchFiniteDifferences) {
  for (const std::string placement : {"outside", "inside"}) {
    GradientCase c{.config = {.id = "cope", .params = {{"npos", 4.0}, {"placement", placement}}}};
    expect_gradients(c);
    c.key_mask = {1, 0, 1, 1, 1, 0, 1};
    expect_gradients(c);
    c.config.params["gate_key"] = dyadic(78, {2, 7, 6});
    expect_gradients(c);
  }
}

}  // namespace
}  // namespace phasor::test
