// Overflow of float32 in the backward pass: an error names the gradient that overflows, and errors
// of the forward pass have the same messages.

#include <gtest/gtest.h>

#include <cmath>

#include "numbers.h"
#include "overflow.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::gradient_overflow_test {
namespace {

const std::string kExceedsFloat32 = " exceeds the float32 maximum, 3.40282e+38";

template <class T>
void expect_rejected(const Result<T>& result, const std::string& subject) {
  EXPECT_EQ(result.status().code(), StatusCode::invalid_argument) << subject;
  EXPECT_EQ(result.status().message(), subject + kExceedsFloat32);
}

TEST(GradientOverflow, IntermediateValuesMayOverflow) {
  const Tensor q = head(1, 1, {1e30f}), k = head(1, 1, {-1e30f}), v = head(1, 1, {5}),
               d_output = head(1, 1, {2});
  for (const std::optional<double> scale :
       {std::optional<double>(), std::optional<double>(-1e300)}) {
    ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients,
                         attention_backward(q, k, v, d_output, {.scale = scale}));
    EXPECT_EQ(gradients.d_v.data, std::vector<float>{2});
    EXPECT_EQ(std::fabs(gradients.d_q.data[0]), 0.0f);
    EXPECT_EQ(std::fabs(gradients.d_k.data[0]), 0.0f);
  }
}

// Large values of a hidden key must not turn its zero gradient into NaN, as 0 * infinity would.
TEST(GradientOverflow, MaskedKeysHaveZeroGradientsForAnyValue) {
  const Tensor q = head(2, 2, {1, 0, 0, 1}), k = head(3, 2, {1, 2, 3, 1, 2, 2}),
               d_output = head(2, 2, {1, 2, 3, 4});
  const Tensor small_values = head(3, 2, {1, 5, 0, 0, -2, 4}),
               huge_values = head(3, 2, {1, 5, 3e38f, 3e38f, -2, 4});
  for (const char* id : {"none", "alibi", "rope", "shaw", "t5", "transformer_xl"}) {
    AttentionConfig config = encoded(id);
    config.key_mask = {1, 0, 1};
    ASSERT_OK_AND_ASSIGN(const AttentionGradients expected,
                         attention_backward(q, k, small_values, d_output, config));
    ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                         attention_backward(q, k, huge_values, d_output, config));
    for (const auto& [actual_gradient, expected_gradient] :
         {std::pair(&actual.d_q, &expected.d_q), std::pair(&actual.d_k, &expected.d_k),
          std::pair(&actual.d_v, &expected.d_v)}) {
      EXPECT_LT(largest_error(actual_gradient->data, expected_gradient->data), 1e-5) << id;
    }
    EXPECT_EQ(matrix(actual.d_v, 0).row(1)[0], 0) << id;
  }
}

// The same for large vectors that an encoding adds to the value of a hidden key.
TEST(GradientOverflow, MaskedKeysHaveZeroGradientsForAnyValueBias) {
  const Tensor q = head(1, 1, {1}), k = head(2, 1, {1, 2}), v = head(2, 1, {1, 5});
  AttentionConfig config =
      encoded("shaw", {{"clip", 1.0}, {"table_v", Tensor({3, 1}, {0, 1, 3e38f})}});
  config.position_offset = 0;  // the second key is one to the right
  config.key_mask = {1, 0};
  ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                       attention_backward(q, k, v, head(1, 1, {2}), config));
  EXPECT_EQ(actual.d_v.data, (std::vector<float>{2, 0}));
  EXPECT_EQ(actual.d_q.data[0], 0);
}

// A single key has the weight 1. The gradient of the weight, 6e38, equals its mean over the row, so
// the gradient of the score is 0.
TEST(GradientOverflow, WeightGradientsMayExceedFloat32) {
  const Tensor one = head(1, 2, {1, 1});
  for (const float gradient_value : {3e38f, 1e30f}) {
    const float value = gradient_value == 1e30f ? 1e30f : 1;
    const Tensor v = head(1, 2, {value, value}),
                 d_output = head(1, 2, {gradient_value, gradient_value});
    ASSERT_OK_AND_ASSIGN(const AttentionGradients actual,
                         attention_backward(one, one, v, d_output, {}));
    EXPECT_EQ(actual.d_v.data, d_output.data);
    EXPECT_EQ(actual.d_q.data, (std::vector<float>{0, 0}));
    EXPECT_EQ(actual.d_k.data, (std::vector<float>{0, 0}));
  }
}

// In each case one gradient overflows, and those computed before it are finite.
TEST(GradientOverflow, NamesTheGradientThatOverflows) {
  const Tensor zero = head(1, 1, {0}), one = head(1, 1, {1}), zeros = head(2, 1, {0, 0}),
               signs = head(2, 1, {1, -1});
  const auto d_output = [](float value) { return head(1, 1, {value}); };
  // dS is +-5e9 and is multiplied by keys, or queries, of 1e30.
  expect_rejected(
      attention_backward(zero, head(2, 1, {1e30f, 1e30f}), signs, d_output(1e10f), {.scale = 1}),
      "d_output: the gradient of q");
  expect_rejected(
      attention_backward(head(1, 1, {1e30f}), zeros, signs, d_output(1e10f), {.scale = 1}),
      "d_output: the gradient of k");
  // dP = dO v^T exceeds float32, and so does d_q.
  expect_rejected(attention_backward(one, zeros, head(2, 1, {3e38f, -3e38f}), d_output(1e30f), {}),
                  "d_output: the gradient of q");
  // Two queries attend to one key with the weight 1.
  expect_rejected(attention_backward(zeros, zero, zero, head(2, 1, {3e38f, 3e38f}), {}),
                  "d_output: the gradient of v");
  // Each of three queries adds 1.5e38 to the gradient of the slope: dS is +-1.5e38 at keys a
  // distance of 1 apart.
  AttentionConfig alibi_config = encoded("alibi", {{"slopes", Tensor({1}, {0})}});
  alibi_config.position_offset = 0;
  expect_rejected(attention_backward(head(3, 1, {0, 0, 0}), zeros, signs,
                                     head(3, 1, {3e38f, -3e38f, -3e38f}), alibi_config),
                  "d_output: the gradient of slopes");
}

TEST(GradientOverflow, BackwardReportsTheErrorsOfTheForwardPass) {
  AttentionConfig far_config = encoded("alibi", {{"slopes", Tensor({1}, {3e38f})}});
  far_config.position_offset = 100;
  AttentionConfig rope_config = encoded("rope");
  rope_config.position_offset = 1;
  const Tensor zero = head(1, 2, {0, 0}), huge = head(1, 2, {1e30f, 1e30f}),
               longer = head(1, 2, {3e38f, 3e38f});
  struct Case {
    Tensor q, k;
    AttentionConfig config;
    std::string subject;
  };
  for (const Case& c : {Case{zero, head(2, 2, {0, 0, 0, 0}), far_config,
                             "encoding: the contribution of alibi to the scores"},
                        Case{huge, huge, encoded("shaw"), "q: scale * q k^T, an input of shaw,"},
                        Case{longer, zero, rope_config, "q: the result of rope"}}) {
    const Tensor v(c.k.shape);
    expect_rejected(attention(c.q, c.k, v, c.config), c.subject);
    expect_rejected(attention_backward(c.q, c.k, v, zero, c.config), c.subject);
  }
}

TEST(GradientOverflow, LayersReportOverflowOfAttentionAndOfSums) {
  const Tensor x({2, 1}, {0, 0}), d_output({2, 1}, {3e38f, 3e38f});
  EXPECT_EQ(value_of(self_attention_backward(x, d_output, {.heads = 1, .encoding = {}})).d_x.data,
            d_output.data);
  // The first token has the weight 1 in the first row and 1/2 in the second.
  expect_rejected(
      self_attention_backward(x, d_output, {.heads = 1, .encoding = {}, .mask = Mask::causal}),
      "d_output: the gradient of v");
  const SelfAttentionConfig learned_config{
      .heads = 1, .encoding = {.id = "learned", .params = {{"table", Tensor({2, 1}, {3e38f, 0})}}}};
  const Tensor huge({2, 1}, {3e38f, 0});
  expect_rejected(self_attention(huge, learned_config), "x: a query, key or value projection");
  expect_rejected(self_attention_backward(huge, d_output, learned_config),
                  "x: a query, key or value projection");
  // The second token has two weights of 1/2: its gradient of q is 3e38 and that of v 1.5e38, and
  // their sum overflows.
  expect_rejected(self_attention_backward(Tensor({2, 1}, {1, 0}), Tensor({2, 1}, {0, 3e38f}),
                                          {.heads = 1, .encoding = {}, .scale = 4}),
                  "d_output: the gradient of x");
}

}  // namespace
}  // namespace phasor::test::gradient_overflow_test
