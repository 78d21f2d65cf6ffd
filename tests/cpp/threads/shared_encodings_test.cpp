// phasor.h declares a const encoding safe to share among threads: several threads that use one at
// the same time get the same bits as a single thread. ThreadSanitizer, whose build compiles only
// the tests of this folder, also reports races without effect on the results.

#include <gtest/gtest.h>

#include <functional>
#include <latch>
#include <thread>

#include "numbers.h"
#include "phasor/phasor.h"
#include "variants.h"

#ifndef __has_feature  // missing in GCC
#define __has_feature(feature) 0
#endif

namespace phasor::test {
namespace {

// ThreadSanitizer reports a race even if it does not change a result, so few rounds suffice.
#if __has_feature(thread_sanitizer)
constexpr int kRounds = 2;
#else
constexpr int kRounds = 6;
#endif
constexpr int kHeads = 2, kHeadDim = 8, kLength = 24, kThreads = 4;

struct CallResult {
  std::string refusal{};
  std::vector<float> values{};
  bool operator==(const CallResult&) const = default;
};

void append_values(const Tensor& tensor, std::vector<float>& values) {
  values.insert(values.end(), tensor.data.begin(), tensor.data.end());
}
void append_values(const AttentionResult& result, std::vector<float>& values) {
  for (const Tensor* tensor : {&result.output, &result.weights, &result.scores, &result.bias})
    append_values(*tensor, values);
}
void append_values(const Frequencies& frequencies, std::vector<float>& values) {
  for (const double frequency : frequencies.inv_freq)
    values.push_back(static_cast<float>(frequency));
}

template <class T>
void append_values(const Result<T>& result, CallResult& call_result) {
  if (result.ok()) {
    append_values(*result, call_result.values);
  } else {
    call_result.refusal += result.status().message();
  }
}

struct Shared {
  const Variant& variant;
  std::shared_ptr<const Encoding> encoding;
  int axes = variant.type->axes;
  Tensor q = dyadic(1, {kHeads, kLength, kHeadDim}), k = dyadic(2, {kHeads, kLength, kHeadDim}),
         v = dyadic(3, {kHeads, kLength, kHeadDim});
};

Tensor slice_rows(const Tensor& x, int start, int count) {
  Tensor rows({kHeads, count, kHeadDim});
  for (int h = 0; h < kHeads; ++h)
    std::copy_n(matrix(x, h).row(start), count * kHeadDim, matrix(rows, h).row(0));
  return rows;
}

std::vector<double> make_positions(int start, int count, int step, int axes) {
  std::vector<double> all;
  for (int t = 0; t < count; ++t)
    all.insert(all.end(), static_cast<std::size_t>(axes), start + step * t);
  return all;
}

AttentionOptions all_options() {
  return {.sinks = Tensor({kHeads}, {0.5f, -1}), .softcap = 2, .qk_norm = QkNorm{}};
}

// Attention over the first `count` tokens, whose positions are `step` apart.
CallResult attend(const Shared& shared, int count, int step, AttentionOptions options = {}) {
  AttentionConfig config{.mask = Mask::causal,
                         .outputs = {.weights = true, .scores = true, .bias = true},
                         .options = std::move(options)};
  if (step != 1 || shared.axes > 1) {
    config.query_positions = {make_positions(0, count, step, shared.axes), shared.axes};
    config.key_positions = config.query_positions;
  }
  CallResult call_result;
  append_values(attention(slice_rows(shared.q, 0, count), slice_rows(shared.k, 0, count),
                          slice_rows(shared.v, 0, count), *shared.encoding, config),
                call_result);
  return call_result;
}

CallResult decode(const Shared& shared, int prompt) {
  CallResult call_result;
  const auto cache = KeyValueCache::create({.heads = kHeads,
                                            .kv_heads = kHeads,
                                            .head_dim = kHeadDim,
                                            .v_head_dim = kHeadDim,
                                            .max_length = kLength},
                                           shared.encoding);
  if (!cache.ok()) return {.refusal = cache.status().message()};
  for (const auto& [start, count] :
       {std::pair(0, prompt), std::pair(prompt, 1), std::pair(prompt + 1, 1)}) {
    append_values(
        (*cache)->decode(slice_rows(shared.q, start, count), slice_rows(shared.k, start, count),
                         slice_rows(shared.v, start, count),
                         {.outputs = {.weights = true, .bias = true}}),
        call_result);
  }
  return call_result;
}

CallResult evaluate(const Shared& shared, int start) {
  const std::vector<double> position_values = make_positions(start, 5, 1, shared.axes),
                            one = make_positions(start, 1, 1, shared.axes);
  const Positions positions(position_values, shared.axes);
  CallResult call_result;
  append_values(position_table(*shared.encoding, positions, kHeadDim), call_result);
  append_values(attention_bias(*shared.encoding, kHeads, positions,
                               make_positions(0, kLength, 1, 1), kHeadDim),
                call_result);
  append_values(rotary_angles(*shared.encoding, positions, kHeadDim), call_result);
  append_values(apply_rotary(*shared.encoding, Role::query, positions, slice_rows(shared.q, 0, 5)),
                call_result);
  append_values(apply_rotary(*shared.encoding, Role::key, positions, slice_rows(shared.k, 0, 5)),
                call_result);
  append_values(
      rotation_matrix(*shared.encoding, Role::query, Positions(one, shared.axes), kHeadDim),
      call_result);
  append_values(rope_frequencies(*shared.encoding, kHeadDim), call_result);
  return call_result;
}

// Runs a layer that creates a separate encoding in this thread.
CallResult encode(const Shared& shared, int count) {
  Tensor x({count, kHeads * kHeadDim});
  std::copy_n(shared.v.data.begin(), x.data.size(), x.data.begin());
  CallResult call_result;
  append_values(self_attention(x, {.heads = kHeads,
                                   .encoding = shared.variant.config,
                                   .projections = Projections::orthogonal}),
                call_result);
  return call_result;
}

// Threads run the calls in different orders, so none finds a result that another has cached for
// the same call.
const std::vector<std::function<CallResult(const Shared&)>>& all_calls() {
  static const std::vector<std::function<CallResult(const Shared&)>> all = [] {
    std::vector<std::function<CallResult(const Shared&)>> list;
    for (const int n : {0, 1, 2, 3}) {
      list.emplace_back([n](const Shared& shared) { return attend(shared, kLength - 5 * n, 1); });
      list.emplace_back([n](const Shared& shared) { return decode(shared, 3 + n); });
      list.emplace_back([n](const Shared& shared) { return attend(shared, 5 + n, 3); });
      list.emplace_back([n](const Shared& shared) { return encode(shared, 6 + n); });
      list.emplace_back(
          [n](const Shared& shared) { return attend(shared, kLength - 3 * n, 1, all_options()); });
      list.emplace_back(
          [n](const Shared& shared) { return evaluate(shared, n < 3 ? 4 * n : 1000000); });
    }
    return list;
  }();
  return all;
}

std::shared_ptr<const Encoding> make_encoding(const Variant& variant) {
  Result<std::unique_ptr<Encoding>> result = create_encoding(
      variant.config,
      {.length = kLength, .dim = kHeadDim, .heads = kHeads, .axes = variant.type->axes});
  return result.ok() ? std::shared_ptr<const Encoding>(*std::move(result)) : nullptr;
}

// Returns, for each thread, the number of results that differ from those of a single thread.
std::vector<int> count_differences(const Variant& variant, int& succeeded) {
  std::vector<CallResult> expected;
  for (const auto& call : all_calls()) {
    expected.push_back(call({variant, make_encoding(variant)}));
    succeeded += !expected.back().values.empty();
  }
  const Shared shared{variant, make_encoding(variant)};
  std::vector<int> mismatch_counts(kThreads);
  std::latch start_latch(kThreads);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      const std::size_t count = all_calls().size();
      int encoding_count = 0;
      start_latch.arrive_and_wait();
      for (std::size_t n = 0; n < kRounds * count; ++n) {
        const std::size_t call = (n + static_cast<std::size_t>(thread) * count / kThreads) % count;
        encoding_count += all_calls()[call](shared) != expected[call];
      }
      mismatch_counts[static_cast<std::size_t>(thread)] = encoding_count;
    });
  }
  for (std::thread& thread : threads) thread.join();
  return mismatch_counts;
}

TEST(Threads, GetIdenticalResultsFromASharedEncoding) {
  std::string_view last;
  for (const Variant& variant : every_variant()) {
    if (make_encoding(variant) == nullptr) {
      EXPECT_EQ(last, variant.type->id) << "no variant of it has these sizes";
      continue;
    }
    int succeeded = 0;
    EXPECT_EQ(count_differences(variant, succeeded), std::vector<int>(kThreads)) << variant.name;
    EXPECT_GE(succeeded, variant.type->injection == Injection::input ? 3 : 16) << variant.name;
    last = variant.type->id;
  }
}

}  // namespace
}  // namespace phasor::test
