// Multi-head latent attention (DeepSeek-V2, 2024, arXiv 2405.04434, section 2.1), decoded as full
// heads and as latents, against its formula in double. The rotary key is one vector per token,
// shared by all heads, and values are narrower than keys.

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
  const double size = magnitude(expected);
  const auto cache = cache_of(form.config);
  for (int first = 0; first < in.tokens(); first += count) {
    const int added = std::min(count, in.tokens() - first);
    const DecodeConfig step = make_decode_config(in, first, added);
    ASSERT_OK_AND_ASSIGN(const auto fork, cache->fork());
    ASSERT_OK_AND_ASSIGN(const AttentionResult got, decode(*cache, form.in, first, added, step));
    ASSERT_OK_AND_ASSIGN(const AttentionResult forked, decode(*fork, form.in, first, added, step));
    EXPECT_EQ(got.output.data, forked.output.data);
    ASSERT_TRUE(fork->truncate(first).ok());
    ASSERT_OK_AND_ASSIGN(const AttentionResult again, decode(*fork, form.in, first, added, step));
    EXPECT_EQ(got.output.data, again.output.data);
    const Tensor out = form.value_up.empty() ? got.output : times(got.output, form.value_up, false);
    ASSERT_EQ(out.shape, (std::vector<int>{in.heads(), added, in.v_head_dim()}));
    for (int h = 0; h < in.heads(); ++h) {
      for (int t = 0; t < added; ++t) {
        for (int c = 0; c < in.v_head_dim(); ++c) {
          const std::size_t position =
              static_cast<std::size_t>((h * in.tokens() + first + t) * in.v_head_dim() + c);
          EXPECT_NEAR(element(out, h, t, c), expected[position], 1e-5 * size)
              << "head " << h << ", token " << first + t << ", channel " << c;
        }
      }
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(LatentCache, DecodingMatchesTheFormulaInBothForms) {
  SplitMix64 random(2405);
  const auto from = [&](int least, int most) {
    return least + static_cast<int>(random.next() % static_cast<std::uint64_t>(most - least + 1));
  };
  for (int trial = 0; trial < 24; ++trial) {
    const Shape s{from(1, 4), from(1, 90), from(1, 9), 2 * from(1, 4), from(1, 12), from(1, 7)};
    Layer in = create_layer(s, random.next());
    in.half_split = trial % 2 == 0;
    if (trial % 3 == 0) in.window = from(1, 40);
    if (trial % 4 == 1) {
      for (int t = 0; t < s.tokens; ++t) in.key_mask.push_back(from(0, 3) == 0 ? 0 : 1);
    }
    SCOPED_TRACE(testing::Message() << "trial " << trial << ": " << s.tokens << " tokens");
    const int count = from(1, 20);
    expect_decoded(in, make_head_cache(in), count);
    expect_decoded(in, make_latent_cache(in), count);
    if (HasFailure()) return;
  }
}

TEST(LatentCache, AttentionMatchesTheFormulaInBothForms) {
  const Layer in = create_layer({3, 40, 5, 4, 8, 4}, 7);
  const std::vector<double> expected = reference_output(in);
  for (const CacheCase& form : {make_head_cache(in), make_latent_cache(in)}) {
    ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(form.in.q, form.in.k, form.in.v,
                                                              {.encoding = form.config.encoding,
                                                               .mask = Mask::causal,
                                                               .scale = form.config.scale}));
    const Tensor out = form.value_up.empty() ? got.output : times(got.output, form.value_up, false);
    EXPECT_LT(largest_error(out.data, expected), 1e-5);
  }
}

// Only the rotary channels may be rotated. Here rotary_offset 0 rotates the content channels.
TEST(LatentCache, RotatingTheContentChannelsChangesTheOutput) {
  const Layer in = create_layer({2, 30, 6, 4, 8, 4}, 9);
  const std::vector<double> expected = reference_output(in);
  CacheCase form = make_head_cache(in);
  form.config.encoding.params["rotary_offset"] = 0.0;
  ASSERT_OK_AND_ASSIGN(const AttentionResult got,
                       decode(*cache_of(form.config), form.in, 0, in.tokens()));
  EXPECT_GT(largest_error(got.output.data, expected), 1e-2);
}

// The dims of DeepSeek-V3 in cache.h, with a quarter of its heads.
TEST(LatentCache, UsesTheDocumentedMemory) {
  constexpr int kHeads = 32, kBlock = 1024;
  const auto of_token = [&](int heads, int before, int values) {
    const CacheConfig config{
        .heads = heads,
        .kv_heads = heads,
        .head_dim = before + 64,
        .v_head_dim = values,
        .max_length = kBlock,
        .encoding = {.id = "rope", .params = {{"rotary_offset", static_cast<double>(before)}}}};
    const auto cache = cache_of(config);
    const double empty = cache->bytes();
    std::vector<double> bytes;
    for (int step = 0; step < 2; ++step) {
      EXPECT_TRUE(cache
                      ->decode(Tensor({heads, 1, config.head_dim}),
                               Tensor({heads, 1, config.head_dim}), Tensor({heads, 1, values}))
                      .ok());
      bytes.push_back(cache->bytes() - empty);
    }
    constexpr double kOfToken = 32;  // position and largest magnitudes of a token
    EXPECT_LE(bytes[1] - bytes[0], kOfToken) << "the next token finds its room in the block";
    return (bytes[0] - kOfToken) / kBlock;
  };
  EXPECT_NEAR(of_token(1, 512, 512), 4 * 1088, 1);
  EXPECT_NEAR(of_token(kHeads, 128, 128), 4 * 40960 / 4, 1);
}

TEST(LatentCache, RejectsTensorsOfOtherShapes) {
  const Layer in = create_layer({2, 4, 4, 4, 6, 3}, 3);
  const CacheCase form = make_latent_cache(in);
  const auto error_of = [&](const Inputs& step) {
    const auto cache = cache_of(form.config);
    const std::string message = cache->decode(step.q, step.k, step.v).status().message();
    EXPECT_EQ(cache->length(), 0);
    EXPECT_EQ(cache->bytes(), cache_of(form.config)->bytes());
    return message;
  };
  Inputs wrong = form.in;
  wrong.v = in.value_up;  // (2, 6, 3)
  EXPECT_EQ(error_of(wrong), "v: has 6 tokens, but k has 4");
  wrong = form.in;
  wrong.v = concatenated(in.latent, in.key_rotary);
  EXPECT_EQ(error_of(wrong), "v: has 10 channels; expected 6");
  wrong = form.in;
  wrong.q = concatenated(in.content, in.rotary);
  EXPECT_EQ(error_of(wrong), "k: has 10 channels, but q has 8");
  CacheConfig config = form.config;
  config.encoding.params["rotary_offset"] = 10.0;
  EXPECT_EQ(KeyValueCache::create(config).status().message(),
            "rotary_offset: 10 leaves none of the 10 channels to rotate");
}

}  // namespace
}  // namespace phasor::test::latent_cache_test
