// Multi-head latent attention (DeepSeek-V2, 2024, arXiv 2405.04434, section 2.1), decoded as full
// heads and as latents, against its formula in double. The rotary key is one vector per
// token, shared by all heads, and values are narrower than keys.

#include <gtest/gtest.h>

#include "cache_steps.h"
#include "latent_layer.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::latent_cache_test {
namespace {

// Decodes in steps of `count` tokens. A fork repeats each step, before and after a truncation.
void expect_decoded(const Layer& in, const CacheCase& form, int count) {
  const std::vector<double> expected = reference_output(in);
  const double scale = magnitude(expected);
  const auto cache = create_cache(form.config);
  for (int first = 0; first < in.tokens(); first += count) {
    const int chunk_size = std::min(count, in.tokens() - first);
    const DecodeConfig step_config = make_decode_config(in, first, chunk_size);
    ASSERT_OK_AND_ASSIGN(const auto fork, cache->fork());
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual,
                         decode(*cache, form.in, first, chunk_size, step_config));
    ASSERT_OK_AND_ASSIGN(const AttentionResult fork_result,
                         decode(*fork, form.in, first, chunk_size, step_config));
    EXPECT_EQ(actual.output.data, fork_result.output.data);
    ASSERT_TRUE(fork->truncate(first).ok());
    ASSERT_OK_AND_ASSIGN(const AttentionResult repeated_result,
                         decode(*fork, form.in, first, chunk_size, step_config));
    EXPECT_EQ(actual.output.data, repeated_result.output.data);
    const Tensor output =
        form.value_up.empty() ? actual.output : multiply_heads(actual.output, form.value_up, false);
    ASSERT_EQ(output.shape, (std::vector<int>{in.heads(), chunk_size, in.v_head_dim()}));
    for (int h = 0; h < in.heads(); ++h) {
      for (int t = 0; t < chunk_size; ++t) {
        for (int c = 0; c < in.v_head_dim(); ++c) {
          const std::size_t position =
              static_cast<std::size_t>((h * in.tokens() + first + t) * in.v_head_dim() + c);
          EXPECT_NEAR(element(output, h, t, c), expected[position], 1e-5 * scale)
              << "head " << h << ", token " << first + t << ", channel " << c;
        }
      }
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(LatentCache, DecodingMatchesTheFormulaInBothForms) {
  SplitMix64 random(2405);
  const auto draw_int = [&](int low, int high) {
    return low + static_cast<int>(random.next() % static_cast<std::uint64_t>(high - low + 1));
  };
  for (int trial = 0; trial < 24; ++trial) {
    const Shape s{draw_int(1, 4),     draw_int(1, 90), draw_int(1, 9),
                  2 * draw_int(1, 4), draw_int(1, 12), draw_int(1, 7)};
    Layer in = create_layer(s, random.next());
    in.half_split = trial % 2 == 0;
    if (trial % 3 == 0) in.window = draw_int(1, 40);
    if (trial % 4 == 1) {
      for (int t = 0; t < s.tokens; ++t) in.key_mask.push_back(draw_int(0, 3) == 0 ? 0 : 1);
    }
    SCOPED_TRACE(testing::Message() << "trial " << trial << ": " << s.tokens << " tokens");
    const int count = draw_int(1, 20);
    expect_decoded(in, make_head_cache(in), count);
    expect_decoded(in, make_latent_cache(in), count);
    if (HasFailure()) return;
  }
}

TEST(LatentCache, AttentionMatchesTheFormulaInBothForms) {
  const Layer in = create_layer({3, 40, 5, 4, 8, 4}, 7);
  const std::vector<double> expected = reference_output(in);
  for (const CacheCase& form : {make_head_cache(in), make_latent_cache(in)}) {
    ASSERT_OK_AND_ASSIGN(const AttentionResult actual, attention(form.in.q, form.in.k, form.in.v,
                                                                 {.encoding = form.config.encoding,
                                                                  .mask = Mask::causal,
                                                                  .scale = form.config.scale}));
    const Tensor output =
        form.value_up.empty() ? actual.output : multiply_heads(actual.output, form.value_up, false);
    EXPECT_LT(largest_error(output.data, expected), 1e-5);
  }
}

// Only the rotary channels may be rotated. Here rotary_offset 0 rotates the content channels.
TEST(LatentCache, RotatingTheContentChannelsChangesTheOutput) {
  const Layer in = create_layer({2, 30, 6, 4, 8, 4}, 9);
  const std::vector<double> expected = reference_output(in);
  CacheCase form = make_head_cache(in);
  form.config.encoding.params["rotary_offset"] = 0.0;
  ASSERT_OK_AND_ASSIGN(const AttentionResult actual,
                       decode(*create_cache(form.config), form.in, 0, in.tokens()));
  EXPECT_GT(largest_error(actual.output.data, expected), 1e-2);
}

// The dims of DeepSeek-V3 in cache.h, with a quarter of its heads.
TEST(LatentCache, UsesTheDocumentedMemory) {
  constexpr int kHeads = 32, kBlock = 1024;
  const auto get_token_bytes = [&](int heads, int rotary_offset, int v_head_dim) {
    const CacheConfig config{
        .heads = heads,
        .kv_heads = heads,
        .head_dim = rotary_offset + 64,
        .v_head_dim = v_head_dim,
        .max_length = kBlock,
        .encoding = {.id = "rope",
                     .params = {{"rotary_offset", static_cast<double>(rotary_offset)}}}};
    const auto cache = create_cache(config);
    const double empty = cache->bytes();
    std::vector<double> bytes;
    for (int step = 0; step < 2; ++step) {
      EXPECT_TRUE(cache
                      ->decode(Tensor({heads, 1, config.head_dim}),
                               Tensor({heads, 1, config.head_dim}), Tensor({heads, 1, v_head_dim}))
                      .ok());
      bytes.push_back(cache->bytes() - empty);
    }
    constexpr double kTokenOverhead = 32;  // position and largest magnitudes of a token
    EXPECT_LE(bytes[1] - bytes[0], kTokenOverhead) << "the next token finds its room in the block";
    return (bytes[0] - kTokenOverhead) / kBlock;
  };
  EXPECT_NEAR(get_token_bytes(1, 512, 512), 4 * 1088, 1);
  EXPECT_NEAR(get_token_bytes(kHeads, 128, 128), 4 * 40960 / 4, 1);
}

TEST(LatentCache, RejectsTensorsOfOtherShapes) {
  const Layer in = create_layer({2, 4, 4, 4, 6, 3}, 3);
  const CacheCase form = make_latent_cache(in);
  const auto get_error_message = [&](const Inputs& step) {
    const auto cache = create_cache(form.config);
    const std::string message = cache->decode(step.q, step.k, step.v).status().message();
    EXPECT_EQ(cache->length(), 0);
    EXPECT_EQ(cache->bytes(), create_cache(form.config)->bytes());
    return message;
  };
  Inputs invalid_inputs = form.in;
  invalid_inputs.v = in.value_up;  // (2, 6, 3)
  EXPECT_EQ(get_error_message(invalid_inputs), "v: has 6 tokens, but k has 4");
  invalid_inputs = form.in;
  invalid_inputs.v = concatenate_channels(in.latent, in.key_rotary);
  EXPECT_EQ(get_error_message(invalid_inputs), "v: has 10 channels; expected 6");
  invalid_inputs = form.in;
  invalid_inputs.q = concatenate_channels(in.content, in.rotary);
  EXPECT_EQ(get_error_message(invalid_inputs), "k: has 10 channels, but q has 8");
  CacheConfig config = form.config;
  config.encoding.params["rotary_offset"] = 10.0;
  EXPECT_EQ(KeyValueCache::create(config).status().message(),
            "rotary_offset: 10 leaves none of the 10 channels to rotate");
}

}  // namespace
}  // namespace phasor::test::latent_cache_test
