#include "hf_config/rope_layers.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/format_error.h"

namespace phasor {

namespace {

Status reject_layer_without_queries(int layer, std::string_view type) {
  return invalid("{}: layer {} is {}, which has no queries or keys", argument("layer_idx"), layer,
                 type_name(type));
}

// Sets `type` to the type of the requested layer. Fails if it is not one of `names`.
Status choose_layer_type(const LayerTypes& types, const std::string& names,
                         const ConfigOptions& options, std::string& type) {
  type = options.layer_type;
  const std::string_view layer_type =
      options.layer_idx ? types.at(*options.layer_idx) : types.common_type();
  if (type.empty()) {
    type = layer_type;
  } else if (options.layer_idx && !layer_type.empty() && type != layer_type) {
    return invalid("{}: \"{}\" is not the type of layer {}, which is \"{}\"",
                   argument("layer_type"), type, *options.layer_idx, layer_type);
  }
  return check_layer_choice(type, ChoiceList(names.c_str()));
}

Status choose_listed_layer(const Family& family, const ConfigOptions& options, ConfigMap& model,
                           int count, RopeLayer& out) {
  const Tensor* list = model.list("no_rope_layers");
  const bool has_list = list && !list->data.empty();
  if (list && !has_list && !family.ignores_empty_list) {
    return invalid("{}no_rope_layers: the list is empty; expected one entry per layer, or no list",
                   model.path);
  }
  const int period = has_list ? static_cast<int>(list->data.size())
                              : read_whole_number(model, "no_rope_layer_interval", 4, 1);
  const auto is_rotated = [&](int layer) {
    return has_list ? list->data[static_cast<std::size_t>(layer)] != 0 : (layer + 1) % period != 0;
  };
  const int layer_total = has_list && (count == 0 || period < count) ? period : count;
  PHASOR_TRY(check_layer_idx(options.layer_idx, layer_total, false));
  const int end = layer_total > 0 ? std::min(layer_total, period) : period;
  int rotated_count = 0;
  for (int i = 0; i < end; ++i) rotated_count += is_rotated(i) ? 1 : 0;
  if (rotated_count > 0 && rotated_count < end)
    PHASOR_TRY(check_layer_idx(options.layer_idx, layer_total, true));
  out.has_rope = options.layer_idx ? is_rotated(*options.layer_idx) : rotated_count > 0;
  return {};
}

Status choose_self_attention_layer(const ConfigOptions& options, ConfigMap& model, int count,
                                   RopeLayer& out) {
  static constexpr float kPublishedLayers[] = {3, 8, 13, 18, 23, 28, 33, 38};
  const Tensor* list = model.list("cross_attention_layers");
  const std::span<const float> cross_layers =
      list ? std::span<const float>(list->data) : kPublishedLayers;
  if (cross_layers.empty()) return {};
  PHASOR_TRY(check_layer_idx(options.layer_idx, count, true));
  out.has_rope = std::find(cross_layers.begin(), cross_layers.end(),
                           static_cast<float>(*options.layer_idx)) == cross_layers.end();
  return {};
}

// Returns the layer types that have their own dictionary (transformers 5), or an empty string if
// all layers share one.
std::string list_nested_types(const ConfigMap& rope) {
  std::string types;
  for (const auto& [key, value] : rope.entries) {
    const std::string type = key.substr(0, key.find('.'));
    if (type != key && ChoiceList(types.c_str()).find(type) < 0)
      (types += types.empty() ? "" : ", ") += type;
  }
  return types;
}

// Returns true if mlp_layer_types lists the layer as dense (Cohere 2 MoE), unless the sliding
// windows of dense layers follow a pattern.
bool is_dense(ConfigMap& model, const std::optional<int>& layer) {
  const std::string* list = model.string("mlp_layer_types");
  if (list == nullptr || !layer || model.number("prefix_dense_sliding_window_pattern", 1) != 1)
    return false;
  const std::vector<std::string_view> types = split_choices(*list);
  const auto index = static_cast<std::size_t>(*layer);
  return index < types.size() && types[index] == "dense";
}

// Appends the layer types whose dictionary is null in the file.
std::string add_null_types(const std::string& nested_types, const ConfigMap& model) {
  std::string types = nested_types;
  for (const char* type : {kFullAttention, kSlidingAttention}) {
    if (model.is_null(std::string("rope_parameters.") + type)) (types += ", ") += type;
  }
  return types;
}

Status select_dictionary(const std::string& type, ConfigMap& rope) {
  Params dictionary = ConfigMap::extract_prefixed(type + ".", rope.entries);
  for (const auto& [key, value] : rope.entries) {
    if (key.find('.') == std::string::npos) {
      return unknown("{}{}: {} cannot be combined with dictionaries per layer type", rope.path, key,
                     value);
    }
  }
  rope.entries = std::move(dictionary);
  rope.path += type + ".";
  return {};
}

}  // namespace

Status check_layer_idx(const std::optional<int>& layer_idx, double count, bool is_required) {
  const std::string valid_indices = count > 0 ? format_error("0 to {}", count - 1) : "0, 1, 2 ...";
  if (!layer_idx)
    return is_required ? invalid("{}: is required, because layers differ; expected {}",
                                 argument("layer_idx"), valid_indices)
                       : Status();
  if (*layer_idx >= 0 && (count <= 0 || *layer_idx < count)) return {};
  return invalid("{}: {} is not a layer index; expected {}", argument("layer_idx"), *layer_idx,
                 valid_indices);
}

Status check_layer_choice(const std::string& layer_type, ChoiceList layers, const char* name) {
  if (layer_type.empty())
    return invalid("{}: is required, because layers differ; expected one of {}", argument(name),
                   layers);
  if (layers.find(layer_type) >= 0) return {};
  return unknown("{}: \"{}\" is unknown; expected one of {}", argument(name), layer_type, layers);
}

Status choose_layer(const Family* family, const ConfigOptions& options, ConfigMap& model,
                    ConfigMap& rope, RopeLayer& out) {
  PHASOR_TRY(check_layer_idx(options.layer_idx, 0, false));
  const RotationRule rule = family != nullptr                   ? family->rotation
                            : model.has("rope_local_base_freq") ? RotationRule::local_base
                                                                : RotationRule::uniform;
  const std::string nested_types = list_nested_types(rope);
  if (rule == RotationRule::uniform && nested_types.empty() && !options.layer_idx) return {};

  const int count = read_layer_count(family, model);
  PHASOR_TRY(check_layer_idx(options.layer_idx, count, false));
  // The list of layer types is not needed if the caller specified a layer_type but no layer index.
  const bool needs_types = options.layer_idx || options.layer_type.empty();
  LayerTypes types;
  if (needs_types) {
    const int type_count = count > 0 || !options.layer_idx ? count : *options.layer_idx + 1;
    PHASOR_TRY(LayerTypes::read(family, model, type_count, types));
  }
  PHASOR_TRY(model.status());
  std::string type = options.layer_type;
  if (options.layer_idx) {
    const std::string_view layer_type = types.at(*options.layer_idx);
    if (!layer_type.empty() && !is_attention(find_kind(layer_type)))
      return reject_layer_without_queries(*options.layer_idx, layer_type);
  }
  if (const Tensor* bases = model.list("layer_rope_theta")) {
    const bool is_uniform = std::all_of(bases->data.begin(), bases->data.end(),
                                        [&](float base) { return base == bases->data.front(); });
    PHASOR_TRY(
        check_layer_idx(options.layer_idx, static_cast<int>(bases->data.size()), !is_uniform));
    const auto index = static_cast<std::size_t>(options.layer_idx.value_or(0));
    if (index < bases->data.size()) {
      out.base = static_cast<double>(bases->data[index]);
      out.has_rope = *out.base != 0;
    }
    return {};
  }
  if (const Tensor* scaled_layers = model.list("rope_scaling_layers")) {  // Molmo 2
    const auto index = static_cast<float>(options.layer_idx.value_or(0));
    PHASOR_TRY(check_layer_idx(
        options.layer_idx, count,
        !options.layer_idx && static_cast<int>(scaled_layers->data.size()) < count));
    out.is_scaled = std::find(scaled_layers->data.begin(), scaled_layers->data.end(), index) !=
                    scaled_layers->data.end();
  }
  if (rule == RotationRule::listed) {
    PHASOR_TRY(choose_listed_layer(*family, options, model, count, out));
  } else if (rule == RotationRule::not_cross) {
    PHASOR_TRY(choose_self_attention_layer(options, model, count, out));
  } else if (rule == RotationRule::uniform && nested_types.empty()) {
    return {};
  } else if ((rule == RotationRule::window_only || rule == RotationRule::window_or_all) &&
             model.is_null("sliding_window")) {
    out.has_rope = rule == RotationRule::window_or_all;  // no layer has a window
  } else {
    // A layer does not rotate if the dictionary of its type is null.
    const std::string window_types = format_error("{}, {}", kFullAttention, kSlidingAttention);
    const std::string compressed_types =
        ", compressed_sparse_attention, heavily_compressed_attention";
    PHASOR_TRY(choose_layer_type(types,
                                 rule == RotationRule::compressed
                                     ? kSlidingAttention + compressed_types
                                 : nested_types.empty() ? window_types
                                                        : add_null_types(nested_types, model),
                                 options, type));
    const bool is_local = find_kind(type) == LayerKind::sliding;
    if (rule == RotationRule::window_only || rule == RotationRule::window_or_all) {
      out.has_rope =
          is_local || (family->dense_layers_rotate && is_dense(model, options.layer_idx));
    } else {
      out.is_local = nested_types.empty() && is_local;
      out.is_scaled = !out.is_local || rule == RotationRule::scaled_local;
    }
    if (rule == RotationRule::compressed) {
      const bool has_compressed_keys = type != kSlidingAttention;
      out.type = type;
      if (!nested_types.empty())
        return select_dictionary(has_compressed_keys ? "compress" : "main", rope);
      out.is_local = out.is_scaled = has_compressed_keys;
    } else if (!nested_types.empty() && ChoiceList(nested_types.c_str()).find(type) < 0) {
      out.has_rope = false;  // the dictionary of this type is null
    }
  }
  out.type = type;
  return nested_types.empty() || !out.has_rope ? Status() : select_dictionary(type, rope);
}

}  // namespace phasor
