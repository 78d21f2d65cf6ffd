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

const Packed inputs_of;
const Tensor &q = inputs_of.q, &k = inputs_of.k, &v = inputs_of.v, &d_output = inputs_of.d_output;
const std::vector<int>& kLengths = inputs_of.lengths;
constexpr int kHeads = Packed::kHeads, kTokens = Packed::kTokens;

double gradient_error(const std::vector<float>& got, const std::vector<double>& expected) {
  double largest = 0, size = 1;
  for (std::size_t i = 0; i < expected.size(); ++i) {
    largest = std::max(largest, std::fabs(static_cast<double>(got[i]) - expected[i]));
    size = std::max(size, std::fabs(expected[i]));
  }
  return got.size() == expected.size() ? largest / size : HUGE_VAL;
}

// Compares outputs, weights and gradients of a packed call with those of one call per text.
void expect_separate(const AttentionConfig& config, const std::vector<int>& ids) {
  AttentionConfig all = packed(config, ids), one = config;
  all.outputs = one.outputs = {.weights = true, .scores = true};
  ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(q, k, v, all));
  ASSERT_OK_AND_ASSIGN(const AttentionResult streamed, attention(q, k, v, packed(config, ids)));
  EXPECT_LT(largest_error(streamed.output.data, got.output.data), 2e-6);
  ASSERT_OK_AND_ASSIGN(const AttentionGradients slopes,
                       attention_backward(q, k, v, d_output, packed(config, ids)));
  OrderedMap<std::vector<double>> sums;
  for (int id = 0; id <= *std::max_element(ids.begin(), ids.end()); ++id) {
    SCOPED_TRACE(id);
    const std::vector<int> text = tokens_of(ids, id);
    const Tensor own_q = chosen(q, text), own_k = chosen(k, text), own_v = chosen(v, text);
    if (!config.key_mask.empty()) {
      one.key_mask.clear();
      for (const int t : text) one.key_mask.push_back(config.key_mask[static_cast<std::size_t>(t)]);
    }
    ASSERT_OK_AND_ASSIGN(const AttentionResult expected, attention(own_q, own_k, own_v, one));
    EXPECT_LT(largest_error(chosen(got.output, text).data, expected.output.data), 4e-6);
    for (int h = 0; h < kHeads; ++h) {
      for (std::size_t r = 0; r < text.size(); ++r) {
        double sum = 0, sum_alone = 0;
        for (int j = 0; j < kTokens; ++j) {
          const float weight = matrix(got.weights, h).row(text[r])[j],
                      score = matrix(got.scores, h).row(text[r])[j];
          sum += static_cast<double>(weight);
          if (ids[static_cast<std::size_t>(j)] != id) {
            EXPECT_EQ(weight, 0);
            EXPECT_EQ(score, -INFINITY);
          }
        }
        for (std::size_t c = 0; c < text.size(); ++c) {
          const float weight = matrix(expected.weights, h).row(static_cast<int>(r))[c];
          sum_alone += static_cast<double>(weight);
          EXPECT_NEAR(matrix(got.weights, h).row(text[r])[text[c]], weight, 2e-6);
          EXPECT_EQ(std::isinf(matrix(got.scores, h).row(text[r])[text[c]]),
                    std::isinf(matrix(expected.scores, h).row(static_cast<int>(r))[c]));
        }
        EXPECT_NEAR(sum, sum_alone, 1e-5);
      }
    }
    AttentionConfig alone = one;
    alone.outputs = {};
    ASSERT_OK_AND_ASSIGN(const AttentionGradients wanted,
                         attention_backward(own_q, own_k, own_v, chosen(d_output, text), alone));
    EXPECT_LT(largest_error(chosen(slopes.d_q, text).data, wanted.d_q.data), 2e-5);
    EXPECT_LT(largest_error(chosen(slopes.d_k, text).data, wanted.d_k.data), 2e-5);
    EXPECT_LT(largest_error(chosen(slopes.d_v, text).data, wanted.d_v.data), 2e-5);
    const auto add = [&](const std::string& name, const Tensor& gradient) {
      std::vector<double>& sum = sums[name];
      sum.resize(gradient.data.size());
      for (std::size_t i = 0; i < sum.size(); ++i) sum[i] += static_cast<double>(gradient.data[i]);
    };
    for (const auto& [name, gradient] : wanted.parameters) add(name, gradient);
    if (!wanted.options.sinks.empty()) add("sinks", wanted.options.sinks);
  }
  for (const auto& [name, gradient] : slopes.parameters)
    EXPECT_LT(gradient_error(gradient.data, sums.at(name)), 5e-5) << name;
  if (!slopes.options.sinks.empty()) {
    EXPECT_LT(gradient_error(slopes.options.sinks.data, sums.at("sinks")), 5e-5);
  }
}

// With equal scores each output is the mean of the values of its text so far.
TEST(Segments, TextsDoNotAttendToEachOther) {
  const Tensor ones({1, 4, 2}, std::vector<float>(8, 1.0f)), values({1, 4, 1}, {1, 2, 30, 40});
  AttentionConfig config{.mask = Mask::causal};
  config.query_segment_ids = config.key_segment_ids = {0, 0, 1, 1};
  ASSERT_OK_AND_ASSIGN(const AttentionResult implied, attention(ones, ones, values, config));
  EXPECT_EQ(implied.output.data, (std::vector<float>{1, 1.5f, 30, 35}));
  config.query_positions.values = config.key_positions.values = {0, 1, 0, 1};
  ASSERT_OK_AND_ASSIGN(const AttentionResult placed, attention(ones, ones, values, config));
  EXPECT_EQ(placed.output.data, (std::vector<float>{1, 1.5f, 30, 35}));
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
      std::vector<int> renamed = ids;  // consecutive ids from 0
      for (int& segment : renamed) segment = segment == 4 ? 2 : segment;
      expect_separate(config, renamed);
      config.window = 5;
      expect_separate(config, renamed);
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
    const auto far = attention(q, k, v, packed(config, ids_of(kLengths)));
    if (std::string_view(id) == "cope") continue;
    ASSERT_TRUE(far.ok()) << far.status().message();
  }
}

}  // namespace
}  // namespace phasor::test::segments_test
