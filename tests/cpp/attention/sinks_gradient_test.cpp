// Gradients of sinks, also if the items of a batch share them.

#include <gtest/gtest.h>

#include "attention_inputs.h"
#include "loss_slopes.h"
#include "phasor/phasor.h"
#include "reference.h"
#include "results.h"
#include "sinks_config.h"

namespace phasor::test::sinks_test {
namespace {

TEST(Sinks, GradientsMatchFiniteDifferences) {
  Inputs in = inputs({4, 2, 9, 12, 8, 5});
  const Tensor d_output = dyadic(91, {4, 9, 5});
  AttentionConfig config = config_of({0.5f, -2, 0, 1.5f}, "rope");
  config.window = 5;
  config.key_mask = {0, 0, 0, 0, 0, 0, 0, 0, 1, 1, 1, 1};  // the first rows see no key
  ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                       attention_backward(in.q, in.k, in.v, d_output, config));
  const auto loss = [&] {
    return inner(value_of(formula(in.q, in.k, in.v, config)).output, d_output);
  };
  expect_gradient("q", in.q, actual.d_q, kExact, 8, loss);
  expect_gradient("k", in.k, actual.d_k, kExact, 8, loss);
  expect_gradient("v", in.v, actual.d_v, kExact, 8, loss);
  expect_gradient("sinks", config.options.sinks, actual.options.sinks, kExact, 8, loss);
}

TEST(Sinks, BackwardUsesTheForwardResult) {
  const Inputs in = inputs(kSizes);
  const Tensor d_output = dyadic(92, {4, 300, 5});
  AttentionConfig config = config_of({0.5f, -2, kNone, 9}, "none");
  ASSERT_OK_AND_ASSIGN(
      const std::unique_ptr<Encoding> encoding,
      create_encoding(config.encoding,
                      {.length = 300, .dim = 8, .heads = 4, .v_head_dim = 5, .kv_heads = 2}));
  config.encoding = {};
  ASSERT_OK_AND_ASSIGN(const AttentionResult forward,
                       attention(in.q, in.k, in.v, *encoding, config));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients expected,
                       attention_backward(in.q, in.k, in.v, d_output, *encoding, config));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                       attention_backward(in.q, in.k, in.v, d_output, *encoding, config, &forward));
  EXPECT_LT(largest_error(actual.d_q.data, expected.d_q.data), 2e-6);
  EXPECT_LT(largest_error(actual.options.sinks.data, expected.options.sinks.data), 2e-6);
  EXPECT_EQ(actual.options.sinks.data[2], 0.0f);
  config.options.sinks.data[0] = 4;
  EXPECT_EQ(attention_backward(in.q, in.k, in.v, d_output, *encoding, config, &forward)
                .status()
                .message(),
            "forward: row sums differ from those of this call; expected the result of attention "
            "with the same arguments");
}

TEST(Sinks, BatchesShareSinksAndSumTheirGradients) {
  const Inputs first_inputs = inputs({2, 1, 7, 7, 4, 4}),
               second_inputs = {dyadic(5, {2, 7, 4}), first_inputs.k, first_inputs.v};
  const auto stack_items = [](const Tensor& first_gradients, const Tensor& second_gradients) {
    Tensor out(prepend_dim(2, first_gradients.shape));
    std::copy(
        second_gradients.data.begin(), second_gradients.data.end(),
        std::copy(first_gradients.data.begin(), first_gradients.data.end(), out.data.begin()));
    return out;
  };
  const Tensor d_output = dyadic(93, {2, 7, 4});
  const AttentionConfig config = config_of({0.5f, 1});
  ASSERT_OK_AND_ASSIGN(const AttentionResult first_result,
                       attention(first_inputs.q, first_inputs.k, first_inputs.v, config));
  ASSERT_OK_AND_ASSIGN(const AttentionResult batch,
                       attention(stack_items(first_inputs.q, second_inputs.q),
                                 stack_items(first_inputs.k, second_inputs.k),
                                 stack_items(first_inputs.v, second_inputs.v), config));
  EXPECT_EQ(batch.sink_weights.shape, (std::vector<int>{2, 2, 7}));
  EXPECT_TRUE(std::equal(first_result.sink_weights.data.begin(),
                         first_result.sink_weights.data.end(), batch.sink_weights.data.begin()));
  ASSERT_OK_AND_ASSIGN(
      const AttentionGradients first_gradients,
      attention_backward(first_inputs.q, first_inputs.k, first_inputs.v, d_output, config));
  ASSERT_OK_AND_ASSIGN(
      const AttentionGradients second_gradients,
      attention_backward(second_inputs.q, second_inputs.k, second_inputs.v, d_output, config));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients batch_gradients,
                       attention_backward(stack_items(first_inputs.q, second_inputs.q),
                                          stack_items(first_inputs.k, second_inputs.k),
                                          stack_items(first_inputs.v, second_inputs.v),
                                          stack_items(d_output, d_output), config));
  ASSERT_EQ(batch_gradients.options.sinks.shape, std::vector<int>{2});
  for (std::size_t h = 0; h < 2; ++h)
    EXPECT_EQ(batch_gradients.options.sinks.data[h],
              first_gradients.options.sinks.data[h] + second_gradients.options.sinks.data[h]);
}

}  // namespace
}  // namespace phasor::test::sinks_test
