// Multi-head latent attention (DeepSeek-V2) as attention on full heads and on latents, with and
// without a cache.

#include <algorithm>
#include <cmath>

#include "golden_attention.h"
#include "head_products.h"

namespace golden::family::latent_attention {
namespace {

using phasor::EncodingConfig;
using phasor::Tensor;
using phasor::test::concatenate_channels;
using phasor::test::multiply_heads;

Tensor slice_tokens(const Tensor& x, int first, int count) {
  Tensor slice({x.shape[0], count, x.shape[2]});
  for (int h = 0; h < x.shape[0]; ++h)
    std::copy_n(phasor::matrix(x, h).row(first), count * x.shape[2],
                phasor::matrix(slice, h).row(0));
  return slice;
}

// The output of a cache that receives all tokens before the queries at once, then one query at a
// time.
Tensor run_decode(Case& c, const Tensor& q, const Tensor& k, const Tensor& v,
                  const phasor::AttentionConfig& config) {
  const int queries = q.shape[1], before = k.shape[1] - queries;
  phasor::CacheConfig cache_config{.heads = q.shape[0],
                                   .kv_heads = k.shape[0],
                                   .head_dim = q.shape[2],
                                   .v_head_dim = v.shape[2],
                                   .max_length = k.shape[1],
                                   .encoding = config.encoding,
                                   .scale = config.scale};
  std::unique_ptr<phasor::KeyValueCache> cache;
  Tensor output({q.shape[0], queries, v.shape[2]});
  if (!c.ok(phasor::KeyValueCache::create(cache_config), cache)) return output;
  for (int first = 0; first < k.shape[1];) {
    const int count = first < before ? before : 1;
    phasor::DecodeConfig decode_config;
    if (!config.key_mask.empty())
      decode_config.key_mask = {config.key_mask.begin() + first,
                                config.key_mask.begin() + first + count};
    const Tensor query_rows = first < before ? Tensor({q.shape[0], count, q.shape[2]})
                                             : slice_tokens(q, first - before, 1);
    phasor::AttentionResult actual;
    if (!c.ok(cache->decode(query_rows, slice_tokens(k, first, count),
                            slice_tokens(v, first, count), decode_config),
              actual))
      return output;
    for (int h = 0; first >= before && h < q.shape[0]; ++h)
      std::copy_n(phasor::matrix(std::as_const(actual.output), h).row(0), v.shape[2],
                  phasor::matrix(output, h).row(first - before));
    first += count;
  }
  return output;
}

void latent(Case& c) {
  const Tensor content = c.tensor("q_content"), rotary = c.tensor("q_rotary"),
               key_up = c.tensor("key_up"), value_up = c.tensor("value_up");
  Tensor latent = c.tensor("latent"), k_rotary = c.tensor("k_rotary");
  if (c.failed() || latent.rank() != 2 || k_rotary.rank() != 2)
    return c.fail("inputs latent and k_rotary are not [token, channel]");
  latent.shape.insert(latent.shape.begin(), 1);
  k_rotary.shape.insert(k_rotary.shape.begin(), 1);
  const int content_dim = content.shape[2], rotary_dim = rotary.shape[2];
  c.expect_param("heads", content.shape[0]);
  c.expect_param("q_len", content.shape[1]);
  c.expect_param("k_len", latent.shape[1]);
  c.expect_param("content_width", content_dim);
  c.expect_param("rotary_width", rotary_dim);
  c.expect_param("latent_width", latent.shape[2]);
  c.expect_param("value_width", value_up.shape[2]);
  c.expect_param("scale", std::string("1/sqrt(content_width + rotary_width)"));
  phasor::AttentionConfig config;
  golden::read_mask(c, config);
  config.position_offset = c.number("q_offset");
  config.scale = 1 / std::sqrt(static_cast<double>(content_dim + rotary_dim));
  const auto encoding = [&](int offset) {
    return EncodingConfig{.id = "rope",
                          .params = {{"base", c.number("base")},
                                     {"layout", c.word("layout")},
                                     {"rotary_offset", static_cast<double>(offset)}}};
  };
  config.encoding = encoding(content_dim);
  if (c.failed()) return;
  // A cache is always causal, and its queries are the last tokens.
  const bool can_decode = config.mask == phasor::Mask::causal &&
                          config.position_offset == latent.shape[1] - content.shape[1];
  const Tensor q = concatenate_channels(content, rotary),
               k = concatenate_channels(multiply_heads(latent, key_up, false), k_rotary),
               v = multiply_heads(latent, value_up, false);
  golden::expect_attention(c, q, k, v, config, nullptr);
  if (can_decode) c.expect("out", run_decode(c, q, k, v, config), golden::kAttention);
  // With key_up absorbed into queries and value_up into outputs, the cache contains only latents,
  // which all heads share.
  config.encoding = encoding(latent.shape[2]);
  config.outputs.weights = true;
  phasor::AttentionResult actual;
  const Tensor absorbed = concatenate_channels(multiply_heads(content, key_up, true), rotary),
               shared = concatenate_channels(latent, k_rotary);
  if (!c.ok(phasor::attention(absorbed, shared, latent, config), actual)) return;
  c.expect_weights("weights", actual.weights);
  c.expect("out", multiply_heads(actual.output, value_up, false), golden::kComposite);
  if (can_decode)
    c.expect("out",
             multiply_heads(run_decode(c, absorbed, shared, latent, config), value_up, false),
             golden::kComposite);
}

constexpr golden::Method kMethods[] = {{"attention_mla", latent}};

}  // namespace

GOLDEN_FAMILY(latent_attention) { return kMethods; }

}  // namespace golden::family::latent_attention
