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
  const Tensor once = encoding->parameters().at(0)->grad;
  ASSERT_TRUE(attention_backward(q, k, v, d_output, *encoding, causal()).ok());
  const Tensor twice = encoding->parameters().at(0)->grad;
  for (std::size_t i = 0; i < once.data.size(); ++i) EXPECT_EQ(twice.data[i], 2 * once.data[i]);
  Tensor huge = d_output;
  for (float& x : huge.data) x = 3e38f;
  ASSERT_FALSE(attention_backward(q, k, v, huge, *encoding, causal()).ok());
  EXPECT_EQ(encoding->parameters().at(0)->grad.data, twice.data);
  Tensor& grad = encoding->parameters().at(0)->grad;
  const std::size_t largest = static_cast<std::size_t>(
      std::max_element(once.data.begin(), once.data.end(),
                       [](float a, float b) { return std::fabs(a) < std::fabs(b); }) -
      once.data.begin());
  grad.data[largest] = std::copysign(3.4028234e38f, once.data[largest]);
  Tensor large = d_output;
  for (float& x : large.data) x *= 1e32f;
  EXPECT_EQ(attention_backward(q, k, v, large, *encoding, causal()).status().message(),
            "d_output: the sum of the gradients of table exceeds the float32 maximum, "
            "3.40282e+38");
  EXPECT_EQ(std::fabs(grad.data[largest]), 3.4028234e38f);
}

TEST(EncodingObject, BackwardRejectsTheForwardResultOfAnotherCall) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding,
                       create_encoding({.id = "none"}, kGeometry));
  AttentionConfig config = causal();
  const AttentionResult without = value_of(attention(q, k, v, *encoding, config));
  config.outputs.softmax_stats = true;
  const AttentionResult own = value_of(attention(q, k, v, *encoding, config));
  AttentionResult forward = own;
  const auto message = [&] {
    return attention_backward(q, k, v, d_output, *encoding, causal(), &forward).status().message();
  };
  EXPECT_EQ(message(), "");
  const std::string expected =
      "forward: shapes differ from those of this call; expected the result of attention with the "
      "same arguments";
  forward.row_max.pop_back();
  EXPECT_EQ(message(), expected);
  forward = own;
  forward.row_sum.pop_back();
  EXPECT_EQ(message(), expected);
  forward = own;
  forward.output.shape = {kHeads, kHeadDim, kTokens};
  EXPECT_EQ(message(), expected);
  forward = own;
  forward.output.data.pop_back();
  EXPECT_EQ(message(), "forward.output: has shape 2 x 40 x 8, but 639 values");
  forward = without;
  EXPECT_EQ(message(),
            "forward: has no row_max or row_sum; expected the result of an attention call with "
            "outputs.softmax_stats");

  const std::string other =
      "forward: row sums differ from those of this call; expected the result of attention with the "
      "same arguments";
  forward = value_of(attention(k, q, v, *encoding, config));  // other queries and keys
  EXPECT_EQ(message(), other);
  AttentionConfig unmasked;
  unmasked.outputs.softmax_stats = true;
  forward = value_of(attention(q, k, v, *encoding, unmasked));
  EXPECT_EQ(message(), other);
  forward = own;
  EXPECT_EQ(message(), "");
  forward.row_sum.back() = 0;  // as if the row saw no key
  EXPECT_EQ(message(), other);
  forward.row_sum.back() = NAN;
  EXPECT_EQ(message(), other);
}

TEST(EncodingObject, ResultMayBeOverwrittenByACallThatReadsIt) {
  ASSERT_OK_AND_ASSIGN(std::unique_ptr<Encoding> encoding,
                       create_encoding({.id = "none"}, kGeometry));
  AttentionConfig config = causal();
  config.outputs.softmax_stats = true;
  AttentionResult forward = value_of(attention(q, k, v, *encoding, config));
  const Tensor before = forward.output;
  const AttentionResult expected = value_of(attention(q, k, before, *encoding, config));
  forward = value_of(attention(q, k, forward.output, *encoding, config));
  EXPECT_EQ(forward.output.data, expected.output.data);
  EXPECT_EQ(forward.row_max, expected.row_max);
  EXPECT_EQ(forward.row_sum, expected.row_sum);
}

}  // namespace
}  // namespace phasor::test::live
