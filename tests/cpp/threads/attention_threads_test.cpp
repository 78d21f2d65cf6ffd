// Attention and decoding return the same bits with any number of threads.

#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <thread>

#include "attention_inputs.h"
#include "core/parallel.h"
#include "numbers.h"
#include "phasor/phasor.h"
#include "variants.h"

namespace phasor::test::attention_threads_test {
namespace {

constexpr Sizes kSizes{4, 2, 75, 90, 8, 8};

struct Call {
  std::string name;
  AttentionConfig config{};
};

std::vector<double> flatten(const AttentionResult& result) {
  std::vector<double> all;
  for (const Tensor* tensor : {&result.output, &result.weights, &result.scores, &result.bias,
                               &result.pooled_mean, &result.pooled_max, &result.sink_weights})
    all.insert(all.end(), tensor->data.begin(), tensor->data.end());
  all.insert(all.end(), result.row_max.begin(), result.row_max.end());
  all.insert(all.end(), result.row_sum.begin(), result.row_sum.end());
  return all;
}

std::vector<Call> attention_calls() {
  std::vector<Call> all = {
      {"causal", {.mask = Mask::causal}},
      {"window", {.mask = Mask::causal, .window = 9}},
      {"statistics", {.mask = Mask::causal, .outputs = {.softmax_stats = true}}},
      {"weights", {.outputs = {.weights = true, .scores = true, .head = 3}}},
      {"pooled",
       {.mask = Mask::causal,
        .outputs = {.pooled_weights = true},
        .pooling = {.rows = {}, .columns = {}, .size = 7}}},
      {"options",
       {.mask = Mask::causal,
        .outputs = {.sink_weights = true},
        .options = {.sinks = Tensor({4}, {0.5f, -1, 0, 2}), .softcap = 2, .qk_norm = QkNorm{}}}},
      {"token-major", {.output_layout = OutputLayout::token_major}},
      {"in double", {.mask = Mask::causal, .scale = 1e38}},
      {"portable", {.mask = Mask::causal, .options = {.portable = true}}}};
  for (const EncodingInfo* type : encodings()) {
    if (type->injection != Injection::input)
      all.push_back({std::string(type->id), {.encoding = {.id = std::string(type->id)}}});
  }
  return all;
}

TEST(AttentionThreads, AttentionIsBitIdenticalForAnyCount) {
  int computed = 0;
  for (Call& call : attention_calls()) {
    const int kv_heads = heads_of_keys(call.config.encoding, kSizes.heads, kSizes.kv_heads);
    for (const int queries : {kSizes.queries, 2}) {
      Inputs in = inputs({kSizes.heads, kv_heads, queries, kSizes.keys, 8, 8});
      const auto compute = [&](int threads) {
        call.config.options.threads = threads;
        return attention(in.q, in.k, in.v, call.config);
      };
      const auto expected = compute(1);
      if (!expected.ok()) continue;  // needs several coordinates or a causal mask
      ++computed;
      for (const int threads : {2, 3, 16}) {
        const auto actual = compute(threads);
        ASSERT_TRUE(actual.ok()) << call.name << ": " << actual.status().message();
        ASSERT_EQ(flatten(*expected), flatten(*actual))
            << call.name << ", " << queries << " queries, " << threads << " threads";
      }
    }
  }
  EXPECT_GT(computed, 40);
}

TEST(AttentionThreads, DecodingIsBitIdenticalForAnyCount) {
  for (const char* id : {"none", "rope", "alibi", "shaw", "dape", "cope"}) {
    const int kv_heads = heads_of_keys({.id = id}, 4, 2);
    std::vector<std::vector<double>> outputs;
    for (const int threads : {1, 2, 5}) {
      CacheConfig config{.heads = 4,
                         .kv_heads = kv_heads,
                         .head_dim = 8,
                         .max_length = 64,
                         .encoding = {.id = id},
                         .options = {.threads = threads}};
      const auto cache = KeyValueCache::create(config);
      ASSERT_TRUE(cache.ok()) << cache.status().message();
      std::vector<double> all;
      for (const int count : {40, 1, 3, 1}) {
        const Inputs in = inputs({4, kv_heads, count, count, 8, 8});
        const auto step = (*cache)->decode(in.q, in.k, in.v, DecodeConfig{});
        ASSERT_TRUE(step.ok()) << step.status().message();
        const std::vector<double> step_values = flatten(*step);
        all.insert(all.end(), step_values.begin(), step_values.end());
      }
      outputs.push_back(all);
    }
    EXPECT_EQ(outputs[0], outputs[1]) << id;
    EXPECT_EQ(outputs[0], outputs[2]) << id;
  }
}

TEST(AttentionThreads, ReturnsTheErrorOfAnyPart) {
  // Only the scores of the last query exceed float32.
  Inputs in = inputs({2, 2, 64, 64, 8, 8});
  std::fill(in.q.data.begin(), in.q.data.end(), 0.0f);
  for (float& x : in.k.data) x = 1;
  in.q.data.back() = 2;
  AttentionConfig config{.scale = 3e38, .outputs = {.scores = true}};
  for (const int threads : {1, 4}) {
    config.options.threads = threads;
    const auto result = attention(in.q, in.k, in.v, config);
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.status().message(),
              "outputs: a score exceeds the float32 maximum, 3.40282e+38");
  }
}

TEST(AttentionThreads, RejectsCountsOutOfRange) {
  const Inputs in = inputs({1, 1, 2, 2, 4, 4});
  for (const int threads : {0, -1, 257}) {
    const auto result = attention(in.q, in.k, in.v, {.options = {.threads = threads}});
    ASSERT_FALSE(result.ok());
    EXPECT_EQ(result.status().message(),
              "threads: " + std::to_string(threads) + " is outside 1 to 256");
  }
}

TEST(RunParallel, ProcessesEveryItemOnce) {
  for (const int threads : {1, 2, 7}) {
    for (const int count : {0, 1, 2, 100}) {
      std::vector<std::atomic<int>> visit_counts(static_cast<std::size_t>(count));
      run_parallel(threads, count, [&](WorkItems& items) {
        for (int item = 0; items.next(item);) ++visit_counts[static_cast<std::size_t>(item)];
      });
      for (const auto& times : visit_counts) EXPECT_EQ(times, 1);
    }
  }
}

TEST(RunParallel, SupportsConcurrentCalls) {
  std::vector<std::thread> callers;
  std::atomic<int> total = 0;
  for (int caller = 0; caller < 4; ++caller) {
    callers.emplace_back([&] {
      for (int call = 0; call < 50; ++call) {
        run_parallel(3, 20, [&](WorkItems& items) {
          for (int item = 0; items.next(item);) ++total;
        });
      }
    });
  }
  for (std::thread& caller : callers) caller.join();
  EXPECT_EQ(total, 4 * 50 * 20);
}

}  // namespace
}  // namespace phasor::test::attention_threads_test
