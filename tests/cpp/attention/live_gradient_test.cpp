// Gradients with an encoding object, and forward results passed to the backward pass.
#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>

#include "live_call.h"
#include "results.h"

namespace phasor::test::live {
namespace {

TEST(EncodingObject, AccumulatesGradientsAndKeepsThemAfterAnError) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding,
                       create_encoding({.id = "t5"}, kGeometry));
  ASSERT_TRUE(attention_backward(q, k, v, d_output, *encoding, causal()).ok());
  const Tensor first_gradient = encoding->parameters().at(0)->grad;
  ASSERT_TRUE(attention_backward(q, k, v, d_output, *encoding, causal()).ok());
  const Tensor summed_gradient = encoding->parameters().at(0)->grad;
  for (std::size_t i = 0; i < first_gradient.data.size(); ++i)
    EXPECT_EQ(summed_gradient.data[i], 2 * first_gradient.data[i]);
  Tensor huge_gradient = d_output;
  for (float& x : huge_gradient.data) x = 3e38f;
  ASSERT_FALSE(attention_backward(q, k, v, huge_gradient, *encoding, causal()).ok());
  EXPECT_EQ(encoding->parameters().at(0)->grad.data, summed_gradient.data);
  Tensor& grad = encoding->parameters().at(0)->grad;
  const std::size_t largest_index = static_cast<std::size_t>(
      std::max_element(first_gradient.data.begin(), first_gradient.data.end(),
                       [](float a, float b) { return std::fabs(a) < std::fabs(b); }) -
      first_gradient.data.begin());
  grad.data[largest_index] = std::copysign(3.4028234e38f, first_gradient.data[largest_index]);
  Tensor large_gradient = d_output;
  for (float& x : large_gradient.data) x *= 1e32f;
  EXPECT_EQ(attention_backward(q, k, v, large_gradient, *encoding, causal()).status().message(),
            "d_output: the sum of the gradients of table exceeds the float32 maximum, "
            "3.40282e+38");
  EXPECT_EQ(std::fabs(grad.data[largest_index]), 3.4028234e38f);
}

TEST(EncodingObject, BackwardRejectsTheForwardResultOfAnotherCall) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding,
                       create_encoding({.id = "none"}, kGeometry));
  AttentionConfig config = causal();
  const AttentionResult result_without_stats = value_of(attention(q, k, v, *encoding, config));
  config.outputs.softmax_stats = true;
  const AttentionResult result = value_of(attention(q, k, v, *encoding, config));
  AttentionResult forward = result;
  const auto get_error_message = [&] {
    return attention_backward(q, k, v, d_output, *encoding, causal(), &forward).status().message();
  };
  EXPECT_EQ(get_error_message(), "");
  const std::string shape_error =
      "forward: shapes differ from those of this call; expected the result of attention with the "
      "same arguments";
  forward.row_max.pop_back();
  EXPECT_EQ(get_error_message(), shape_error);
  forward = result;
  forward.row_sum.pop_back();
  EXPECT_EQ(get_error_message(), shape_error);
  forward = result;
  forward.output.shape = {kHeads, kHeadDim, kTokens};
  EXPECT_EQ(get_error_message(), shape_error);
  forward = result;
  forward.output.data.pop_back();
  EXPECT_EQ(get_error_message(), "forward.output: has shape 2 x 40 x 8, but 639 values");
  forward = result_without_stats;
  EXPECT_EQ(get_error_message(),
            "forward: has no row_max or row_sum; expected the result of an attention call with "
            "outputs.softmax_stats");

  const std::string row_sum_error =
      "forward: row sums differ from those of this call; expected the result of attention with the "
      "same arguments";
  forward = value_of(attention(k, q, v, *encoding, config));  // other queries and keys
  EXPECT_EQ(get_error_message(), row_sum_error);
  AttentionConfig unmasked_config;
  unmasked_config.outputs.softmax_stats = true;
  forward = value_of(attention(q, k, v, *encoding, unmasked_config));
  EXPECT_EQ(get_error_message(), row_sum_error);
  forward = result;
  EXPECT_EQ(get_error_message(), "");
  forward.row_sum.back() = 0;  // as if the row saw no key
  EXPECT_EQ(get_error_message(), row_sum_error);
  forward.row_sum.back() = NAN;
  EXPECT_EQ(get_error_message(), row_sum_error);
}

TEST(EncodingObject, ResultMayBeOverwrittenByACallThatReadsIt) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding,
                       create_encoding({.id = "none"}, kGeometry));
  AttentionConfig config = causal();
  config.outputs.softmax_stats = true;
  AttentionResult forward = value_of(attention(q, k, v, *encoding, config));
  const Tensor output_copy = forward.output;
  const AttentionResult expected = value_of(attention(q, k, output_copy, *encoding, config));
  forward = value_of(attention(q, k, forward.output, *encoding, config));
  EXPECT_EQ(forward.output.data, expected.output.data);
  EXPECT_EQ(forward.row_max, expected.row_max);
  EXPECT_EQ(forward.row_sum, expected.row_sum);
}

}  // namespace
}  // namespace phasor::test::live
