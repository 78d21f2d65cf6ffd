// A cache whose text grows beyond the original context of longrope. From there on, all keys are
// rotated with other frequencies, as in transformers.

#include <gtest/gtest.h>

#include <algorithm>

#include "checkpoint.h"

namespace phasor::test::longrope_cache_test {
namespace {

// The text grows from 5 tokens to 14. Beyond the original context of 8, cached keys are recomputed.
TEST(LongropeCache, GeneratesAcrossTheOriginalContext) {
  const Checkpoint checkpoint = read_checkpoint("phi3-longrope");
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, load(checkpoint));
  const Json& generated = checkpoint.expected["generated"];
  const auto ids = generated["input_ids"].get<std::vector<int>>();
  const auto expected = generated["new_ids"].get<std::vector<int>>();
  ASSERT_OK_AND_ASSIGN(const std::vector<int> out, model->generate(ids, {.max_new_tokens = 9}));
  EXPECT_EQ(out, expected);
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache, model->create_cache(30));
  std::vector<int> next = ids, decoded;
  while (decoded.size() < 9) {
    ASSERT_OK_AND_ASSIGN(const ModelOutput step,
                         model->run(next, {.top_k = 1, .cache = cache.get()}));
    next = {step.predictions.back().front().id};
    decoded.push_back(next.front());
  }
  EXPECT_EQ(decoded, expected);
}

// The last rows of each matrix of x (..., rows, columns).
std::vector<float> last_rows(const Tensor& x, int rows) {
  const auto size = static_cast<std::ptrdiff_t>(rows) * x.shape.back();
  const auto all = static_cast<std::ptrdiff_t>(x.shape[x.shape.size() - 2]) * x.shape.back();
  std::vector<float> out;
  for (auto end = x.data.begin() + all;; end += all) {
    out.insert(out.end(), end - size, end);
    if (end == x.data.end()) return out;
  }
}

double largest_difference(const std::vector<float>& a, const std::vector<float>& b) {
  if (a.size() != b.size()) return 1e30;
  double max_difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i)
    max_difference =
        std::max(max_difference, error(static_cast<double>(a[i]), static_cast<double>(b[i])));
  return max_difference;
}

// Compares every output of a step with the last `rows` tokens of a run of the whole text.
void expect_last_rows(const ModelOutput& step, const ModelOutput& full_output, int rows) {
  EXPECT_LE(largest_difference(step.logits.data, last_rows(full_output.logits, rows)), 3e-5);
  ASSERT_EQ(step.hidden_states.size(), full_output.hidden_states.size());
  for (std::size_t n = 0; n < step.hidden_states.size(); ++n)
    EXPECT_LE(largest_difference(step.hidden_states[n].data,
                                 last_rows(full_output.hidden_states[n], rows)),
              3e-5);
  ASSERT_EQ(step.attentions.size(), full_output.attentions.size());
  for (std::size_t n = 0; n < step.attentions.size(); ++n)
    EXPECT_LE(
        largest_difference(step.attentions[n].data, last_rows(full_output.attentions[n], rows)),
        8e-6);
  EXPECT_EQ(step.predictions.back().front().id, full_output.predictions.back().front().id);
}

const std::vector<int> kIds = {5, 9, 7, 30, 31, 6, 21, 40, 2, 17, 33, 4};

// The pieces end before, at and beyond the original context of 8 tokens, or cross it.
TEST(LongropeCache, MatchesOneRunAcrossTheOriginalContext) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, load(read_checkpoint("phi3-longrope")));
  const RunConfig output_options{
      .output_hidden_states = true, .output_attentions = true, .top_k = 1};
  for (const std::vector<int>& piece_sizes : {std::vector<int>{12},
                                              {5, 7},
                                              {8, 4},
                                              {5, 3, 1, 3},
                                              {9, 3},
                                              {1, 1, 1, 1, 1, 1, 1, 1, 1, 3}}) {
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache, model->create_cache(12));
    for (int end = 0; const int count : piece_sizes) {
      SCOPED_TRACE(std::to_string(end) + " and " + std::to_string(count) + " tokens");
      const std::span<const int> text =
          std::span(kIds).first(static_cast<std::size_t>(end + count));
      RunConfig step = output_options;
      step.cache = cache.get();
      ASSERT_OK_AND_ASSIGN(const ModelOutput actual,
                           model->run(text.last(static_cast<std::size_t>(count)), step));
      ASSERT_OK_AND_ASSIGN(const ModelOutput expected, model->run(text, output_options));
      expect_last_rows(actual, expected, count);
      end += count;
      EXPECT_EQ(cache->length(), end);
    }
  }
}

TEST(LongropeCache, KeepsItsMaskAcrossTheOriginalContext) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, load(read_checkpoint("phi3-longrope")));
  const std::span<const int> text = kIds;
  for (const bool hides_first : {false, true}) {
    std::vector<std::uint8_t> mask(12, 1);
    mask[hides_first ? 1 : 10] = 0;
    const auto step = [&](ModelCache* cache, int begin, int count) {
      RunConfig config{.output_hidden_states = true, .output_attentions = true, .top_k = 1};
      config.cache = cache;
      const auto mask_begin = mask.begin() + begin;
      if (std::count(mask_begin, mask_begin + count, 0) > 0)
        config.attention_mask.assign(mask_begin, mask_begin + count);
      return model->run(
          text.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)), config);
    };
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache, model->create_cache(12));
    ASSERT_TRUE(step(cache.get(), 0, 4).ok());
    ASSERT_TRUE(step(cache.get(), 4, 3).ok());
    ASSERT_OK_AND_ASSIGN(const ModelOutput actual, step(cache.get(), 7, 5));
    ASSERT_OK_AND_ASSIGN(const ModelOutput expected, step(nullptr, 0, 12));
    expect_last_rows(actual, expected, 5);
    const Tensor& weights = actual.attentions.back();
    EXPECT_EQ(weights.data[static_cast<std::size_t>(4 * 12 + (hides_first ? 1 : 10))], 0.0f);
  }
}

// After an error at the crossing, the keys of the shorter text are unchanged.
TEST(LongropeCache, IsUnchangedAfterAnError) {
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, load(read_checkpoint("phi3-longrope")));
  const std::span<const int> text = kIds;
  ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache, model->create_cache(12));
  const RunConfig step{.top_k = 1, .cache = cache.get()};
  ASSERT_TRUE(model->run(text.first(6), step).ok());
  EXPECT_FALSE(model->run(std::vector<int>{1, 2, 48}, step).ok());
  EXPECT_FALSE(model->run(text.last(7), step).ok());
  EXPECT_FALSE(model->run(text.last(4), {.attention_mask = {1}, .cache = cache.get()}).ok());
  EXPECT_EQ(cache->length(), 6);
  for (const int begin : {6, 7, 8, 11}) {
    const int count = begin == 8 ? 3 : 1;
    ASSERT_OK_AND_ASSIGN(
        const ModelOutput actual,
        model->run(text.subspan(static_cast<std::size_t>(begin), static_cast<std::size_t>(count)),
                   step));
    ASSERT_OK_AND_ASSIGN(
        const ModelOutput expected,
        model->run(text.first(static_cast<std::size_t>(begin + count)), {.top_k = 1}));
    expect_last_rows(actual, expected, count);
  }
}

// attention_weights returns the weights of one layer, but every layer caches the tokens.
TEST(LongropeCache, AttentionWeightsOfOneLayerExtendTheCache) {
  for (const char* name : {"llama-gqa", "phi3-longrope"}) {
    SCOPED_TRACE(name);
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, load(read_checkpoint(name)));
    const std::span<const int> text = kIds;
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache, model->create_cache(12));
    const RunConfig step{.top_k = 1, .cache = cache.get()};
    ASSERT_TRUE(model->run(text.first(6), step).ok());
    ASSERT_OK_AND_ASSIGN(const Tensor actual,
                         model->attention_weights(text.subspan(6, 5), 0, 1, step));
    ASSERT_OK_AND_ASSIGN(const Tensor expected, model->attention_weights(text.first(11), 0, 1, {}));
    EXPECT_LE(largest_difference(actual.data, last_rows(expected, 5)), 8e-6);
    EXPECT_EQ(cache->length(), 11);
    ASSERT_OK_AND_ASSIGN(const ModelOutput last, model->run(text.last(1), step));
    ASSERT_OK_AND_ASSIGN(const ModelOutput full_output, model->run(text, {.top_k = 1}));
    expect_last_rows(last, full_output, 1);
  }
}

// Changes apply before and after the crossing. A change may also move the original context or
// introduce longrope.
TEST(LongropeCache, AppliesChangesAcrossTheOriginalContext) {
  using Kind = PositionChange::Kind;
  const std::vector<PositionChange> changes = {
      {.kind = Kind::shift, .shift = 3},
      {.kind = Kind::order, .order = {11, 10, 9, 8, 7, 6, 5, 4, 3, 2, 1, 0}},
      {.kind = Kind::window, .heads = {1}, .window = 3},
      {.kind = Kind::params, .params = {{"original_length", 10}}},
      {.kind = Kind::params, .params = {{"original_length", 20}}},
      {.kind = Kind::params, .layers = {1}, .params = {{"original_length", 10}}},
      {.kind = Kind::params,
       .params = {{"scaling", std::string("longrope")}, {"factor", 8}, {"original_length", 7}}}};
  for (const char* name : {"phi3-longrope", "llama-gqa"}) {
    SCOPED_TRACE(name);
    ASSERT_OK_AND_ASSIGN(const std::unique_ptr<Model> model, load(read_checkpoint(name)));
    for (std::size_t n = 0; n < changes.size(); ++n) {
      SCOPED_TRACE(n);
      if (name == std::string("llama-gqa") && n >= 3 && n <= 5) continue;
      const std::vector<PositionChange> change = {changes[n]};
      ASSERT_OK_AND_ASSIGN(const std::unique_ptr<ModelCache> cache,
                           model->create_cache(12, change));
      const std::span<const int> text = kIds;
      for (std::size_t begin = 0; begin < 12; begin += 3) {
        const auto end = begin + 3;
        ASSERT_OK_AND_ASSIGN(
            const ModelOutput actual,
            model->run(text.subspan(begin, 3), {.top_k = 1, .cache = cache.get()}));
        if (changes[n].kind == Kind::order && end < 12) continue;
        ASSERT_OK_AND_ASSIGN(const ModelOutput expected,
                             model->run(text.first(end), {.top_k = 1, .changes = change}));
        expect_last_rows(actual, expected, 3);
      }
    }
  }
}

}  // namespace
}  // namespace phasor::test::longrope_cache_test
