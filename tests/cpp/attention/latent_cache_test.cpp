// Multi-head latent attention (DeepSeek-V2, 2024, arXiv 2405.04434, section 2.1) step by step, as
// whole heads and as latents, against its formula in double over whole tensors: the rotary key is
// one vector a token, which all heads share, and values are narrower than keys.

#include <gtest/gtest.h>

#include <cmath>

#include "cache_steps.h"
#include "phasor/phasor.h"
#include "results.h"

namespace phasor::test::latent_cache_test {
namespace {

constexpr double kBase = 1000;

// content (heads, tokens, content), rotary (heads, tokens, rotary), latent (1, tokens, latent),
// key_rotary (1, tokens, rotary), key_up (heads, latent, content), value_up (heads, latent, values)
struct Layer {
  Tensor content, rotary, latent, key_rotary, key_up, value_up;
  bool half_split = false;
  std::optional<int> window{};
  std::vector<std::uint8_t> key_mask{};

  int heads() const { return content.shape[0]; }
  int tokens() const { return content.shape[1]; }
  int content_width() const { return content.shape[2]; }
  int rotary_width() const { return rotary.shape[2]; }
  int latent_width() const { return latent.shape[2]; }
  int value_width() const { return value_up.shape[2]; }
  double scale() const {
    return 1 / std::sqrt(static_cast<double>(content_width() + rotary_width()));
  }
};

struct Shape {
  int heads, tokens, content, rotary, latent, values;
};

Layer layer_of(const Shape& s, std::uint64_t seed) {
  Layer made{.content = dyadic(seed, {s.heads, s.tokens, s.content}),
             .rotary = dyadic(seed + 1, {s.heads, s.tokens, s.rotary}),
             .latent = dyadic(seed + 2, {1, s.tokens, s.latent}),
             .key_rotary = dyadic(seed + 3, {1, s.tokens, s.rotary}),
             .key_up = dyadic(seed + 4, {s.heads, s.latent, s.content}),
             .value_up = dyadic(seed + 5, {s.heads, s.latent, s.values})};
  for (Tensor* up : {&made.key_up, &made.value_up}) {
    for (float& x : up->data) x *= 0.5f;
  }
  return made;
}

double at(const Tensor& t, int head, int row, int column) {
  return static_cast<double>(matrix(t, head).row(row)[column]);
}

// x (heads or 1, tokens, n) times m (heads, n, columns), or its transpose (heads, columns, n)
Tensor times(const Tensor& x, const Tensor& m, bool transposed) {
  Tensor out({m.shape[0], x.shape[1], m.shape[transposed ? 1 : 2]});
  for (int h = 0; h < m.shape[0]; ++h) {
    for (int t = 0; t < x.shape[1]; ++t) {
      for (int c = 0; c < out.shape[2]; ++c) {
        double sum = 0;
        for (int n = 0; n < x.shape[2]; ++n)
          sum +=
              at(x, x.shape[0] == 1 ? 0 : h, t, n) * (transposed ? at(m, h, c, n) : at(m, h, n, c));
        matrix(out, h).row(t)[c] = static_cast<float>(sum);
      }
    }
  }
  return out;
}

// The channels of a, then those of b, which may have one head for all.
Tensor beside(const Tensor& a, const Tensor& b) {
  const int left = a.shape[2], right = b.shape[2];
  Tensor out({a.shape[0], a.shape[1], left + right});
  for (int h = 0; h < a.shape[0]; ++h) {
    for (int t = 0; t < a.shape[1]; ++t) {
      std::copy_n(matrix(a, h).row(t), left, matrix(out, h).row(t));
      std::copy_n(matrix(b, b.shape[0] == 1 ? 0 : h).row(t), right, matrix(out, h).row(t) + left);
    }
  }
  return out;
}

// rope(q).rope(k), which depends on the distance alone.
double rotary_product(const Layer& in, int head, int i, int j) {
  const int pairs = in.rotary_width() / 2;
  double sum = 0;
  for (int m = 0; m < pairs; ++m) {
    const int a = in.half_split ? m : 2 * m, b = in.half_split ? m + pairs : 2 * m + 1;
    const double angle = (i - j) * std::pow(kBase, -static_cast<double>(m) / pairs);
    const double qa = at(in.rotary, head, i, a), qb = at(in.rotary, head, i, b),
                 ka = at(in.key_rotary, 0, j, a), kb = at(in.key_rotary, 0, j, b);
    sum += (qa * ka + qb * kb) * std::cos(angle) + (qa * kb - qb * ka) * std::sin(angle);
  }
  return sum;
}

// (heads, tokens, values)
std::vector<double> formula(const Layer& in) {
  std::vector<double> out;
  // Row j of an up-projected latent, in double as it is multiplied.
  const auto up = [&](const Tensor& m, int head, int j, int column) {
    double sum = 0;
    for (int n = 0; n < in.latent_width(); ++n)
      sum += at(in.latent, 0, j, n) * at(m, head, n, column);
    return sum;
  };
  for (int h = 0; h < in.heads(); ++h) {
    for (int i = 0; i < in.tokens(); ++i) {
      std::vector<double> row(static_cast<std::size_t>(in.value_width()));
      double total = 0;
      for (int j = 0; j <= i; ++j) {
        if (in.window && i - j >= *in.window) continue;
        if (!in.key_mask.empty() && in.key_mask[static_cast<std::size_t>(j)] == 0) continue;
        double score = rotary_product(in, h, i, j);
        for (int c = 0; c < in.content_width(); ++c)
          score += at(in.content, h, i, c) * up(in.key_up, h, j, c);
        const double weight = std::exp(in.scale() * score);
        total += weight;
        for (int c = 0; c < in.value_width(); ++c)
          row[static_cast<std::size_t>(c)] += weight * up(in.value_up, h, j, c);
      }
      for (const double x : row) out.push_back(total > 0 ? x / total : 0);
    }
  }
  return out;
}

struct Form {
  CacheConfig config;
  Inputs in;
  Tensor value_up;  // what an output is multiplied by; empty: nothing
};

CacheConfig cache_config(const Layer& in, int kv_heads, int before, int values) {
  return {
      .heads = in.heads(),
      .kv_heads = kv_heads,
      .width = before + in.rotary_width(),
      .value_width = values,
      .max_length = in.tokens(),
      .encoding = {.id = "rope",
                   .params = {{"base", kBase},
                              {"layout", std::string(in.half_split ? "half_split" : "interleaved")},
                              {"rotary_offset", static_cast<double>(before)}}},
      .window = in.window,
      .scale = in.scale()};
}

Form as_heads(const Layer& in) {
  return {cache_config(in, in.heads(), in.content_width(), in.value_width()),
          {beside(in.content, in.rotary), beside(times(in.latent, in.key_up, false), in.key_rotary),
           times(in.latent, in.value_up, false)},
          {}};
}

Form as_latents(const Layer& in) {
  return {cache_config(in, 1, in.latent_width(), in.latent_width()),
          {beside(times(in.content, in.key_up, true), in.rotary), beside(in.latent, in.key_rotary),
           in.latent},
          in.value_up};
}

DecodeConfig step_of(const Layer& in, int first, int count) {
  DecodeConfig step;
  if (!in.key_mask.empty())
    step.key_mask = {in.key_mask.begin() + first, in.key_mask.begin() + first + count};
  return step;
}

// In steps of `count`; the text before is decoded again after it was trimmed, and by a fork.
void expect_decoded(const Layer& in, const Form& form, int count) {
  const std::vector<double> expected = formula(in);
  const double size = magnitude(expected);
  const auto cache = cache_of(form.config);
  for (int first = 0; first < in.tokens(); first += count) {
    const int added = std::min(count, in.tokens() - first);
    const DecodeConfig step = step_of(in, first, added);
    ASSERT_OK_AND_ASSIGN(const auto fork, cache->fork());
    ASSERT_OK_AND_ASSIGN(const AttentionResult got, decode(*cache, form.in, first, added, step));
    ASSERT_OK_AND_ASSIGN(const AttentionResult forked, decode(*fork, form.in, first, added, step));
    EXPECT_EQ(got.output.data, forked.output.data);
    ASSERT_TRUE(fork->trim(first).ok());
    ASSERT_OK_AND_ASSIGN(const AttentionResult again, decode(*fork, form.in, first, added, step));
    EXPECT_EQ(got.output.data, again.output.data);
    const Tensor out = form.value_up.empty() ? got.output : times(got.output, form.value_up, false);
    ASSERT_EQ(out.shape, (std::vector<int>{in.heads(), added, in.value_width()}));
    for (int h = 0; h < in.heads(); ++h) {
      for (int t = 0; t < added; ++t) {
        for (int c = 0; c < in.value_width(); ++c) {
          const std::size_t place =
              static_cast<std::size_t>((h * in.tokens() + first + t) * in.value_width() + c);
          EXPECT_NEAR(at(out, h, t, c), expected[place], 1e-5 * size)
              << "head " << h << ", token " << first + t << ", channel " << c;
        }
      }
    }
    if (testing::Test::HasFailure()) return;
  }
}

TEST(LatentCache, DecodesWhatAttentionOverWholeTensorsIs) {
  SplitMix64 random(2405);
  const auto from = [&](int least, int most) {
    return least + static_cast<int>(random.next() % static_cast<std::uint64_t>(most - least + 1));
  };
  for (int trial = 0; trial < 24; ++trial) {
    const Shape s{from(1, 4), from(1, 90), from(1, 9), 2 * from(1, 4), from(1, 12), from(1, 7)};
    Layer in = layer_of(s, random.next());
    in.half_split = trial % 2 == 0;
    if (trial % 3 == 0) in.window = from(1, 40);
    if (trial % 4 == 1) {
      for (int t = 0; t < s.tokens; ++t) in.key_mask.push_back(from(0, 3) == 0 ? 0 : 1);
    }
    SCOPED_TRACE(testing::Message() << "trial " << trial << ": " << s.tokens << " tokens");
    const int count = from(1, 20);
    expect_decoded(in, as_heads(in), count);
    expect_decoded(in, as_latents(in), count);
    if (HasFailure()) return;
  }
}

TEST(LatentCache, BothFormsAreAttention) {
  const Layer in = layer_of({3, 40, 5, 4, 8, 4}, 7);
  const std::vector<double> expected = formula(in);
  for (const Form& form : {as_heads(in), as_latents(in)}) {
    ASSERT_OK_AND_ASSIGN(const AttentionResult got, attention(form.in.q, form.in.k, form.in.v,
                                                              {.encoding = form.config.encoding,
                                                               .mask = Mask::causal,
                                                               .scale = form.config.scale}));
    const Tensor out = form.value_up.empty() ? got.output : times(got.output, form.value_up, false);
    EXPECT_LT(largest_error(out.data, expected), 1e-5);
  }
}

// The rotary key turns with its distance and the content does not.
TEST(LatentCache, TheOrderOfChannelsMatters) {
  const Layer in = layer_of({2, 30, 6, 4, 8, 4}, 9);
  const std::vector<double> expected = formula(in);
  Form form = as_heads(in);
  form.config.encoding.params["rotary_offset"] = 0.0;
  ASSERT_OK_AND_ASSIGN(const AttentionResult got,
                       decode(*cache_of(form.config), form.in, 0, in.tokens()));
  EXPECT_GT(largest_error(got.output.data, expected), 1e-2);
}

// What cache.h says of a token of DeepSeek-V3, and a quarter of its heads.
TEST(LatentCache, LatentsTakeTheMemoryThatIsSaid) {
  constexpr int kHeads = 32, kBlock = 1024;
  const auto of_token = [&](int heads, int before, int values) {
    const CacheConfig config{
        .heads = heads,
        .kv_heads = heads,
        .width = before + 64,
        .value_width = values,
        .max_length = kBlock,
        .encoding = {.id = "rope", .params = {{"rotary_offset", static_cast<double>(before)}}}};
    const auto cache = cache_of(config);
    const double empty = cache->bytes();
    std::vector<double> bytes;
    for (int step = 0; step < 2; ++step) {
      EXPECT_TRUE(cache
                      ->decode(Tensor({heads, 1, config.width}), Tensor({heads, 1, config.width}),
                               Tensor({heads, 1, values}))
                      .ok());
      bytes.push_back(cache->bytes() - empty);
    }
    constexpr double kOfToken = 32;  // its position, the largest numbers so far
    EXPECT_LE(bytes[1] - bytes[0], kOfToken) << "the next token finds its room in the block";
    return (bytes[0] - kOfToken) / kBlock;
  };
  EXPECT_NEAR(of_token(1, 512, 512), 4 * 1088, 1);
  EXPECT_NEAR(of_token(kHeads, 128, 128), 4 * 40960 / 4, 1);
}

TEST(LatentCache, RefusesOtherShapes) {
  const Layer in = layer_of({2, 4, 4, 4, 6, 3}, 3);
  const Form form = as_latents(in);
  const auto said = [&](const Inputs& step) {
    const auto cache = cache_of(form.config);
    const std::string sentence = cache->decode(step.q, step.k, step.v).status().message();
    EXPECT_EQ(cache->length(), 0);
    EXPECT_EQ(cache->bytes(), cache_of(form.config)->bytes());
    return sentence;
  };
  Inputs wrong = form.in;
  wrong.v = in.value_up;  // (2, 6, 3)
  EXPECT_EQ(said(wrong), "v: it has 6 tokens, but k has 4");
  wrong = form.in;
  wrong.v = beside(in.latent, in.key_rotary);
  EXPECT_EQ(said(wrong), "v: it has 10 channels; this cache needs 6");
  wrong = form.in;
  wrong.q = beside(in.content, in.rotary);
  EXPECT_EQ(said(wrong), "k: it has 10 channels, but q has 8");
  CacheConfig config = form.config;
  config.encoding.params["rotary_offset"] = 10.0;
  EXPECT_EQ(KeyValueCache::create(config).status().message(),
            "rotary_offset: 10 leaves none of 10 channels to rotate");
}

}  // namespace
}  // namespace phasor::test::latent_cache_test
