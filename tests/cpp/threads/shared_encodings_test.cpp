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
  std::vector<float> numbers{};
  bool operator==(const CallResult&) const = default;
};

void append(const Tensor& tensor, std::vector<float>& numbers) {
  numbers.insert(numbers.end(), tensor.data.begin(), tensor.data.end());
}
void append(const AttentionResult& result, std::vector<float>& numbers) {
  for (const Tensor* tensor : {&result.output, &result.weights, &result.scores, &result.bias})
    append(*tensor, numbers);
}
void append(const Frequencies& frequencies, std::vector<float>& numbers) {
  for (const double frequency : frequencies.inv_freq)
    numbers.push_back(static_cast<float>(frequency));
}

template <class T>
void append(const Result<T>& result, CallResult& call_result) {
  if (result.ok()) {
    append(*result, call_result.numbers);
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

Tensor first(const Tensor& x, int from, int count) {
  Tensor part({kHeads, count, kHeadDim});
  for (int h = 0; h < kHeads; ++h)
    std::copy_n(matrix(x, h).row(from), count * kHeadDim, matrix(part, h).row(0));
  return part;
}

std::vector<double> positions_of(int from, int count, int step, int axes) {
  std::vector<double> all;
  for (int t = 0; t < count; ++t)
    all.insert(all.end(), static_cast<std::size_t>(axes), from + step * t);
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
    config.query_positions = {positions_of(0, count, step, shared.axes), shared.axes};
    config.key_positions = config.query_positions;
  }
  CallResult call_result;
  append(attention(first(shared.q, 0, count), first(shared.k, 0, count), first(shared.v, 0, count),
                   *shared.encoding, config),
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
  for (const auto& [from, count] :
       {std::pair(0, prompt), std::pair(prompt, 1), std::pair(prompt + 1, 1)}) {
    append((*cache)->decode(first(shared.q, from, count), first(shared.k, from, count),
                            first(shared.v, from, count),
                            {.outputs = {.weights = true, .bias = true}}),
           call_result);
  }
  return call_result;
}

CallResult evaluate(const Shared& shared, int from) {
  const std::vector<double> at = positions_of(from, 5, 1, shared.axes),
                            one = positions_of(from, 1, 1, shared.axes);
  const Positions positions(at, shared.axes);
  CallResult call_result;
  append(position_table(*shared.encoding, positions, kHeadDim), call_result);
  append(
      attention_bias(*shared.encoding, kHeads, positions, positions_of(0, kLength, 1, 1), kHeadDim),
      call_result);
  append(rotary_angles(*shared.encoding, positions, kHeadDim), call_result);
  append(apply_rotary(*shared.encoding, Role::query, positions, first(shared.q, 0, 5)),
         call_result);
  append(apply_rotary(*shared.encoding, Role::key, positions, first(shared.k, 0, 5)), call_result);
  append(rotation_matrix(*shared.encoding, Role::query, Positions(one, shared.axes), kHeadDim),
         call_result);
  append(rope_frequencies(*shared.encoding, kHeadDim), call_result);
  return call_result;
}

// Runs a layer that creates a separate encoding in this thread.
CallResult encode(const Shared& shared, int count) {
  Tensor x({count, kHeads * kHeadDim});
  std::copy_n(shared.v.data.begin(), x.data.size(), x.data.begin());
  CallResult call_result;
  append(self_attention(x, {.heads = kHeads,
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
    succeeded += !expected.back().numbers.empty();
  }
  const Shared shared{variant, make_encoding(variant)};
  std::vector<int> wrong(kThreads);
  std::latch together(kThreads);
  std::vector<std::thread> threads;
  for (int thread = 0; thread < kThreads; ++thread) {
    threads.emplace_back([&, thread] {
      const std::size_t count = all_calls().size();
      int differ = 0;
      together.arrive_and_wait();
      for (std::size_t n = 0; n < kRounds * count; ++n) {
        const std::size_t call = (n + static_cast<std::size_t>(thread) * count / kThreads) % count;
        differ += all_calls()[call](shared) != expected[call];
      }
      wrong[static_cast<std::size_t>(thread)] = differ;
    });
  }
  for (std::thread& thread : threads) thread.join();
  return wrong;
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
