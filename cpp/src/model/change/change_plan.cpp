#include "model/change/change_plan.h"

#include <algorithm>

#include "core/format_error.h"
#include "phasor/registry.h"

namespace phasor::model {

namespace {

using Kind = PositionChange::Kind;

bool is_encoding_change(Kind kind) { return kind <= Kind::drop; }

// Rejects fields that do not apply to change.kind.
Status check_fields(const PositionChange& change) {
  const struct {
    const char* name;
    bool is_set;
    Kind first_kind, last_kind;
    const char* kinds;
  } fields[] = {
      {"shift", change.shift != 0, Kind::shift, Kind::shift, "shift"},
      {"order", !change.order.empty(), Kind::order, Kind::order, "order"},
      {"params", change.params.size() > 0, Kind::params, Kind::params, "params"},
      {"clip", change.clip != 0, Kind::clip, Kind::clip, "clip"},
      {"pairs_begin", change.pairs_begin != 0, Kind::still, Kind::drop, "still or drop"},
      {"pairs_end", change.pairs_end != 0, Kind::still, Kind::drop, "still or drop"},
      {"window", change.window.has_value(), Kind::window, Kind::window, "window"},
  };
  for (const auto& field : fields) {
    if (field.is_set && (change.kind < field.first_kind || change.kind > field.last_kind))
      return invalid("{}: applies only to changes of kind {}", Subject{field.name},
                     detail(std::string_view(field.kinds)));
  }
  return {};
}

Status check_list(const char* name, const std::vector<int>& indices, int count) {
  for (std::size_t n = 0; n < indices.size(); ++n) {
    const std::string item_name = format_error("{}[{}]", Subject{name}, static_cast<double>(n));
    PHASOR_TRY(check_range(item_name.c_str(), indices[n], 0, count - 1));
    if (std::find(indices.begin(), indices.begin() + static_cast<std::ptrdiff_t>(n), indices[n]) !=
        indices.begin() + static_cast<std::ptrdiff_t>(n))
      return invalid("{}: {} occurs twice", Subject{item_name}, indices[n]);
  }
  return {};
}

Status change_table(const Weights& w, const PositionChange& change, const TextLength& text_length,
                    ChangePlan& plan) {
  if (!plan.has_table) return invalid("positions: an earlier change has removed the table");
  switch (change.kind) {
    case Kind::none: plan.has_table = false; return {};
    case Kind::params: {
      std::unique_ptr<Encoding> unused_encoding;
      if (!plan.table_config) plan.table_config = w.position_table;
      return change_params(change, {.length = text_length.max_length(), .dim = w.info.hidden_size},
                           *plan.table_config, unused_encoding);
    }
    case Kind::shift:
    case Kind::order: return change_positions(change, text_length, plan.table_positions);
    default:
      return invalid("{}: {} is added to the embeddings and has no rotated pairs",
                     Subject{get_rotary_field(change.kind)},
                     detail(std::string_view(w.position_table->id)));
  }
}

bool is_selected(const std::vector<int>& list, int item) {
  return list.empty() || std::find(list.begin(), list.end(), item) != list.end();
}

Status apply_change(const Weights& w, const PositionChange& change, std::size_t change_index,
                    const TextLength& text_length, std::vector<std::vector<HeadState>>& states,
                    ChangePlan& plan) {
  PHASOR_TRY(check_fields(change));
  PHASOR_TRY(check_list("layers", change.layers, w.info.layers));
  PHASOR_TRY(check_list("heads", change.heads, w.info.heads));
  if (change.kind == Kind::skip) {
    if (!change.heads.empty())
      return invalid("heads: has {} entries; expected none, because skip applies to whole layers",
                     detail(change.heads.size()));
    for (std::size_t n = 0; n < states.size(); ++n) {
      if (is_selected(change.layers, static_cast<int>(n))) plan.layers[n].skips_attention = true;
    }
    return {};
  }
  const bool is_global = change.layers.empty() && change.heads.empty();
  bool is_used = false;
  if (is_encoding_change(change.kind) && w.position_table) {
    if (!is_global)
      return invalid(
          "{}: {} is added to the embeddings, so it cannot differ between layers or heads",
          Subject{change.layers.empty() ? "heads" : "layers"},
          detail(std::string_view(w.position_table->id)));
    PHASOR_TRY(change_table(w, change, text_length, plan));
    is_used = true;
  }
  for (std::size_t n = 0; n < states.size(); ++n) {
    if (!is_selected(change.layers, static_cast<int>(n))) continue;
    for (int h = 0; h < w.info.heads; ++h) {
      const auto head_index = static_cast<std::size_t>(h);
      if (!is_selected(change.heads, h)) continue;
      HeadState& state = states[n][head_index];
      if (is_encoding_change(change.kind) && state.encoding.id == "none") {
        if (change.layers.empty()) continue;
        return invalid("layers: layer {} has no position encoding to change",
                       detail(static_cast<double>(n)));
      }
      PHASOR_TRY(change_head(w.info, change, text_length, state));
      state.change_indices.push_back(change_index);
      is_used = true;
    }
  }
  if (is_used) return {};
  return invalid("layers: no selected layer has a position encoding to change");
}

// Returns the kv heads for a group of query heads. Attention requires every kv head to serve the
// same number of query heads. If the group does not allow that, returns one kv head per query head,
// with duplicates.
std::vector<int> select_kv_heads(const ModelInfo& info, const std::vector<int>& heads) {
  const int group_size = info.heads / info.kv_heads;
  std::vector<int> kv_heads, distinct_kv_heads;
  for (const int head : heads) {
    kv_heads.push_back(head / group_size);
    if (distinct_kv_heads.empty() || distinct_kv_heads.back() != kv_heads.back())
      distinct_kv_heads.push_back(kv_heads.back());
  }
  if (kv_heads.size() % distinct_kv_heads.size() != 0) return kv_heads;
  const std::size_t heads_per_kv_head = kv_heads.size() / distinct_kv_heads.size();
  for (std::size_t n = 0; n < kv_heads.size(); ++n) {
    if (kv_heads[n] != distinct_kv_heads[n / heads_per_kv_head]) return kv_heads;
  }
  return distinct_kv_heads;
}

Status add_group(const ModelInfo& info, const LayerWeights& block, const HeadState& state,
                 std::vector<int> heads, int length, LayerPlan& plan) {
  HeadGroup& group = plan.groups.emplace_back();
  group.output = state.output;
  group.attention = block.attention;
  group.attention.encoding = state.encoding;
  if (static_cast<int>(heads.size()) < info.heads) {
    group.kv_heads = select_kv_heads(info, heads);
    group.heads = heads;
  } else if (state.change_indices.empty()) {
    return {};
  }
  group.attention.window = state.window;
  group.attention.scale = state.scale;
  group.change = state.change;
  if (!group.heads.empty()) group.change.heads = group.heads;
  PHASOR_TRY_ASSIGN(group.base_encoding,
                    create_encoding(state.encoding, make_head_dims(info, state.scale, length)));
  // The group may have fewer heads than the layer that dims describes.
  group.base_encoding->dims.reset();
  group.encoding = create_changed_encoding(group.base_encoding, group.change);
  return {};
}

}  // namespace

Result<ChangePlan> plan_changes(const Weights& w, std::span<const PositionChange> changes,
                                const TextLength& text_length, int threads) {
  return Result<ChangePlan>::from([&](ChangePlan& plan) -> Status {
    plan.layers.resize(w.layers.size());
    std::vector<std::vector<HeadState>> states;
    for (const LayerWeights& block : w.layers) {
      HeadState state{.encoding = block.attention.encoding,
                      .scale = block.attention.scale,
                      .window = block.attention.window};
      states.emplace_back(static_cast<std::size_t>(w.info.heads), std::move(state));
    }
    for (std::size_t n = 0; n < changes.size(); ++n) {
      Status status = apply_change(w, changes[n], n, text_length, states, plan);
      if (status.ok()) continue;
      status.rename_argument(0, format_error("changes[{}].", static_cast<double>(n)));
      return status;
    }
    for (std::size_t n = 0; n < states.size(); ++n) {
      std::vector<bool> is_grouped(states[n].size());
      for (std::size_t h = 0; h < states[n].size(); ++h) {
        if (is_grouped[h]) continue;
        plan.max_tokens =
            std::min(plan.max_tokens, set_text_length(text_length, states[n][h].encoding));
        std::vector<int> heads;
        for (std::size_t other_head = h; other_head < states[n].size(); ++other_head) {
          if (states[n][other_head].change_indices != states[n][h].change_indices) continue;
          is_grouped[other_head] = true;
          heads.push_back(static_cast<int>(other_head));
        }
        PHASOR_TRY(add_group(w.info, w.layers[n], states[n][h], std::move(heads),
                             text_length.max_length(), plan.layers[n]));
      }
    }
    for (LayerPlan& layer : plan.layers)
      for (HeadGroup& group : layer.groups) group.attention.options.threads = threads;
    return {};
  });
}

}  // namespace phasor::model
