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
  ASSERT_OK_AND_ASSIGN(const AttentionGradients got,
                       attention_backward(in.q, in.k, in.v, d_output, config));
  const auto loss = [&] {
    return inner(value_of(formula(in.q, in.k, in.v, config)).output, d_output);
  };
  expect_gradient("q", in.q, got.d_q, kExact, 8, loss);
  expect_gradient("k", in.k, got.d_k, kExact, 8, loss);
  expect_gradient("v", in.v, got.d_v, kExact, 8, loss);
  expect_gradient("sinks", config.options.sinks, got.options.sinks, kExact, 8, loss);
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
  ASSERT_OK_AND_ASSIGN(const AttentionGradients again,
                       attention_backward(in.q, in.k, in.v, d_output, *encoding, config));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients got,
                       attention_backward(in.q, in.k, in.v, d_output, *encoding, config, &forward));
  EXPECT_LT(largest_error(got.d_q.data, again.d_q.data), 2e-6);
  EXPECT_LT(largest_error(got.options.sinks.data, again.options.sinks.data), 2e-6);
  EXPECT_EQ(got.options.sinks.data[2], 0.0f);
  config.options.sinks.data[0] = 4;
  EXPECT_EQ(attention_backward(in.q, in.k, in.v, d_output, *encoding, config, &forward)
                .status()
                .message(),
            "forward: row sums differ from those of this call; expected the result of attention "
            "with the same arguments");
}

TEST(Sinks, BatchesShareSinksAndSumTheirGradients) {
  const Inputs one = inputs({2, 1, 7, 7, 4, 4}), other = {dyadic(5, {2, 7, 4}), one.k, one.v};
  const auto both = [](const Tensor& a, const Tensor& b) {
    Tensor out(prepend_dim(2, a.shape));
    std::copy(b.data.begin(), b.data.end(),
              std::copy(a.data.begin(), a.data.end(), out.data.begin()));
    return out;
  };
  const Tensor d_output = dyadic(93, {2, 7, 4});
  const AttentionConfig config = config_of({0.5f, 1});
  ASSERT_OK_AND_ASSIGN(const AttentionResult first, attention(one.q, one.k, one.v, config));
  ASSERT_OK_AND_ASSIGN(
      const AttentionResult batch,
      attention(both(one.q, other.q), both(one.k, other.k), both(one.v, other.v), config));
  EXPECT_EQ(batch.sink_weights.shape, (std::vector<int>{2, 2, 7}));
  EXPECT_TRUE(std::equal(first.sink_weights.data.begin(), first.sink_weights.data.end(),
                         batch.sink_weights.data.begin()));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients a,
                       attention_backward(one.q, one.k, one.v, d_output, config));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients b,
                       attention_backward(other.q, other.k, other.v, d_output, config));
  ASSERT_OK_AND_ASSIGN(const AttentionGradients sum,
                       attention_backward(both(one.q, other.q), both(one.k, other.k),
                                          both(one.v, other.v), both(d_output, d_output), config));
  ASSERT_EQ(sum.options.sinks.shape, std::vector<int>{2});
  for (std::size_t h = 0; h < 2; ++h)
    EXPECT_EQ(sum.options.sinks.data[h], a.options.sinks.data[h] + b.options.sinks.data[h]);
}

}  // namespace
}  // namespace phasor::test::sinks_test
