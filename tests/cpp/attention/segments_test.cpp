// Packed texts: with segment ids every text has the result and gradients of a separate call, for
// every encoding.

#include "segments.h"

#include <gtest/gtest.h>

#include <cmath>

#include "numbers.h"
#include "phasor/phasor.h"
#include "variants.h"

namespace phasor::test::segments_test {
namespace {

const Packed packed_inputs;
const Tensor &q = packed_inputs.q, &k = packed_inputs.k, &v = packed_inputs.v,
             &d_output = packed_inputs.d_output;
const std::vector<int>& kLengths = packed_inputs.lengths;
constexpr int kHeads = Packed::kHeads, kTokens = Packed::kTokens;

double gradient_error(const std::vector<float>& actual, const std::vector<double>& expected) {
  double largest = 0, size = 1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(actual[i]) - expected[i]));
    size = std::max(size, std::fabs(expected[i]));
  }
  return actual.size() == expected.size() ? largest / size : HUGE_VAL;
}

// Compares outputs, weights and gradients of a packed call with those of one call per text.
void expect_separate(const AttentionConfig& config, const std::vector<int>& ids) {
  AttentionConfig packed_config = packed(config, ids), single_config = config;
  packed_config.outputs = single_config.outputs = {.weights = true, .scores = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(q, k, v, packed_config));
  ASSERT_OK_AND_ASSIGN(const AttentionResult output_result,
                       attention(q, k, v, packed(config, ids)));
  EXPECT_LT(largest_error(output_result.output.data, actual.output.data), 2e-6);
  ASSERT_OK_AND_ASSIGN(const AttentionGradients gradients,
                       attention_backward(q, k, v, d_output, packed(config, ids)));
  OrderedMap<std::vector<double>> sums;
  for (int id = 0; id <= *std::max_element(ids.begin(), ids.end()); ++id) {
    SCOPED_TRACE(id);
    const std::vector<int> indices = tokens_of(ids, id);
    const Tensor text_q = chosen(q, indices), text_k = chosen(k, indices),
                 text_v = chosen(v, indices);
    if (!config.key_mask.empty()) {
      single_config.key_mask.clear();
      for (const int t : indices)
        single_config.key_mask.push_back(config.key_mask[static_cast<std::size_t>(t)]);
    }
    ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                         attention(text_q, text_k, text_v, single_config));
    EXPECT_LT(largest_error(chosen(actual.output, indices).data, expected.output.data), 4e-6);
    for (int h = 0; h < kHeads; ++h) {
      for (std::size_t r = 0; r < indices.size(); ++r) {
        double sum = 0, expected_sum = 0;
        for (int j = 0; j < kTokens; ++j) {
          const float weight = matrix(actual.weights, h).row(indices[r])[j],
                      score = matrix(actual.scores, h).row(indices[r])[j];
          sum += static_cast<double>(weight);
          if (ids[static_cast<std::size_t>(j)] != id) {
            EXPECT_EQ(weight, 0);
            EXPECT_EQ(score, -INFINITY);
          }
        }
        for (std::size_t c = 0; c < indices.size(); ++c) {
          const float weight = matrix(expected.weights, h).row(static_cast<int>(r))[c];
          expected_sum += static_cast<double>(weight);
          EXPECT_NEAR(matrix(actual.weights, h).row(indices[r])[indices[c]], weight, 2e-6);
          EXPECT_EQ(std::isinf(matrix(actual.scores, h).row(indices[r])[indices[c]]),
                    std::isinf(matrix(expected.scores, h).row(static_cast<int>(r))[c]));
        }
        EXPECT_NEAR(sum, expected_sum, 1e-5);
      }
    }
    AttentionConfig gradient_config = single_config;
    gradient_config.outputs = {};
    ASSERT_OK_AND_ASSIGN(
        const AttentionGradients expected_gradients,
        attention_backward(text_q, text_k, text_v, chosen(d_output, indices), gradient_config));
    EXPECT_LT(largest_error(chosen(gradients.d_q, indices).data, expected_gradients.d_q.data),
              2e-5);
    EXPECT_LT(largest_error(chosen(gradients.d_k, indices).data, expected_gradients.d_k.data),
              2e-5);
    EXPECT_LT(largest_error(chosen(gradients.d_v, indices).data, expected_gradients.d_v.data),
              2e-5);
    const auto add_gradient = [&](const std::string& name, const Tensor& gradient) {
      std::vector<double>& sum = sums[name];
      sum.resize(gradient.data.size());
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(gradient.data[i]);
    };
    for (const auto& [name, gradient] : expected_gradients.parameters) add_gradient(name, gradient);
    if (!expected_gradients.options.sinks.empty())
      add_gradient("sinks", expected_gradients.options.sinks);
  }
  for (const auto& [name, gradient] : gradients.parameters)
    EXPECT_LT(gradient_error(gradient.data, sums.at(name)), 5e-5) << name;
  if (!gradients.options.sinks.empty()) {
    EXPECT_LT(gradient_error(gradients.options.sinks.data, sums.at("sinks")), 5e-5);
  }
}

// With equal scores each output is the mean of the values of its text so far.
TEST(Segments, TextsDoNotAttendToEachOther) {
  const Tensor ones({1, 4, 2}, std::vector<float>(8, 1.0f)), values({1, 4, 1}, {1, 2, 30, 40});
  AttentionConfig config{.mask = Mask::causal};
  config.query_segment_ids = config.key_segment_ids = {0, 0, 1, 1};
  ASSERT_OK_AND_ASSIGN(const AttentionResult implicit_result,
                       attention(ones, ones, values, config));
  EXPECT_EQ(implicit_result.output.data, (std::vector<float>{1, 1.5f, 30, 35}));
  config.query_positions.values = config.key_positions.values = {0, 1, 0, 1};
  ASSERT_OK_AND_ASSIGN(const AttentionResult explicit_result,
                       attention(ones, ones, values, config));
  EXPECT_EQ(explicit_result.output.data, (std::vector<float>{1, 1.5f, 30, 35}));
  config.query_segment_ids = config.key_segment_ids = {};
  EXPECT_EQ(attention(ones, ones, values, config).status().message(),
            "key_positions[2]: 0 is also the position of key 0; texts packed under a causal mask "
            "need query_segment_ids and key_segment_ids");
}

TEST(Segments, EveryEncodingMatchesSeparateCalls) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    for (const Mask mask : {Mask::none, Mask::causal}) {
      SCOPED_TRACE(variant.name + (mask == Mask::causal ? " causal" : ""));
      AttentionConfig config{.encoding = variant.config, .mask = mask};
      if (!attention(q, k, v, config).ok()) continue;  // encodings of patches or grids
      expect_separate(config, ids_of(kLengths));
      config.window = 6;
      expect_separate(config, ids_of(kLengths));
      ++compared;
    }
  }
  EXPECT_GT(compared, 60);
}

// Every third token belongs to one text, and two other texts alternate between them.
TEST(Segments, InterleavedTextsMatchSeparateCalls) {
  std::vector<int> ids;
  for (int t = 0; t < kTokens; ++t) ids.push_back(t % 3 == 0 ? 4 : t % 2);
  for (const char* id : {"none", "rope", "alibi", "t5", "shaw", "deberta", "cope", "dape"}) {
    SCOPED_TRACE(id);
    for (const Mask mask : {Mask::none, Mask::causal}) {
      AttentionConfig config{.encoding = {.id = id, .params = {}}, .mask = mask};
      std::vector<int> consecutive_ids = ids;  // consecutive ids from 0
      for (int& segment : consecutive_ids) segment = segment == 4 ? 2 : segment;
      expect_separate(config, consecutive_ids);
      config.window = 5;
      expect_separate(config, consecutive_ids);
    }
  }
}

TEST(Segments, EveryOptionMatchesSeparateCalls) {
  for (const char* id : {"none", "rope", "alibi", "t5", "cope"}) {
    SCOPED_TRACE(id);
    AttentionConfig config{.encoding = {.id = id, .params = {}}, .mask = Mask::causal};
    config.options.sinks = Tensor({kHeads}, {0.5f, -1});
    config.options.softcap = 2;
    config.options.qk_norm = QkNorm{};
    expect_separate(config, ids_of(kLengths));
    config.window = 4;
    config.options.sink_tokens = 2;
    expect_separate(config, ids_of(kLengths));
    config.key_mask.assign(kTokens, 1);
    for (const std::size_t hidden : {0u, 3u, 15u, 16u, 30u}) config.key_mask[hidden] = 0;
    expect_separate(config, ids_of(kLengths));
    config.scale = 1e30;  // takes the path in double
    config.options.softcap = {};
    const auto result = attention(q, k, v, packed(config, ids_of(kLengths)));
    if (std::string_view(id) == "cope") continue;
    ASSERT_TRUE(result.ok()) << result.status().message();
  }
}

}  // namespace
}  // namespace phasor::test::segments_test
