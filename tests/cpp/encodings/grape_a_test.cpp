#include <gtest/gtest.h>

#include <cmath>

#include "cache_steps.h"
#include "gradients.h"
#include "numbers.h"
#include "phasor/phasor.h"

namespace phasor::test::grape_a_test {
namespace {

EncodingConfig grape(Params params = {}) { return {.id = "grape_a", .params = std::move(params)}; }

AttentionResult run_attention(const EncodingConfig& encoding, const Tensor& q, const Tensor& k) {
  AttentionConfig config;
  config.encoding = encoding;
  config.mask = Mask::causal;
  config.outputs = {.weights = true, .bias = true};
  return value_of(attention(q, k, k, config));
}

TEST(GrapeA, EqualsAlibiWithSlopeOmegaLn2WithoutContent) {
  const Tensor q = dyadic(21, {4, 6, 4}), k = dyadic(22, {4, 6, 4}), zero({4, 4});
  Tensor slopes({4}, {0.25f, 0.0625f, 0.015625f, 0.00390625f});
  for (float& slope : slopes.data) slope *= static_cast<float>(std::log(2.0));
  const AttentionResult alibi =
      run_attention({.id = "alibi", .params = {{"slopes", slopes}}}, q, k);
  for (const char* gate : {"key", "query", "both"}) {
    EncodingConfig config = grape({{"gate", std::string(gate)}});
    if (gate[0] != 'q') config.params["u"] = zero;
    if (gate[0] != 'k') config.params["r"] = zero;
    if (gate[0] == 'b')
      config.params["omega"] = Tensor({4}, {0.125f, 0.03125f, 0.0078125f, 0.001953125f});
    EXPECT_LT(largest_error(run_attention(config, q, k).weights.data, alibi.weights.data), 1e-6)
        << gate;
  }
}

TEST(GrapeA, AddsTheGatesAndIgnoresKeysOnTheRight) {
  const Tensor q = dyadic(23, {2, 5, 4}), k = dyadic(24, {2, 5, 4}), u = dyadic(25, {2, 4}),
               r = dyadic(26, {2, 4});
  const auto gate_bias = [&](const char* gate) {
    EncodingConfig config = grape({{"gate", std::string(gate)}, {"gate_scale", 0.75}});
    if (gate[0] != 'q') config.params["u"] = u;
    if (gate[0] != 'k') config.params["r"] = r;
    return run_attention(config, q, k).bias.data;
  };
  const std::vector<float> key_bias = gate_bias("key"), query_bias = gate_bias("query"),
                           sum_bias = gate_bias("both");
  for (std::size_t n = 0; n < sum_bias.size(); ++n)
    EXPECT_NEAR(sum_bias[n], key_bias[n] + query_bias[n], 1e-6f);
  for (int i = 0; i < 5; ++i) {
    for (int j = i; j < 5; ++j) EXPECT_EQ(sum_bias[static_cast<std::size_t>(5 * i + j)], 0);
  }
  EXPECT_LT(key_bias[20], 0);
}

TEST(GrapeA, CacheMatchesAttention) {
  const Inputs in = inputs(kText);
  AttentionConfig config;
  config.encoding = grape({{"gate", std::string("both")}});
  config.mask = Mask::causal;
  ASSERT_OK_AND_ASSIGN(const AttentionResult full_result, attention(in.q, in.k, in.v, config));
  const auto cache = create_cache(make_cache_config(config.encoding, kText));
  for (int first = 0; first < kText.keys; first += 35) {
    ASSERT_OK_AND_ASSIGN(const AttentionResult step_result, decode(*cache, in, first, 35));
    EXPECT_LT(
        largest_error(step_result.output.data, slice_tokens(full_result.output, first, 35).data),
        2e-6);
  }
}

TEST(GrapeA, RejectsUnusedAndMisshapenVectors) {
  EXPECT_EQ(create_encoding(grape({{"r", Tensor({1, 4})}}), {.dim = 4}).status().message(),
            "r: has no effect unless queries have a gate");
  EXPECT_EQ(
      create_encoding(grape({{"gate", std::string("query")}, {"u", Tensor({1, 4})}}), {.dim = 4})
          .status()
          .message(),
      "u: has no effect unless keys have a gate");
  EXPECT_EQ(create_encoding(grape({{"omega", Tensor({2})}}), {.dim = 4}).status().message(),
            "omega: has shape 2; expected 1 (heads)");
}

TEST(GrapeA, GradientsMatchFiniteDifferences) {
  for (const char* gate : {"key", "query", "both"}) {
    expect_gradients({.config = grape({{"gate", std::string(gate)}})});
    expect_gradients({.config = grape({{"gate", std::string(gate)}, {"gate_scale", 2.0}})});
  }
}

}  // namespace
}  // namespace phasor::test::grape_a_test
