// Gradients of attention with attn_mask and attn_bias, and of attn_bias itself, against finite
// differences of the formula in double, and in batches.

#include <gtest/gtest.h>

#include <cmath>

#include "attention_inputs.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "reference.h"
#include "results.h"

namespace phasor::test::pair_gradients_test {
namespace {

constexpr Sizes kSizes{2, 1, 4, 5, 4, 3};

// Compares a gradient with central differences of the loss, one element at a time.
void expect_numeric_gradient(const char* name, Tensor& argument, const Tensor& gradient,
                             const std::function<double()>& loss) {
  ASSERT_EQ(argument.shape, gradient.shape) << name;
  constexpr float kStep = 1.0f / 1024;
  double max_gradient = 0;
  for (std::size_t i = 0; i < argument.data.size(); ++i) {
    const float original = argument.data[i];
    if (!std::isfinite(original)) {
      EXPECT_EQ(gradient.data[i], 0) << name;
      continue;
    }
    argument.data[i] = original + kStep;
    const double loss_above = loss();
    argument.data[i] = original - kStep;
    const double loss_below = loss();
    argument.data[i] = original;
    const double expected = (loss_above - loss_below) / (2 * static_cast<double>(kStep));
    EXPECT_NEAR(static_cast<double>(gradient.data[i]), expected, 2e-5) << name << " " << i;
    max_gradient = std::max(max_gradient, std::fabs(expected));
  }
  EXPECT_GT(max_gradient, 0.01) << name;
}

TEST(PairGradients, MatchFiniteDifferences) {
  for (const char* id : {"none", "rope", "alibi", "shaw", "cope", "dape"}) {
    for (const double cap : {0.0, 1.5}) {
      for (const std::vector<int>& shape :
           {std::vector{4, 5}, std::vector{2, 4, 5}, std::vector{2, 1, 5}, std::vector{4, 1}}) {
        SCOPED_TRACE(std::string(id) + " " + std::to_string(cap) + " " +
                     std::to_string(numel(shape)));
        Inputs in = inputs(kSizes);
        if (std::string_view(id) == "dape" || std::string_view(id) == "shaw")
          in = inputs({2, 2, 4, 5, 4, 4});
        AttentionConfig config{.encoding = {.id = id, .params = {}}};
        config.attn_mask = {{2, 4, 5}, std::vector<std::uint8_t>(40, 1)};
        for (std::size_t i = 0; i < 40; i += 3) config.attn_mask.data[i] = 0;
        config.attn_bias = dyadic(911, shape);
        config.attn_bias.data[1] = -INFINITY;
        if (shape.back() == 1) config.attn_bias.data[1] = 0.5f;
        if (cap > 0) {
          config.options.softcap = cap;
          config.options.cap_includes_bias = shape.size() == 3;
        }
        const Tensor d_output = dyadic(912, {2, 4, in.v.shape[2]});
        ASSERT_OK_AND_ASSIGN(
            config.encoding,
            given_learned(config.encoding,
                          {.length = 5, .dim = 4, .heads = 2, .v_head_dim = in.v.shape[2]}));
        const auto loss = [&] {
          const Reference result = reference_attention(in.q, in.k, in.v, config);
          double sum = 0;
          for (std::size_t i = 0; i < result.output.size(); ++i)
            sum += result.output[i] * static_cast<double>(d_output.data[i]);
          return sum;
        };
        ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                             attention_backward(in.q, in.k, in.v, d_output, config));
        if (shape.back() > 1)
          expect_numeric_gradient("attn_bias", config.attn_bias, actual.d_attn_bias, loss);
        // A constant in a whole row changes no weight.
        for (const float x : actual.d_attn_bias.data) {
          if (shape.back() == 1) {
            EXPECT_NEAR(x, 0, 1e-6);
          }
        }
        expect_numeric_gradient("q", in.q, actual.d_q, loss);
        expect_numeric_gradient("k", in.k, actual.d_k, loss);
        expect_numeric_gradient("v", in.v, actual.d_v, loss);
      }
    }
  }
}

TEST(PairGradients, BatchGradientsArePerItemOrSummedIfShared) {
  const Tensor q = dyadic(921, {2, 2, 4, 4}), k = dyadic(922, {2, 2, 5, 4}),
               v = dyadic(923, {2, 2, 5, 3}), d_output = dyadic(924, {2, 2, 4, 3});
  const auto get_item = [](const Tensor& t, std::size_t index) {
    const std::size_t size = t.data.size() / 2;
    const auto begin = t.data.begin() + static_cast<std::ptrdiff_t>(size * index);
    return Tensor({t.shape.begin() + 1, t.shape.end()},
                  {begin, begin + static_cast<std::ptrdiff_t>(size)});
  };
  AttentionConfig item_config{.encoding = {.id = "rope", .params = {}}};
  item_config.attn_mask = {{2, 1, 4, 5}, std::vector<std::uint8_t>(40, 1)};
  for (std::size_t i = 0; i < 40; i += 7) item_config.attn_mask.data[i] = 0;
  AttentionConfig shared_config = item_config;
  item_config.attn_bias = dyadic(925, {2, 1, 4, 5});
  shared_config.attn_bias = dyadic(926, {4, 5});
  for (const bool is_shared : {false, true}) {
    const AttentionConfig& config = is_shared ? shared_config : item_config;
    ASSERT_OK_AND_ASSIGN(const AttentionResult batch_result, attention(q, k, v, config));
    ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients,
                         attention_backward(q, k, v, d_output, config));
    ASSERT_EQ(gradients.d_attn_bias.shape, config.attn_bias.shape);
    std::vector<double> sum(20);
    for (const std::size_t index : {0u, 1u}) {
      AttentionConfig single_config = config;
      single_config.attn_mask.shape = {1, 4, 5};
      single_config.attn_mask.data.assign(
          config.attn_mask.data.begin() + static_cast<std::ptrdiff_t>(20 * index),
          config.attn_mask.data.begin() + static_cast<std::ptrdiff_t>(20 * index + 20));
      if (!is_shared) single_config.attn_bias = get_item(config.attn_bias, index);
      ASSERT_OK_AND_ASSIGN(
          const AttentionResult expected,
          attention(get_item(q, index), get_item(k, index), get_item(v, index), single_config));
      EXPECT_EQ(get_item(batch_result.output, index).data, expected.output.data);
      ASSERT_OK_AND_ASSIGN(
          const AttentionGradients expected_gradients,
          attention_backward(get_item(q, index), get_item(k, index), get_item(v, index),
                             get_item(d_output, index), single_config));
      EXPECT_EQ(get_item(gradients.d_q, index).data, expected_gradients.d_q.data);
      if (!is_shared) {
        EXPECT_EQ(get_item(gradients.d_attn_bias, index).data, expected_gradients.d_attn_bias.data);
      }
      for (std::size_t i = 0; i < 20; ++i)
        sum[i] += static_cast<double>(expected_gradients.d_attn_bias.data[i]);
    }
    if (is_shared) {
      EXPECT_LT(largest_error(gradients.d_attn_bias.data, sum), 1e-6);
    }
  }
}

TEST(PairGradients, AreTheSameWithSavedStatistics) {
  const Inputs in = inputs(kSizes);
  const Tensor d_output = dyadic(931, {2, 4, 3});
  AttentionConfig config;
  config.attn_bias = dyadic(932, {2, 4, 5});
  config.outputs = {.softmax_stats = true};
  ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<Encoding> encoding,
      create_encoding({.id = "none", .params = {}},
                      {.length = 5, .dim = 4, .heads = 2, .v_head_dim = 3, .kv_heads = 1}));
  ASSERT_OK_AND_ASSIGN(const AttentionResult forward,
                       attention(in.q, in.k, in.v, *encoding, config));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                       attention_backward(in.q, in.k, in.v, d_output, *encoding, config, &forward));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients expected,
                       attention_backward(in.q, in.k, in.v, d_output, config));
  EXPECT_EQ(actual.d_attn_bias.data, expected.d_attn_bias.data);
  for (float& x : config.attn_bias.data) x = -x;
  EXPECT_EQ(attention_backward(in.q, in.k, in.v, d_output, *encoding, config, &forward)
                .status()
                .message(),
            "forward: row sums differ from those of this call; expected the result of attention "
            "with the same arguments");
}

}  // namespace
}  // namespace phasor::test::pair_gradients_test
