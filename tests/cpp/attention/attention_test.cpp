// Attention: cases computed by hand, masks, and the error messages of invalid requests.

#include "phasor/attention.h"

#include <gtest/gtest.h>

#include "numbers.h"
#include "results.h"

namespace phasor::test {
namespace {

// Two tokens that attend mostly to themselves.
const Tensor kIdentity({1, 2, 2}, {1, 0, 0, 1});
const Tensor kValues({1, 2, 2}, {1, 2, 3, 4});

TEST(Attention, MatchesAHandComputedCase) {
  AttentionConfig config;
  config.scale = 1;
  config.outputs = {.weights = true, .scores = true, .bias = false};
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(kIdentity, kIdentity, kValues, config));
  const double own_weight = std::exp(1) / (std::exp(1) + 1), other_weight = 1 - own_weight;
  EXPECT_EQ(actual.scores.data, (std::vector<float>{1, 0, 0, 1}));
  EXPECT_LT(largest_error(actual.weights.data,
                          std::vector<double>{own_weight, other_weight, other_weight, own_weight}),
            1e-7);
  EXPECT_LT(largest_error(actual.output.data,
                          std::vector<double>{
                              own_weight + 3 * other_weight, 2 * own_weight + 4 * other_weight,
                              other_weight + 3 * own_weight, 2 * other_weight + 4 * own_weight}),
            1e-7);
  EXPECT_EQ(actual.output.shape, (std::vector<int>{1, 2, 2}));
  EXPECT_TRUE(actual.bias.empty());
}

TEST(Attention, ScalesByOneOverTheRootOfTheHeadDim) {
  AttentionConfig config;
  config.outputs.scores = true;
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(kIdentity, kIdentity, kValues, config));
  EXPECT_NEAR(static_cast<double>(actual.scores.data[0]), std::sqrt(0.5), 1e-7);
}

TEST(Attention, ReturnsOnlyRequestedOutputs) {
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(kIdentity, kIdentity, kValues, {}));
  EXPECT_TRUE(actual.weights.empty() && actual.scores.empty() && actual.bias.empty());
}

// Encodings transform queries and keys in copies, or in place if the caller has moved them.
TEST(Attention, DoesNotChangeQueriesAndKeysOfTheCaller) {
  const Tensor q = dyadic(1, {2, 5, 4}), k = dyadic(2, {2, 5, 4}), v = dyadic(3, {2, 5, 4});
  for (const char* id : {"none", "rope", "alibi"}) {
    AttentionConfig config;
    config.encoding.id = id;
    Tensor own_q = q, own_k = k;
    ASSERT_OK_AND_ASSIGN(const AttentionResult copy_result, attention(own_q, own_k, v, config));
    EXPECT_EQ(own_q.data, q.data) << id;
    EXPECT_EQ(own_k.data, k.data) << id;
    ASSERT_OK_AND_ASSIGN(const AttentionResult move_result,
                         attention(std::move(own_q), std::move(own_k), v, config));
    EXPECT_EQ(move_result.output.data, copy_result.output.data) << id;
  }
}

TEST(Attention, CausalMaskHidesLaterKeys) {
  AttentionConfig config;
  config.mask = Mask::causal;
  config.outputs.weights = true;
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(kIdentity, kIdentity, kValues, config));
  EXPECT_EQ(actual.weights.data[0], 1.0f);
  EXPECT_EQ(actual.weights.data[1], 0.0f);
  EXPECT_EQ(actual.output.data[0], 1.0f);
  EXPECT_EQ(actual.output.data[1], 2.0f);
}

// One query after five cached keys sees all six.
TEST(Attention, AlignsTheCausalMaskToTheLastKey) {
  AttentionConfig config;
  config.mask = Mask::causal;
  config.outputs.weights = true;
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(dyadic(1, {1, 1, 4}), dyadic(2, {1, 6, 4}),
                                                         dyadic(3, {1, 6, 4}), config));
  for (const float w : actual.weights.data) EXPECT_GT(w, 0.0f);
}

TEST(Attention, ReturnsZerosForARowWithoutAVisibleKey) {
  AttentionConfig config;
  config.mask = Mask::causal;
  config.key_mask = {0, 1};
  config.outputs.weights = true;
  ASSERT_OK_AND_ASSIGN(AttentionResult actual, attention(kIdentity, kIdentity, kValues, config));
  EXPECT_EQ(actual.weights.data, (std::vector<float>{0, 0, 0, 1}));
  EXPECT_EQ(actual.output.data, (std::vector<float>{0, 0, 3, 4}));
  // The window of the second query holds only its own key, which is hidden.
  config.key_mask = {1, 0};
  config.window = 1;
  ASSERT_OK_AND_ASSIGN(actual, attention(kIdentity, kIdentity, kValues, config));
  EXPECT_EQ(actual.weights.data, (std::vector<float>{1, 0, 0, 0}));
  EXPECT_EQ(actual.output.data, (std::vector<float>{1, 2, 0, 0}));
}

std::string error_message(const Tensor& q, const Tensor& k, const Tensor& v,
                          const AttentionConfig& config = {}) {
  return attention(q, k, v, config).status().message();
}

TEST(Attention, RejectsInvalidShapes) {
  const Tensor x({2, 3, 4});
  EXPECT_EQ(error_message(Tensor({3, 4}), x, x),
            "q: has shape 3 x 4; expected heads x tokens x dim");
  EXPECT_EQ(error_message(x, Tensor(), x), "k: has no shape and no values");
  EXPECT_EQ(error_message(x, x, Tensor({2, 0, 4})),
            "v: has shape 2 x 0 x 4; expected heads x tokens x dim");
  EXPECT_EQ(error_message(x, Tensor({2, 3, 5}), x), "k: has 5 channels, but q has 4");
  EXPECT_EQ(error_message(x, x, Tensor({2, 4, 4})), "v: has 4 tokens, but k has 3");
  EXPECT_EQ(error_message(x, x, Tensor({1, 3, 4})), "v: has 1 heads, but k has 2");
  EXPECT_EQ(error_message(Tensor({3, 3, 4}), x, x),
            "k: has 2 heads; expected a divisor of 3 (heads of q)");
  EXPECT_EQ(error_message(Tensor({1, 3, 4}), x, x),
            "k: has 2 heads; expected a divisor of 1 (heads of q)");
}

TEST(Attention, RejectsDataThatDoesNotMatchTheShape) {
  const Tensor x({1, 3, 4}), short_tensor({1, 3, 4}, std::vector<float>(5));
  Tensor negative_shape = x;
  negative_shape.shape = {-1, -3, 4};
  EXPECT_EQ(error_message(short_tensor, x, x), "q: has shape 1 x 3 x 4, but 5 values");
  EXPECT_EQ(error_message(x, negative_shape, x), "k: has shape -1 x -3 x 4, but 12 values");
}

TEST(Attention, ReportsTheIndexOfAValueThatIsNotFinite) {
  const Tensor x({1, 2, 2});
  Tensor invalid_tensor = x;
  invalid_tensor.data[2] = NAN;
  EXPECT_EQ(error_message(invalid_tensor, x, x), "q[2]: NaN is not a finite number");
  invalid_tensor.data[2] = INFINITY;
  EXPECT_EQ(error_message(x, invalid_tensor, x), "k[2]: Infinity is not a finite number");
  EXPECT_EQ(error_message(x, x, invalid_tensor), "v[2]: Infinity is not a finite number");
}

TEST(Attention, RejectsInvalidSettings) {
  const Tensor x({1, 2, 2});
  AttentionConfig config;
  config.key_mask = {1, 1, 1};
  EXPECT_EQ(error_message(x, x, x, config), "key_mask: has 3 entries; expected 2, one per key");
  config = {};
  config.scale = NAN;
  EXPECT_EQ(error_message(x, x, x, config), "scale: NaN is not a finite number");
  config = {};
  config.position_offset = 2147483647.0;
  EXPECT_EQ(error_message(x, x, x, config),
            "position_offset: 2147483647 is outside -2147483647 to 2147483646");
  config.position_offset = 0.25;
  EXPECT_EQ(error_message(x, x, x, config), "position_offset: 0.25 is not a whole number");
  config = {};
  config.encoding.id = "no_such_encoding";
  EXPECT_EQ(error_message(x, x, x, config)
                .rfind("encoding: \"no_such_encoding\" is unknown; expected one of ", 0),
            0u);
  config.encoding = {.id = "alibi", .params = {{"slope", 1.0}}};
  EXPECT_EQ(error_message(x, x, x, config)
                .rfind("slope: is not a parameter of alibi; expected one of form", 0),
            0u);
}

TEST(Attention, RejectsWindowsAndHeadsOutOfRange) {
  const Tensor x({2, 3, 4});
  AttentionConfig config;
  for (const int window : {0, -1}) {
    config.window = window;
    EXPECT_EQ(error_message(x, x, x, config),
              "window: " + std::to_string(window) + " is outside 1 to 2147483647");
  }
  config.window = 2147483647;
  EXPECT_EQ(error_message(x, x, x, config), "");
  config = {};
  for (const int head : {-1, 2}) {
    config.outputs.head = head;
    EXPECT_EQ(error_message(x, x, x, config),
              "head: " + std::to_string(head) + " is outside 0 to 1");
  }
  config.outputs.head = 1;
  EXPECT_EQ(error_message(x, x, x, config), "");
}

TEST(Attention, RejectsUnsupportedEncodings) {
  const Tensor x({1, 3, 4});
  AttentionConfig config;
  config.encoding.id = "sinusoidal";
  EXPECT_EQ(error_message(x, x, x, config),
            "encoding: sinusoidal is added to the embeddings before attention; use self_attention, "
            "or add "
            "its table yourself");
  // The factors of XPos grow with the distance from its centre until float32 overflows.
  config.encoding = {.id = "xpos", .params = {{"scale_base", 1.0}}};
  config.position_offset = 5000;
  EXPECT_EQ(
      error_message(x, x, x, config).rfind("positions[0]: 5000 is too far from the centre", 0), 0u);
  config.position_offset = 0;
  EXPECT_EQ(error_message(x, x, x, config), "");
  const Tensor long_keys({1, 500, 4});
  EXPECT_NE(error_message(x, long_keys, long_keys, config).find("is too far from the centre"),
            std::string::npos);
  config.encoding = {.id = "relative_bias", .params = {{"max_length", 3.0}}};
  EXPECT_EQ(error_message(x, x, x, config), "");
  config.position_offset = 1;
  EXPECT_EQ(error_message(x, x, x, config),
            "max_length: 3 is too small for tokens at distance 3; expected a larger value, or "
            "beyond: \"clip\"");
}

TEST(Attention, RejectsOversizedResultsBeforeAllocation) {
  const Tensor long_text({1, 40000, 1});
  AttentionConfig config;
  config.outputs.weights = true;
  Status status = attention(long_text, long_text, long_text, config).status();
  EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(
      status.message(),
      "outputs: weights of 1 x 40000 x 40000 numbers would take 6104 MiB; at most 1024 MiB can "
      "be returned");
  config.outputs = {.weights = false, .scores = true, .bias = false};
  EXPECT_EQ(attention(long_text, long_text, long_text, config).status().code(),
            StatusCode::resource_exhausted);
  // Many query heads share one wide value.
  status = attention(Tensor({1024, 1024, 1}), Tensor({1, 1, 1}), Tensor({1, 1, 1024}), {}).status();
  EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
  EXPECT_EQ(status.message().rfind("v: an output of 1024 x 1024 x 1024", 0), 0u)
      << status.message();
}

}  // namespace
}  // namespace phasor::test
