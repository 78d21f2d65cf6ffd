#include "attention/validate/call.h"

#include <cmath>

#include "attention/validate/attention_options.h"
#include "attention/validate/pair_arrays.h"
#include "attention/validate/segments.h"
#include "core/format_error.h"
#include "encoding_base/positions/position_check.h"
#include "encoding_base/token_tensors/token_checks.h"
#include "phasor/registry.h"

namespace phasor {

namespace {

Status check_count(const char* name, const char* token_name, std::size_t count,
                   const CallSizes& sizes, int tokens, int axes) {
  const std::size_t item_size = static_cast<std::size_t>(tokens) * static_cast<std::size_t>(axes);
  if (count == item_size ||
      (sizes.batch_size > 0 && count == item_size * static_cast<std::size_t>(sizes.batch_size)))
    return {};
  if (count % static_cast<std::size_t>(axes) != 0)
    return invalid(
        "{}: has {} values; expected a multiple of {}, the number of coordinates per position",
        argument(name), count, axes);
  return invalid("{}: has {} entries; expected {}, one per {}", argument(name),
                 count / static_cast<std::size_t>(axes), tokens, token_name);
}

Status check_positions(const char* name, const char* token_name, const TokenPositions& positions,
                       const CallSizes& sizes, int tokens) {
  PHASOR_TRY(check_range(format_error("{}.axes", argument(name)).c_str(), positions.axes, 1, 3));
  PHASOR_TRY(check_count(name, token_name, positions.values.size(), sizes, tokens, positions.axes));
  for (std::size_t i = 0; i < positions.values.size(); ++i) {
    // The comparison is false for NaN, which check_range then rejects.
    if (std::fabs(positions.values[i]) <= kMaxPosition) continue;
    return check_range(format_error("{}[{}]", argument(name), i).c_str(), positions.values[i],
                       -kMaxPosition, kMaxPosition);
  }
  return {};
}

// Requires segment ids for both queries and keys, or for neither, with or without a batch axis.
Status check_segments(const AttentionConfig& config, const CallSizes& sizes) {
  const std::vector<int>&queries = config.query_segment_ids, &keys = config.key_segment_ids;
  if (queries.empty() && keys.empty()) return {};
  if (queries.empty() || keys.empty())
    return invalid("{}: is missing, but {} is set; expected both or neither",
                   argument(queries.empty() ? "query_segment_ids" : "key_segment_ids"),
                   argument(queries.empty() ? "key_segment_ids" : "query_segment_ids"));
  PHASOR_TRY(check_segment_ids("query_segment_ids", queries, sizes.queries, sizes.batch_size));
  PHASOR_TRY(check_segment_ids("key_segment_ids", keys, sizes.keys, sizes.batch_size));
  if (config.position_offset)
    return invalid("{}: cannot be combined with {}, because each text starts at 0; set {}",
                   argument("position_offset"), argument("key_segment_ids"),
                   argument("query_positions"));
  if (config.options.sink_tokens > 0 && config.options.sink_positions == SinkPositions::cache)
    return invalid("{}: cache cannot be combined with {}", argument("sink_positions"),
                   argument("key_segment_ids"));
  return {};
}

// In errors from the encoding, renames the argument `positions` to query_positions or
// key_positions.
Status rename_positions(const char* name, Status status) {
  return rename_argument(std::move(status), "positions", spell_argument(argument(name)));
}

// Checks the parts of a call that do not depend on the encoding.
Status check_call(const Tensor& q, const Tensor& k, const TensorView& v,
                  const AttentionConfig& config, CallSizes& sizes) {
  PHASOR_TRY(check_attention_shapes(q, k, v, true));
  const auto extent_from_end = [](const auto& t, int axis) {
    return t.shape[t.shape.size() - static_cast<std::size_t>(axis)];
  };
  sizes = {.batch_size = q.rank() == 4 ? q.shape[0] : 0,
           .heads = extent_from_end(q, 3),
           .kv_heads = extent_from_end(k, 3),
           .queries = extent_from_end(q, 2),
           .keys = extent_from_end(k, 2),
           .head_dim = extent_from_end(q, 1),
           .v_head_dim = extent_from_end(v, 1)};
  PHASOR_TRY(check_extent("queries", sizes.queries));
  PHASOR_TRY(check_extent("keys", sizes.keys));
  if (!config.key_mask.empty())
    PHASOR_TRY(check_count("key_mask", "key", config.key_mask.size(), sizes, sizes.keys, 1));
  if (has_positions(config)) {
    for (const bool query : {true, false}) {
      if (!(query ? config.query_positions : config.key_positions).empty()) continue;
      return invalid("{}: is missing, but {} is set; expected both or neither",
                     argument(query ? "query_positions" : "key_positions"),
                     argument(query ? "key_positions" : "query_positions"));
    }
    if (config.position_offset)
      return invalid("{}: cannot be combined with {}", argument("position_offset"),
                     argument("query_positions"));
    PHASOR_TRY(
        check_positions("query_positions", "query", config.query_positions, sizes, sizes.queries));
    PHASOR_TRY(check_positions("key_positions", "key", config.key_positions, sizes, sizes.keys));
    if (config.key_positions.axes != config.query_positions.axes) {
      return invalid("{}: has {} axes, but {} has {}", argument("key_positions"),
                     config.key_positions.axes, argument("query_positions"),
                     config.query_positions.axes);
    }
  }
  PHASOR_TRY(check_segments(config, sizes));
  PHASOR_TRY(check_pair_arrays(config, sizes));
  PHASOR_TRY(check_range("window", config.window.value_or(1), 1, kMaxPosition));
  PHASOR_TRY(check_options(config.options, sizes.heads, sizes.kv_heads, sizes.head_dim));
  PHASOR_TRY(check_outputs(config.outputs, config.options));
  return check_range("head", config.outputs.head.value_or(0), 0, sizes.heads - 1);
}

// Checks the positions of all items at once, so that the index in an error is the index in the
// caller's array.
Status check_position_arguments(const Encoding& encoding, const AttentionConfig& config) {
  if (!has_positions(config)) return {};
  const int axes = config.query_positions.axes;
  const Injection injection = encoding.injection();
  if (axes != 1 && injection != Injection::query_key && injection != Injection::none) {
    return rename_positions("query_positions", check_one_axis(encoding.id, axes));
  }
  PHASOR_TRY(rename_positions(
      "query_positions", encoding.check_positions(Positions(config.query_positions.values, axes))));
  return rename_positions("key_positions",
                          encoding.check_positions(Positions(config.key_positions.values, axes)));
}

EncodingDims encoding_dims(const CallSizes& sizes, const AttentionConfig& config) {
  return {.length = sizes.keys,
          .dim = sizes.head_dim,
          .heads = sizes.heads,
          .axes = config.query_positions.axes,
          .v_head_dim = sizes.v_head_dim,
          .kv_heads = sizes.kv_heads,
          .scale = config.scale};
}

}  // namespace

bool has_positions(const AttentionConfig& config) {
  return !config.query_positions.empty() || !config.key_positions.empty();
}

Status validate_call(const Tensor& q, const Tensor& k, const TensorView& v,
                     const AttentionConfig& config, CallSizes& sizes, CallEncoding& call_encoding) {
  PHASOR_TRY(check_call(q, k, v, config, sizes));
  const EncodingDims dims = encoding_dims(sizes, config);
  if (call_encoding.encoding != nullptr) {
    PHASOR_TRY(check_encoding_dims(*call_encoding.encoding, config.encoding, dims));
  } else {
    PHASOR_TRY(check_attention_encoding(config.encoding));
    PHASOR_TRY(rename_positions(
        "query_positions",
        create_encoding(config.encoding, dims).move_to(call_encoding.new_encoding)));
    call_encoding.encoding = call_encoding.new_encoding.get();
  }
  PHASOR_TRY(check_causal(*call_encoding.encoding, config.mask == Mask::causal));
  PHASOR_TRY(check_token_tensors(*call_encoding.encoding, config.token_tensors,
                                 {.batch = sizes.batch_size,
                                  .heads = sizes.heads,
                                  .kv_heads = sizes.kv_heads,
                                  .tokens = sizes.keys,
                                  .head_dim = sizes.head_dim}));
  PHASOR_TRY(check_sink_tokens(config.options, config.window, config.mask, *call_encoding.encoding,
                               config.query_positions.axes));
  PHASOR_TRY(check_norm_order(config.options, *call_encoding.encoding, sizes.head_dim));
  return check_position_arguments(*call_encoding.encoding, config);
}

Status check_attention_shapes(const Tensor& q, const Tensor& k, const TensorView& v,
                              bool allow_batch) {
  const int rank = allow_batch && q.rank() == 4 ? 4 : 3;
  const auto check_rank = [&](const char* name, const std::vector<int>& shape) -> Status {
    if (static_cast<int>(shape.size()) == rank && numel(shape) > 0) return {};
    return invalid("{}: has shape {}; expected {}heads x tokens x dim", name, shape,
                   rank == 4 ? "batch x " : "");
  };
  PHASOR_TRY(check_data("q", q));
  PHASOR_TRY(check_rank("q", q.shape));
  PHASOR_TRY(check_data("k", k));
  PHASOR_TRY(check_rank("k", k.shape));
  PHASOR_TRY(check_rank("v", v.shape));
  const auto check_equal = [](const char* name, const char* what, int count, const char* other,
                              int expected) {
    return count == expected
               ? Status{}
               : invalid("{}: has {} {}, but {} has {}", name, count, what, other, expected);
  };
  const std::size_t heads = static_cast<std::size_t>(rank) - 3, tokens = heads + 1,
                    head_dim = heads + 2;
  if (rank == 4) {
    PHASOR_TRY(check_equal("k", "batch items", k.shape[0], "q", q.shape[0]));
    PHASOR_TRY(check_equal("v", "batch items", v.shape[0], "q", q.shape[0]));
  }
  PHASOR_TRY(check_equal("k", "channels", k.shape[head_dim], "q", q.shape[head_dim]));
  PHASOR_TRY(check_equal("v", "tokens", v.shape[tokens], "k", k.shape[tokens]));
  PHASOR_TRY(check_equal("v", "heads", v.shape[heads], "k", k.shape[heads]));
  if (q.shape[heads] % k.shape[heads] != 0) {
    return invalid("k: has {} heads; expected a divisor of {} (heads of q)", k.shape[heads],
                   q.shape[heads]);
  }
  PHASOR_TRY(check_finite("q", q.data));
  PHASOR_TRY(check_finite("k", k.data));
  return check_finite("v", matrices(v));
}

Status check_head_sizes(const EncodingDims& dims, const char* dim) {
  const int heads = dims.heads, kv_heads = dims.kv_heads;
  PHASOR_TRY(check_extent("heads", heads));
  PHASOR_TRY(check_range(argument("kv_heads"), kv_heads, 1, heads));
  if (heads % kv_heads != 0)
    return invalid("{}: {} does not divide heads; expected a divisor of {}", argument("kv_heads"),
                   kv_heads, heads);
  PHASOR_TRY(check_extent(argument(dim), dims.dim));
  return check_extent(argument("v_head_dim"), dims.v_head_dim);
}

Status resolve_scale(const Encoding& encoding, std::optional<double> config_scale, int head_dim,
                     double& out) {
  out = config_scale.value_or(
      encoding.scale(head_dim).value_or(1.0 / std::sqrt(static_cast<double>(head_dim))));
  return std::isfinite(out) ? Status{} : invalid("scale: {} is not a finite number", out);
}

}  // namespace phasor
