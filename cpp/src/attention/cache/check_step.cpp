#include "attention/cache/check_step.h"

#include "attention/validate/attention_options.h"
#include "attention/validate/call.h"
#include "core/format_error.h"
#include "encoding_base/token_tensors/token_checks.h"

namespace phasor {

namespace {

Status check_axis(const char* name, const char* axis, int actual, int expected) {
  if (actual == expected) return {};
  return invalid("{}: has {} {}; expected {}", name, actual, axis, expected);
}

}  // namespace

Status check_step(const CacheConfig& cache, const Encoding& encoding, int length, const Tensor& q,
                  const Tensor& k, const Tensor& v, const DecodeConfig& config) {
  PHASOR_TRY(check_data("v", v));
  PHASOR_TRY(check_attention_shapes(q, k, view(v), false));
  PHASOR_TRY(check_axis("q", "heads", q.shape[0], cache.heads));
  PHASOR_TRY(check_axis("k", "heads", k.shape[0], cache.kv_heads));
  PHASOR_TRY(check_axis("q", "channels", q.shape[2], cache.head_dim));
  PHASOR_TRY(check_axis("v", "channels", v.shape[2], cache.v_head_dim));
  const int new_tokens = k.shape[1];
  PHASOR_TRY(check_axis("q", "tokens", q.shape[1], new_tokens));
  if (new_tokens > cache.max_length - length) {
    return invalid("k: {} more tokens give a length of {}; expected at most {}, {}",
                   detail(new_tokens), static_cast<double>(length) + new_tokens,
                   argument("max_length"), cache.max_length);
  }
  if (!config.key_mask.empty() && config.key_mask.size() != static_cast<std::size_t>(new_tokens)) {
    return invalid("{}: has {} entries; expected {}, one per new token", argument("key_mask"),
                   config.key_mask.size(), new_tokens);
  }
  PHASOR_TRY(check_token_tensors(encoding, config.token_tensors,
                                 {.heads = cache.heads,
                                  .kv_heads = cache.kv_heads,
                                  .tokens = new_tokens,
                                  .head_dim = cache.head_dim}));
  if (config.outputs.pooled_weights)
    return invalid("outputs: {} is not supported by decode", argument("pooled_weights"));
  PHASOR_TRY(check_outputs(config.outputs, cache.options));
  return check_range("head", config.outputs.head.value_or(0), 0, cache.heads - 1);
}

}  // namespace phasor
