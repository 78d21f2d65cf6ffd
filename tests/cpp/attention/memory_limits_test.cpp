// Error messages of calls that run out of memory. memory/denied_memory_test.cpp tests that every
// call returns one.

#include <gtest/gtest.h>

#include <algorithm>

#include "core/buffer.h"
#include "numbers.h"
#include "phasor/analysis.h"
#include "phasor/attention.h"
#include "phasor/encoding_ops.h"
#include "phasor/registry.h"

namespace phasor::test {
namespace {

// The error messages of a repeated call. In the n-th run the n-th allocation fails.
template <class F>
std::vector<std::string> collect_error_messages(F&& call) {
  std::vector<std::string> messages;
  for (int n = 1;; ++n) {
    const MemoryWatch watch(n);
    const Status status = call().status();
    if (!watch.has_failed()) break;
    EXPECT_EQ(status.code(), StatusCode::resource_exhausted);
    messages.push_back(status.message());
  }
  return messages;
}

bool contains(const std::vector<std::string>& messages, const std::string& message) {
  return std::find(messages.begin(), messages.end(), message) != messages.end();
}

TEST(MemoryLimits, AttentionNamesTheResultThatDoesNotFit) {
  const Tensor q = dyadic(71, {1, 2, 2}), k = dyadic(72, {1, 3, 2}), v = dyadic(73, {1, 3, 1});
  AttentionConfig config;
  config.outputs = {.weights = true, .scores = true, .bias = true, .pooled_weights = true};
  config.pooling.size = 4;
  const std::vector<std::string> messages =
      collect_error_messages([&] { return attention(q, k, v, config); });
  for (const char* result_name : {"v: an output of 1 x 2 x 1", "outputs: weights of 1 x 2 x 3",
                                  "outputs: scores of 1 x 2 x 3", "outputs: a bias of 1 x 2 x 3",
                                  "outputs: pooled weights of 1 x 2 x 3"}) {
    EXPECT_TRUE(contains(
        messages, std::string(result_name) + " numbers would take 1 MiB, more than is available"))
        << result_name;
  }
  EXPECT_TRUE(contains(messages, "q: 1 MiB of working memory is not available"));
}

TEST(MemoryLimits, LayersNameProjectionsThatDoNotFit) {
  const Tensor x = dyadic(74, {3, 4});
  const std::vector<std::string> messages = collect_error_messages(
      [&] { return self_attention(x, {.projections = Projections::orthogonal}); });
  EXPECT_TRUE(contains(
      messages, "x: a projection of 4 x 4 numbers would take 1 MiB, more than is available"));
  EXPECT_TRUE(contains(messages, "x: 1 MiB of working memory is not available"));
}

// The limit is exactly the size of all working arrays.
TEST(MemoryLimits, SimilarityCountsAllWorkingMemory) {
  const Tensor table = dyadic(76, {3, 5});
  const double bytes = 4 * (3 * 3 + 3 * 5 + (3 + 16) * (5 + 16));
  {
    const MemoryLimit limit(bytes);
    EXPECT_TRUE(similarity(table, SimilarityMetric::dot).ok());
  }
  const MemoryLimit limit(bytes - 1);
  EXPECT_EQ(similarity(table, SimilarityMetric::dot).status().message(),
            "table: 1 MiB of working memory is not available");
}

// Sizes beyond all memory are rejected before allocation. Other calls need little working memory.
TEST(MemoryLimits, LargeSizesAreRejectedOrStayWithinTheLimit) {
  constexpr int kMax = 1048576;
  EXPECT_EQ(create_encoding({.id = "rope_mixed"}, {.dim = kMax, .heads = kMax}).status().message(),
            "frequencies: 2 x 1048576 x 524288 random numbers exceed the limit of 16777216; pass "
            "an array");
  EXPECT_EQ(create_encoding({.id = "transformer_xl"}, {.dim = kMax, .heads = kMax}).status().code(),
            StatusCode::resource_exhausted);
  {
    const MemoryLimit limit(80 << 20);  // one row of 2^20 sinusoids used to take 307 MB
    EXPECT_TRUE(position_table({.id = "sinusoidal"}, std::vector<double>{255}, kMax).ok());
  }
  // The distances in double, 11.5 MB here, must not be stored beside the bias of 5.8 MB.
  const MemoryLimit limit(8 << 20);
  std::vector<double> positions;
  for (int t = 0; t < 1200; ++t) positions.push_back(t + t / 5);
  EXPECT_TRUE(attention_bias({.id = "fire"}, 1, positions, positions).ok());
}

}  // namespace
}  // namespace phasor::test
