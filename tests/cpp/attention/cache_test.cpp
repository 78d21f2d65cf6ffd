// Decoding in steps of any size matches attention over the whole text, and an error leaves the
// cache unchanged.

#include <gtest/gtest.h>

#include <algorithm>

#include "attention_inputs.h"
#include "cache_steps.h"
#include "phasor/phasor.h"
#include "reference.h"
#include "results.h"
#include "variants.h"

namespace phasor::test::cache_test {
namespace {

Result<Tensor> decode_output(KeyValueCache& cache, const Inputs& in, int first, int count) {
  return cache.decode(slice_tokens(in.q, first, count), slice_tokens(in.k, first, count),
                      slice_tokens(in.v, first, count));
}

// Decodes a text in steps and compares each with the rows of `expected` (heads, tokens,
// v_head_dim).
void expect_chunks(KeyValueCache& cache, const Inputs& in, const std::vector<int>& chunk_sizes,
                   const Tensor& expected, double tolerance) {
  int first = cache.length();
  for (const int count : chunk_sizes) {
    ASSERT_OK_AND_ASSIGN(const Tensor actual, decode_output(cache, in, first, count));
    const Tensor expected_rows = slice_tokens(expected, first, count);
    ASSERT_EQ(actual.shape, expected_rows.shape);
    ASSERT_LT(largest_error(actual.data, expected_rows.data), tolerance)
        << "tokens " << first << " to " << first + count;
    first += count;
    ASSERT_EQ(cache.length(), first);
  }
}

// Causal attention over the whole text, equivalent to the cache.
AttentionConfig make_attention_config(const CacheConfig& config) {
  return {.encoding = config.encoding,
          .mask = Mask::causal,
          .window = config.window,
          .key_mask = {},
          .position_offset = 0,
          .scale = config.scale,
          .outputs = {}};
}

constexpr double kTolerance = 2e-6;

TEST(KeyValueCache, MatchesFullAttentionWithEveryEncoding) {
  int compared = 0;
  for (const Variant& variant : every_variant()) {
    if (variant.type->injection == Injection::input) continue;
    const Sizes s{4, heads_of_keys(variant.config, 4, 2), 24, 24, 8, 5};
    SCOPED_TRACE(variant.name);
    const Inputs in = inputs(s);
    const CacheConfig config = make_cache_config(variant.config, s);
    ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                         attention(in.q, in.k, in.v, make_attention_config(config)));
    const double tolerance = allowed(*formula(in.q, in.k, in.v, make_attention_config(config)));
    expect_chunks(*create_cache(config), in, std::vector<int>(24, 1), expected.output, tolerance);
    expect_chunks(*create_cache(config), in, {7, 1, 11, 2, 3}, expected.output, tolerance);
    expect_chunks(*create_cache(config), in, {24}, expected.output, tolerance);
    if (HasFatalFailure()) return;
    ++compared;
  }
  EXPECT_GT(compared, 50);
}

TEST(KeyValueCache, MatchesTheFormula) {
  for (const EncodingInfo* type : encodings()) {
    if (type->injection == Injection::input) continue;
    SCOPED_TRACE(type->id);
    const EncodingConfig encoding{.id = std::string(type->id), .params = {}};
    const Sizes s{2, heads_of_keys(encoding, 2, 1), 20, 20, 8, 8};
    const Inputs in = inputs(s);
    const CacheConfig config = make_cache_config(encoding, s);
    ASSERT_OK_AND_ASSIGN(const Reference expected,
                         formula(in.q, in.k, in.v, make_attention_config(config)));
    Tensor expected_rows({2, 20, 8});
    std::transform(expected.output.begin(), expected.output.end(), expected_rows.data.begin(),
                   [](double x) { return static_cast<float>(x); });
    expect_chunks(*create_cache(config), in, {1, 1, 5, 1, 12}, expected_rows, allowed(expected));
  }
}

TEST(KeyValueCache, SupportsSharedKeysDifferentDimsAndWindows) {
  for (const char* id : {"none", "alibi", "cope", "shaw", "rope"}) {
    for (const Sizes& s : {Sizes{1, 1, 40, 40, 2, 1},
                           {6, 2, 40, 40, 4, 17},
                           {4, 1, 40, 40, 6, 3},
                           {3, 3, 40, 40, 16, 16}}) {
      for (const int window : {0, 1, 9, 100}) {
        SCOPED_TRACE(std::string(id) + " heads " + std::to_string(s.heads) + " window " +
                     std::to_string(window));
        const Inputs in = inputs(s);
        CacheConfig config = make_cache_config({.id = id, .params = {}}, s);
        if (window > 0) config.window = window;
        if (s.heads == 4) config.scale = 0.75;
        ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                             attention(in.q, in.k, in.v, make_attention_config(config)));
        expect_chunks(*create_cache(config), in, {1, 3, 17, 1, 1, 17}, expected.output, kTolerance);
        if (HasFatalFailure()) return;
      }
    }
  }
}

TEST(KeyValueCache, ValueDimDefaultsToHeadDim) {
  const Inputs in = inputs({1, 1, 3, 3, 4, 4});
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<KeyValueCache> cache,
                       KeyValueCache::create({.head_dim = 4, .max_length = 3, .encoding = {}}));
  ASSERT_OK_AND_ASSIGN(const Tensor actual, decode_output(*cache, in, 0, 3));
  EXPECT_EQ(actual.shape, (std::vector<int>{1, 3, 4}));
}

// Keys are stored in blocks of 1024. Steps are single tokens across a block boundary, and longer
// steps across one or two boundaries.
TEST(KeyValueCache, DecodesTextsLongerThanABlock) {
  for (const char* id : {"none", "rope", "t5", "shaw", "cope", "deberta"}) {
    for (const int window : {0, 40}) {
      SCOPED_TRACE(std::string(id) + " window " + std::to_string(window));
      // Without a window a head has four million scores.
      const Sizes s{window > 0 ? 2 : 1, 1, 2060, 2060, 4, 3};
      const Inputs in = inputs(s);
      CacheConfig config = make_cache_config({.id = id, .params = {}}, s);
      if (window > 0) config.window = window;
      ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                           attention(in.q, in.k, in.v, make_attention_config(config)));
      const auto cache = create_cache(config);
      expect_chunks(*cache, in, {1022, 1, 1, 1, 1, 34, 987, 1, 2, 10}, expected.output, 4e-6);
      expect_chunks(*create_cache(config), in, {1024, 1024, 12}, expected.output, 4e-6);
      if (HasFatalFailure()) return;
    }
  }
}

constexpr Sizes kSmall{4, 2, 12, 12, 8, 6};

// Expects an error message, an unchanged length, and a correct result of the next step.
void expect_rejected(KeyValueCache& cache, const Inputs& in, const Tensor& q, const Tensor& k,
                     const Tensor& v, const std::string& message) {
  const int length_before = cache.length();
  EXPECT_EQ(cache.decode(q, k, v).status().message(), message);
  EXPECT_EQ(cache.length(), length_before);
  ASSERT_OK_AND_ASSIGN(const AttentionResult expected,
                       attention(in.q, in.k, in.v, make_attention_config({.encoding = {}})));
  ASSERT_OK_AND_ASSIGN(const Tensor actual, decode_output(cache, in, length_before, 1));
  EXPECT_LT(largest_error(actual.data, slice_tokens(expected.output, length_before, 1).data),
            kTolerance)
      << "after: " << message;
}

TEST(KeyValueCache, MismatchedArgumentsAreRejectedWithoutEffect) {
  const Inputs in = inputs(kSmall);
  const auto cache = create_cache(make_cache_config({}, kSmall));
  ASSERT_OK_AND_ASSIGN(const Tensor first, decode_output(*cache, in, 0, 4));
  const Tensor q({4, 1, 8}), k({2, 1, 8}), v({2, 1, 6});
  expect_rejected(*cache, in, Tensor({2, 1, 8}), k, v, "q: has 2 heads; expected 4");
  expect_rejected(*cache, in, q, Tensor({1, 1, 8}), Tensor({1, 1, 6}),
                  "k: has 1 heads; expected 2");
  expect_rejected(*cache, in, Tensor({4, 1, 6}), Tensor({2, 1, 6}), v,
                  "q: has 6 channels; expected 8");
  expect_rejected(*cache, in, q, k, Tensor({2, 1, 8}), "v: has 8 channels; expected 6");
  expect_rejected(*cache, in, Tensor({4, 2, 8}), k, v, "q: has 2 tokens; expected 1");
  expect_rejected(*cache, in, q, Tensor({2, 1, 7}), v, "k: has 7 channels, but q has 8");
  expect_rejected(*cache, in, Tensor({4, 8}), k, v,
                  "q: has shape 4 x 8; expected heads x tokens x dim");
  EXPECT_EQ(cache->length(), 11);
}

TEST(KeyValueCache, TokensBeyondMaxLengthAreRejectedWithoutEffect) {
  const Inputs in = inputs(kSmall);
  const auto cache = create_cache(make_cache_config({}, kSmall));
  ASSERT_OK_AND_ASSIGN(const Tensor first, decode_output(*cache, in, 0, 5));
  expect_rejected(*cache, in, Tensor({4, 8, 8}), Tensor({2, 8, 8}), Tensor({2, 8, 6}),
                  "k: 8 more tokens give a length of 13; expected at most max_length, 12");
  ASSERT_OK_AND_ASSIGN(const Tensor rest, decode_output(*cache, in, 6, 6));
  EXPECT_EQ(decode_output(*cache, in, 0, 1).status().message(),
            "k: 1 more tokens give a length of 13; expected at most max_length, 12");
  EXPECT_EQ(cache->length(), 12);
}

TEST(KeyValueCache, NonFiniteValuesAreRejectedWithoutEffect) {
  const Inputs in = inputs(kSmall);
  const auto cache = create_cache(make_cache_config({}, kSmall));
  ASSERT_OK_AND_ASSIGN(const Tensor first, decode_output(*cache, in, 0, 4));
  const Tensor q({4, 1, 8}), k({2, 1, 8}), v({2, 1, 6});
  const auto set_value = [](Tensor t, float value) {
    t.data[5] = value;
    return t;
  };
  expect_rejected(*cache, in, set_value(q, NAN), k, v, "q[5]: NaN is not a finite number");
  expect_rejected(*cache, in, q, set_value(k, INFINITY), v,
                  "k[5]: Infinity is not a finite number");
  expect_rejected(*cache, in, q, k, set_value(v, -INFINITY),
                  "v[5]: -Infinity is not a finite number");
}

// A distance beyond the table of relative_bias, and a position at which the scale of xpos
// overflows.
TEST(KeyValueCache, PositionsRejectedByTheEncodingLeaveTheCacheUnchanged) {
  const Sizes s{1, 1, 12, 12, 4, 4};
  const Inputs in = inputs(s);
  for (const EncodingConfig& encoding :
       {EncodingConfig{.id = "relative_bias", .params = {{"max_length", 6.0}}},
        EncodingConfig{.id = "xpos", .params = {{"scale_base", 1.0}, {"gamma", 0.001}}}}) {
    SCOPED_TRACE(encoding.id);
    const auto cache = create_cache(make_cache_config(encoding, s)),
               expected_cache = create_cache(make_cache_config(encoding, s));
    ASSERT_OK_AND_ASSIGN(const Tensor start, decode_output(*cache, in, 0, 4));
    const Status status = decode_output(*cache, in, 4, 8).status();
    EXPECT_EQ(status.code(), StatusCode::invalid_argument);
    EXPECT_EQ(
        status.message().rfind(
            encoding.id == "xpos" ? "positions[2]: 6 is too far" : "max_length: 6 is too small", 0),
        0u)
        << status.message();
    EXPECT_EQ(cache->length(), 4);
    ASSERT_OK_AND_ASSIGN(const Tensor actual, decode_output(*cache, in, 4, 2));
    ASSERT_OK_AND_ASSIGN(const Tensor expected_start, decode_output(*expected_cache, in, 0, 4));
    ASSERT_OK_AND_ASSIGN(const Tensor expected, decode_output(*expected_cache, in, 4, 2));
    EXPECT_EQ(actual.data, expected.data);
  }
}

// The sum of a value and the vector that Shaw adds to it overflows float32. This is detected after
// the new tokens are stored, some of them in a new block. With a window of 1 every token attends
// only to itself.
TEST(KeyValueCache, AnOutputOverflowLeavesTheCacheUnchanged) {
  const Sizes s{2, 2, 1030, 1030, 4, 4};
  const Inputs in = inputs(s);
  CacheConfig config = make_cache_config(
      {.id = "shaw", .params = {{"table_v", Tensor({33, 4}, std::vector<float>(132, 3e38f))}}}, s);
  config.window = 1;
  const auto cache = create_cache(config), expected_cache = create_cache(config);
  ASSERT_OK_AND_ASSIGN(const Tensor start, decode_output(*cache, in, 0, 1020));
  ASSERT_OK_AND_ASSIGN(const Tensor same, decode_output(*expected_cache, in, 0, 1020));
  EXPECT_FALSE(cache
                   ->decode(slice_tokens(in.q, 0, 9), slice_tokens(in.k, 0, 9),
                            Tensor({2, 9, 4}, std::vector<float>(72, 3e38f)))
                   .ok());
  EXPECT_EQ(cache->length(), 1020);
  ASSERT_OK_AND_ASSIGN(const Tensor actual, decode_output(*cache, in, 1020, 10));
  ASSERT_OK_AND_ASSIGN(const Tensor expected, decode_output(*expected_cache, in, 1020, 10));
  EXPECT_EQ(actual.data, expected.data);
}

}  // namespace
}  // namespace phasor::test::cache_test
