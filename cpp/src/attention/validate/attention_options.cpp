#include "attention/validate/attention_options.h"

#include <cmath>
#include <limits>

#include "core/format_error.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

Status check_sinks(const Tensor& sinks, int heads) {
  if (sinks.empty() && sinks.shape.empty()) return {};
  if (sinks.shape != std::vector<int>{heads} || sinks.data.size() != numel(sinks.shape)) {
    return invalid("sinks: has shape {} with {} values; expected {}, one per head", sinks.shape,
                   sinks.data.size(), heads);
  }
  for (std::size_t h = 0; h < sinks.data.size(); ++h) {
    const float sink = sinks.data[h];
    if (std::isfinite(sink) || sink == -std::numeric_limits<float>::infinity()) continue;
    return invalid("{}: {} is neither finite nor -Infinity", Subject{format_error("sinks[{}]", h)},
                   static_cast<double>(sink));
  }
  return {};
}

Status check_weight(Argument name, const Tensor& weight, const QkNorm& norm, int heads,
                    int head_dim) {
  if (weight.empty() && weight.shape.empty()) return {};
  const bool covers_all_heads = norm.over == QkNorm::Over::all_heads;
  // a double, because the product may exceed int
  const double channels = static_cast<double>(covers_all_heads ? heads : 1) * head_dim;
  if (weight.rank() != 1 || weight.shape[0] != channels ||
      weight.data.size() != numel(weight.shape)) {
    return invalid(
        "{}: has shape {} with {} values; expected {}, {}", name, weight.shape, weight.data.size(),
        covers_all_heads ? "one per channel of all heads" : "one per channel of a head", channels);
  }
  return check_finite(name, weight.data);
}

Status check_norm(const QkNorm& norm, int heads, int kv_heads, int head_dim) {
  PHASOR_TRY(check_range(argument("qk_norm.eps"), norm.epsilon(), 0, 1));
  PHASOR_TRY(check_weight(argument("qk_norm.q_weight"), norm.q_weight, norm, heads, head_dim));
  return check_weight(argument("qk_norm.k_weight"), norm.k_weight, norm, kv_heads, head_dim);
}

}  // namespace

Status check_options(const AttentionOptions& options, int heads, int kv_heads, int head_dim) {
  if (options.qk_norm) PHASOR_TRY(check_norm(*options.qk_norm, heads, kv_heads, head_dim));
  PHASOR_TRY(check_range("threads", options.threads, 1, 256));
  PHASOR_TRY(check_range("softcap", options.softcap.value_or(1), 1e-30, 1e30));
  if (options.cap_includes_bias && !options.softcap)
    return invalid("{}: requires softcap", argument("cap_includes_bias"));
  return check_sinks(options.sinks, heads);
}

Status check_norm_order(const AttentionOptions& options, const Encoding& encoding, int head_dim) {
  if (!options.qk_norm || options.qk_norm->order == QkNorm::Order::before_encoding) return {};
  const QueryKeyEncoding* query_key = encoding.as_query_key();
  if (encoding.as_custom_dot_product() == nullptr && encoding.as_token_transform() == nullptr &&
      (query_key == nullptr || query_key->transformed_dim(head_dim) == head_dim))
    return {};
  return invalid(
      "{}: after_encoding is not supported for {}, which does not transform each query and key "
      "into one vector of the same dim",
      argument("qk_norm.order"), encoding.id);
}

Status check_sink_tokens(const AttentionOptions& options, std::optional<int> window, Mask mask,
                         const Encoding& encoding, int axes) {
  const int tokens = options.sink_tokens;
  PHASOR_TRY(check_range(argument("sink_tokens"), tokens, 0, kMaxExtent));
  if (tokens == 0) return {};
  if (!window) return invalid("{}: {} requires a window", argument("sink_tokens"), detail(tokens));
  if (options.sink_positions == SinkPositions::original) return {};
  if (mask != Mask::causal)
    return invalid("{}: cache requires a causal mask", argument("sink_positions"));
  const ScoreEncoding* bias = encoding.as_score_bias();
  const EncodingInfo* encoding_info = find_encoding(encoding.id);
  const bool is_relative_rotation = encoding.as_query_key() != nullptr &&
                                    encoding_info != nullptr && encoding_info->relative &&
                                    encoding_info->axes == 1;
  if (axes == 1 && encoding.token_tensors.empty() && encoding.as_custom_dot_product() == nullptr &&
      encoding.as_content_bias() == nullptr && encoding.as_value_bias() == nullptr &&
      (encoding.injection() == Injection::none || is_relative_rotation ||
       (bias != nullptr && bias->is_toeplitz())))
    return {};
  return invalid(
      "{}: cache is not supported for {}; expected an encoding on one axis that rotates queries "
      "and "
      "keys or adds a bias that depends on distance",
      argument("sink_positions"), encoding.id);
}

Status check_outputs(const RequestedOutputs& outputs, const AttentionOptions& options) {
  if (!outputs.sink_weights || !options.sinks.empty()) return {};
  return invalid("outputs: {} requires sinks", argument("sink_weights"));
}

}  // namespace phasor
