#include "model/change/head_change.h"

#include <algorithm>

#include "core/format_error.h"
#include "phasor/registry.h"

namespace phasor::model {

namespace {

using Kind = PositionChange::Kind;

Status check_order(const std::vector<int>& order, const TextLength& text_length) {
  const auto count = static_cast<int>(order.size());
  if (text_length.max_tokens ? count > *text_length.max_tokens : count != text_length.tokens) {
    return invalid("order: has {} positions for {} tokens", detail(count),
                   text_length.max_length());
  }
  std::vector<bool> is_listed(order.size());
  for (std::size_t t = 0; t < order.size(); ++t) {
    const std::string item_name = format_error("order[{}]", static_cast<double>(t));
    PHASOR_TRY(check_range(item_name.c_str(), order[t], 0, count - 1));
    if (is_listed[static_cast<std::size_t>(order[t])])
      return invalid("{}: {} occurs twice; expected a permutation", Subject{item_name}, order[t]);
    is_listed[static_cast<std::size_t>(order[t])] = true;
  }
  return {};
}

}  // namespace

EncodingDims make_head_dims(const ModelInfo& info, std::optional<double> scale, int tokens) {
  return {.length = tokens,
          .dim = info.head_dim,
          .heads = info.heads,
          .v_head_dim = info.head_dim,
          .kv_heads = info.kv_heads,
          .scale = scale};
}

Status change_positions(const PositionChange& change, const TextLength& text_length,
                        PositionMap& to) {
  if (change.kind == Kind::shift) {
    PHASOR_TRY(check_range("shift", change.shift, -1e9, 1e9));
    to.shift += change.shift;
    return {};
  }
  PHASOR_TRY(check_order(change.order, text_length));
  // Composes the new order with to.order: token t takes the position of token order[t]. Tokens
  // beyond the end of an order keep their position.
  std::vector<double> order(change.order.begin(), change.order.end());
  while (order.size() < to.order.size()) order.push_back(static_cast<double>(order.size()));
  for (double& position : order) {
    if (position < static_cast<double>(to.order.size()))
      position = to.order[static_cast<std::size_t>(position)];
  }
  to.order = std::move(order);
  return {};
}

Status change_params(const PositionChange& change, const EncodingDims& dims, EncodingConfig& config,
                     std::unique_ptr<Encoding>& encoding) {
  Status status = set_params(change.params, config);
  if (status.ok()) status = create_encoding(config, dims).move_to(encoding);
  if (!status.ok() && status.argument() != "params") status.rename_argument(0, "params.");
  return status;
}

const char* get_rotary_field(PositionChange::Kind kind) {
  return kind == Kind::layout ? "layout" : kind == Kind::clip ? "clip" : "pairs_begin";
}

namespace {

Status change_encoding(const ModelInfo& info, const PositionChange& change,
                       const TextLength& text_length, HeadState& state) {
  const EncodingDims dims = make_head_dims(info, state.scale, text_length.max_length());
  PHASOR_TRY_ASSIGN(const std::unique_ptr<Encoding> current_encoding,
                    create_encoding(state.encoding, dims));
  const std::string_view id = state.encoding.id;
  const auto reject = [&](const char* name, const char* reason) {
    return invalid("{}: {} {}", Subject{name}, detail(id), reason);
  };
  const bool is_remapped = current_encoding->as_custom_dot_product() != nullptr;
  if (change.kind == Kind::none) {
    if (!state.scale) state.scale = current_encoding->scale(info.head_dim);
    state.encoding = {};
    state.change = {};
    return {};
  }
  if (change.kind == Kind::params) {
    std::unique_ptr<Encoding> new_encoding;
    PHASOR_TRY(change_params(change, dims, state.encoding, new_encoding));
    if (new_encoding->as_custom_dot_product() != nullptr && !is_remapped &&
        (!state.change.positions.is_identity() || !state.change.unrotated_channels.empty() ||
         !state.change.zeroed_channels.empty()))
      return invalid(
          "params: a remap must come before changes of kind shift, order, still or drop");
    return {};
  }
  if (change.kind == Kind::shift || change.kind == Kind::order) {
    const char* name = change.kind == Kind::shift ? "shift" : "order";
    if (is_remapped) return reject(name, "with a remap cannot be shifted or reordered");
    if (current_encoding->as_query_key() == nullptr && current_encoding->as_score_bias() == nullptr)
      return reject(name, "has no rotation or bias that depends only on positions");
    return change_positions(change, text_length, state.change.positions);
  }
  if (id != "rope")
    return reject(get_rotary_field(change.kind),
                  "does not rotate pairs of channels; expected rope");
  if (change.kind == Kind::layout) {
    if (!state.change.unrotated_channels.empty() || !state.change.zeroed_channels.empty())
      return invalid("layout: must come before changes of kind still or drop");
    const bool is_half_split = has_half_split_pairs(state.encoding);
    state.encoding.params["layout"] = std::string(is_half_split ? "interleaved" : "half_split");
    return {};
  }
  if (change.kind == Kind::clip) {
    PHASOR_TRY(check_range("clip", change.clip, 1, kMaxExtent));
    if (!info.causal)
      return invalid("clip: the model is not causal; expected a causal model for ReRoPE");
    if (is_remapped) return reject("clip", "already has a remap");
    if (!state.change.positions.is_identity() || !state.change.unrotated_channels.empty() ||
        !state.change.zeroed_channels.empty())
      return invalid("clip: cannot be combined with changes of kind shift, order, still or drop");
    const Params remap = {{"remap", std::string("rerope")}, {"window", change.clip}};
    PHASOR_TRY(set_params(remap, state.encoding));
    return create_encoding(state.encoding, dims).status();
  }
  const RotaryEncoding* rotation = current_encoding->as_rotation();
  const int pairs = rotation != nullptr ? rotation->pairs() : 0;
  PHASOR_TRY(check_range("pairs_begin", change.pairs_begin, 0, pairs));
  PHASOR_TRY(check_range("pairs_end", change.pairs_end, change.pairs_begin, pairs));
  if (is_remapped) return reject("pairs_begin", "with a remap always rotates all pairs");
  std::vector<int>& channels =
      change.kind == Kind::still ? state.change.unrotated_channels : state.change.zeroed_channels;
  for (int pair = change.pairs_begin; pair < change.pairs_end; ++pair) {
    for (const int channel : get_pair_channels(state.encoding, pairs, pair)) {
      if (std::find(channels.begin(), channels.end(), channel) == channels.end())
        channels.push_back(channel);
    }
  }
  return {};
}

}  // namespace

Status change_head(const ModelInfo& info, const PositionChange& change,
                   const TextLength& text_length, HeadState& state) {
  switch (change.kind) {
    case Kind::window:
      if (change.window) PHASOR_TRY(check_range("window", *change.window, 1, kMaxPosition));
      state.window = change.window;
      return {};
    case Kind::zero_ablation: state.output = HeadOutput::zero; return {};
    case Kind::mean_ablation:
      if (text_length.max_tokens)
        return invalid(
            "mean_ablation: cannot be combined with a cache, because the mean needs all tokens");
      state.output = HeadOutput::mean;
      return {};
    default: return change_encoding(info, change, text_length, state);
  }
}

}  // namespace phasor::model
