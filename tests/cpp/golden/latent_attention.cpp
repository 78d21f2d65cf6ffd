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
using phasor::test::concatenated;
using phasor::test::times;

Tensor tokens_of(const Tensor& x, int first, int count) {
  Tensor part({x.shape[0], count, x.shape[2]});
  for (int h = 0; h < x.shape[0]; ++h)
    std::copy_n(phasor::matrix(x, h).row(first), count * x.shape[2],
                phasor::matrix(part, h).row(0));
  return part;
}

// The output of a cache that receives all tokens before the queries at once, then one query at a
// time.
Tensor decoded(Case& c, const Tensor& q, const Tensor& k, const Tensor& v,
               const phasor::AttentionConfig& config) {
  const int queries = q.shape[1], before = k.shape[1] - queries;
  phasor::CacheConfig sizes{.heads = q.shape[0],
                            .kv_heads = k.shape[0],
                            .head_dim = q.shape[2],
                            .v_head_dim = v.shape[2],
                            .max_length = k.shape[1],
                            .encoding = config.encoding,
                            .scale = config.scale};
  std::unique_ptr<phasor::KeyValueCache> cache;
  Tensor all({q.shape[0], queries, v.shape[2]});
  if (!c.ok(phasor::KeyValueCache::create(sizes), cache)) return all;
  for (int first = 0; first < k.shape[1];) {
    const int count = first < before ? before : 1;
    phasor::DecodeConfig step;
    if (!config.key_mask.empty())
      step.key_mask = {config.key_mask.begin() + first, config.key_mask.begin() + first + count};
    const Tensor query_rows =
        first < before ? Tensor({q.shape[0], count, q.shape[2]}) : tokens_of(q, first - before, 1);
    phasor::AttentionResult got;
    if (!c.ok(
            cache->decode(query_rows, tokens_of(k, first, count), tokens_of(v, first, count), step),
            got))
      return all;
    for (int h = 0; first >= before && h < q.shape[0]; ++h)
      std::copy_n(phasor::matrix(std::as_const(got.output), h).row(0), v.shape[2],
                  phasor::matrix(all, h).row(first - before));
    first += count;
  }
  return all;
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
  c.claims("heads", content.shape[0]);
  c.claims("q_len", content.shape[1]);
  c.claims("k_len", latent.shape[1]);
  c.claims("content_width", content_dim);
  c.claims("rotary_width", rotary_dim);
  c.claims("latent_width", latent.shape[2]);
  c.claims("value_width", value_up.shape[2]);
  c.claims("scale", std::string("1/sqrt(content_width + rotary_width)"));
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
  const bool decodes = config.mask == phasor::Mask::causal &&
                       config.position_offset == latent.shape[1] - content.shape[1];
  const Tensor q = concatenated(content, rotary),
               k = concatenated(times(latent, key_up, false), k_rotary),
               v = times(latent, value_up, false);
  golden::expect_attention(c, q, k, v, config, nullptr);
  if (decodes) c.expect("out", decoded(c, q, k, v, config), golden::kAttention);
  // With key_up absorbed into queries and value_up into outputs, the cache contains only latents,
  // which all heads share.
  config.encoding = encoding(latent.shape[2]);
  config.outputs.weights = true;
  phasor::AttentionResult got;
  const Tensor absorbed = concatenated(times(content, key_up, true), rotary),
               shared = concatenated(latent, k_rotary);
  if (!c.ok(phasor::attention(absorbed, shared, latent, config), got)) return;
  c.expect_weights("weights", got.weights);
  c.expect("out", times(got.output, value_up, false), golden::kComposite);
  if (decodes)
    c.expect("out", times(decoded(c, absorbed, shared, latent, config), value_up, false),
             golden::kComposite);
}

constexpr golden::Method kMethods[] = {{"attention_mla", latent}};

}  // namespace

GOLDEN_FAMILY(latent_attention) { return kMethods; }

}  // namespace golden::family::latent_attention
