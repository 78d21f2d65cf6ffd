#include <algorithm>
#include <cmath>

#include "attention/validate/call.h"
#include "attention/validate/pair_arrays.h"
#include "attention/validate/segments.h"
#include "core/format_error.h"

namespace phasor {

namespace {

// Sets the default end and cell size of a pooled axis, and checks its range.
Status resolve_axis(const char* name, int count, int cells, PoolingAxis& axis) {
  if (axis.end == 0) axis.end = count;
  if (axis.begin < 0 || axis.begin >= axis.end || axis.end > count) {
    return invalid("{}: {} to {} is not within {}", name, detail(axis.begin), axis.end,
                   Range{0, static_cast<double>(count)});
  }
  if (axis.cell_size == 0) axis.cell_size = (axis.end - axis.begin + cells - 1) / cells;
  return check_extent(argument("pooling.cell_size"), axis.cell_size);
}

// Returns the index at which an item starts in an array of `array_size` values with `item_size`
// values per item, or 0 if all items share the same values.
std::size_t item_start(std::size_t array_size, std::size_t item_size, int item) {
  return array_size > item_size ? item_size * static_cast<std::size_t>(item) : 0;
}

bool is_hidden(const AttentionParams& params, int key) {
  return params.key_mask != nullptr && (*params.key_mask)[static_cast<std::size_t>(key)] == 0;
}

// Requires ascending positions in each segment if the encoding counts keys or if cache positions
// are used.
Status check_order(const Encoding& encoding, const AttentionParams& params) {
  const bool counts_keys = needs_full_rows(encoding);
  if ((!counts_keys && !params.uses_cache_positions()) || params.keys.axes() != 1) return {};
  const auto key_segment = [&](int key) {
    return params.key_segments.empty() ? 0 : params.key_segments[static_cast<std::size_t>(key)];
  };
  NumberMap last_positions(
      params.key_segments.empty()
          ? std::vector<double>{0}
          : std::vector<double>(params.key_segments.begin(), params.key_segments.end()),
      -kMaxPosition);
  for (int j = 0; j < params.keys.count(); ++j) {
    if (counts_keys && is_hidden(params, j)) continue;
    double& last_position = *last_positions.find(key_segment(j));
    if (params.keys[j] < last_position) {
      return invalid("{}: {} comes after {}, but {} requires keys in ascending order",
                     argument("key_positions"), params.keys[j], last_position,
                     counts_keys ? encoding.id : std::string_view("a cache"));
    }
    last_position = params.keys[j];
  }
  return {};
}

// Rejects visible keys at equal positions under a causal mask: they usually come from texts packed
// without segment ids, which would see each other. `first` is the index of the item's first key.
Status check_distinct_positions(const AttentionParams& params, std::size_t first) {
  if (params.mask != Mask::causal || params.keys.axes() != 1) return {};
  // Segments or a mask already determine visibility.
  if (!params.key_segments.empty() || !params.attn_mask.empty()) return {};
  PHASOR_TRY(check_memory("key_positions", kSegmentBytesPerToken * params.keys.count()));
  std::vector<double> visible_positions;
  bool is_ascending = true;
  for (int j = 0; j < params.keys.count(); ++j) {
    if (is_hidden(params, j)) continue;
    is_ascending =
        is_ascending && (visible_positions.empty() || visible_positions.back() < params.keys[j]);
    visible_positions.push_back(params.keys[j]);
  }
  if (is_ascending) return {};
  NumberMap key_at_position(std::move(visible_positions), -1);
  for (int j = 0; j < params.keys.count(); ++j) {
    if (is_hidden(params, j)) continue;
    double& earlier_key = *key_at_position.find(params.keys[j]);
    if (earlier_key >= 0) {
      return invalid(
          "{}: {} is also the position of key {}; texts packed under a causal mask need {} and {}",
          Subject{format_error("{}[{}]", argument("key_positions"),
                               first + static_cast<std::size_t>(j))},
          params.keys[j], static_cast<double>(first) + earlier_key, argument("query_segment_ids"),
          argument("key_segment_ids"));
    }
    earlier_key = j;
  }
  return {};
}

// Sets the token tensors of an item and the key index of its first query.
Status set_tokens(const CallSizes& sizes, int item, const Encoding& encoding,
                  const AttentionConfig& config, PreparedCall& out) {
  if (encoding.token_tensors.empty()) return {};
  const int default_first_token = sizes.keys - sizes.queries;
  if (default_first_token < 0)
    return invalid("q: has {} tokens, but k has {}; {} requires each query to be among the keys",
                   detail(sizes.queries), sizes.keys, encoding.id);
  out.params.first_token = default_first_token;
  if (config.position_offset) {
    const double position_offset = *config.position_offset;
    if (!(position_offset >= 0 && position_offset <= default_first_token &&
          position_offset == std::floor(position_offset)))
      return invalid("{}: {} is not a whole number from {}; {} requires the index of a key",
                     argument("position_offset"), position_offset,
                     Range{0, static_cast<double>(default_first_token)}, encoding.id);
    out.params.first_token = static_cast<int>(position_offset);
  }
  if (!out.params.key_segments.empty()) {
    PHASOR_TRY(check_contiguous("key_segment_ids", out.params.key_segments, encoding.id));
    if (!std::equal(out.params.query_segments.begin(), out.params.query_segments.end(),
                    out.params.key_segments.begin() + default_first_token))
      return invalid(
          "{}: differs from the last {} of {}; {} requires each query to be among the keys",
          argument("query_segment_ids"), detail(sizes.queries), argument("key_segment_ids"),
          encoding.id);
  }
  if (has_positions(config)) {
    for (int r = 0; r < sizes.queries; ++r) {
      const double query = out.params.queries[r], key = out.params.keys[default_first_token + r];
      if (config.query_positions.axes == 1 && query != key)
        return invalid(
            "{}[{}]: {} is not {}, the key position of this token; {} requires equal positions",
            argument("query_positions"), r, query, key, encoding.id);
    }
  }
  if (sizes.batch_size == 0) {
    out.params.tokens = &config.token_tensors;
    return {};
  }
  for (const auto& [name, tensor] : config.token_tensors) {
    PHASOR_TRY(check_memory(name.c_str(), array_bytes(tensor.shape) / sizes.batch_size));
    out.tokens[name] = copy_item(tensor, item);
  }
  out.params.tokens = &out.tokens;
  return {};
}

}  // namespace

Tensor copy_item(const Tensor& t, int item) {
  std::vector<int> shape(t.shape.begin() + 1, t.shape.end());
  const std::size_t size = numel(shape);
  const float* from = t.data.data() + size * static_cast<std::size_t>(item);
  return {std::move(shape), std::vector<float>(from, from + size)};
}

Status prepare_item(const CallSizes& sizes, int item, const Encoding& encoding,
                    const AttentionConfig& config, PreparedCall& out) {
  const double position_offset =
      config.position_offset.value_or(static_cast<double>(sizes.keys) - sizes.queries);
  const int axes = config.query_positions.axes;
  const bool has_explicit_positions = has_positions(config);
  const auto item_segments = [&](const std::vector<int>& ids, int tokens) {
    const std::size_t count = static_cast<std::size_t>(tokens);
    return ids.empty() ? std::span<const int>()
                       : std::span(ids).subspan(item_start(ids.size(), count, item), count);
  };
  const std::span<const int> query_segments =
                                 item_segments(config.query_segment_ids, sizes.queries),
                             key_segments = item_segments(config.key_segment_ids, sizes.keys);
  if (!key_segments.empty()) {
    PHASOR_TRY(check_memory("key_segment_ids",
                            kSegmentBytesPerToken * (static_cast<double>(sizes.keys) +
                                                     static_cast<double>(sizes.queries))));
    if (!has_explicit_positions || axes > 1) {
      SegmentPositions packed_positions = segment_positions(query_segments, key_segments);
      out.queries = std::move(packed_positions.queries);
      out.keys = std::move(packed_positions.keys);
    }
  } else if (!has_explicit_positions || axes > 1) {
    PHASOR_TRY(consecutive_positions(position_offset, sizes.queries).move_to(out.queries));
    PHASOR_TRY(consecutive_positions(0, sizes.keys).move_to(out.keys));
  }
  Positions queries = out.queries, keys = out.keys;
  if (has_explicit_positions) {
    const auto item_positions = [&](const TokenPositions& positions, int tokens) {
      const std::size_t count = static_cast<std::size_t>(tokens) * static_cast<std::size_t>(axes);
      return Positions(std::span(positions.values)
                           .subspan(item_start(positions.values.size(), count, item), count),
                       axes);
    };
    queries = item_positions(config.query_positions, sizes.queries);
    keys = item_positions(config.key_positions, sizes.keys);
  } else {
    PHASOR_TRY(encoding.check_positions(queries));
    PHASOR_TRY(encoding.check_positions(keys));
  }
  if (!config.key_mask.empty()) {
    const std::size_t count = static_cast<std::size_t>(sizes.keys);
    const auto from = config.key_mask.begin() +
                      static_cast<std::ptrdiff_t>(item_start(config.key_mask.size(), count, item));
    out.key_mask = {from, from + sizes.keys};
  }
  PHASOR_TRY(encoding.check_distances(queries, keys));
  double scale = 0;
  PHASOR_TRY(resolve_scale(encoding, config.scale, sizes.head_dim, scale));
  out.params = {.encoding = &encoding,
                .queries = queries,
                .keys = keys,
                .mask = config.mask,
                .window = config.window.value_or(0),
                .key_mask = out.key_mask.empty() ? nullptr : &out.key_mask,
                .query_segments = query_segments,
                .key_segments = key_segments,
                .attn_mask = pair_view(config.attn_mask.shape, config.attn_mask.data.data(), item),
                .attn_bias = pair_view(config.attn_bias.shape, config.attn_bias.data.data(), item),
                .scale = scale,
                .outputs = config.outputs,
                .output_layout = config.output_layout,
                .pooling = config.pooling,
                .mask_queries = out.queries,
                .mask_keys = out.keys,
                .options = &config.options,
                .kernels = &select_kernels(config.options)};
  apply_encoding_window(encoding, out.params);
  PHASOR_TRY(set_tokens(sizes, item, encoding, config, out));
  if (has_explicit_positions) {
    PHASOR_TRY(check_order(encoding, out.params));
    const std::size_t keys_per_item = static_cast<std::size_t>(sizes.keys);
    PHASOR_TRY(check_distinct_positions(
        out.params, item_start(config.key_positions.values.size(), keys_per_item, item)));
  }
  if (!config.outputs.pooled_weights) return {};
  PHASOR_TRY(check_range("pooling.size", config.pooling.size, 1, 4096));
  PHASOR_TRY(
      resolve_axis("pooling.rows", sizes.queries, config.pooling.size, out.params.pooling.rows));
  return resolve_axis("pooling.columns", sizes.keys, config.pooling.size,
                      out.params.pooling.columns);
}

}  // namespace phasor
