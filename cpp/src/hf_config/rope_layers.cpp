#include "hf_config/rope_layers.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/format_error.h"

namespace phasor {

namespace {

Status no_queries(int layer, std::string_view type) {
  return invalid("{}: layer {} is {}, which has no queries and keys", argument("layer_idx"), layer,
                 type_name(type));
}

// The interval at which layers differ.
int interval_of(ConfigMap& model, const char* key, int default_value) {
  const double interval = model.get_or(key, default_value);
  if (interval >= 1 && interval <= kMaxExtent && interval == std::floor(interval))
    return static_cast<int>(interval);
  model.fail(invalid("{}{}: {} is not a whole number from {}", model.path, key, interval,
                     Range{1, kMaxExtent}));
  return default_value;
}

// Determines the type of the requested layer, one of `names`.
Status choose_type(const LayerTypes& types, const std::string& names, const ConfigOptions& options,
                   std::string& type) {
  type = options.layer_type;
  const std::string_view own = options.layer_idx ? types.at(*options.layer_idx) : types.only();
  if (type.empty()) {
    type = own;
  } else if (options.layer_idx && !own.empty() && type != own) {
    return invalid("{}: \"{}\" is not the type of layer {}, which is {}", argument("layer_type"),
                   type, *options.layer_idx, own);
  }
  return check_layer(type, ChoiceList(names.c_str()));
}

Status choose_listed(const Family& family, const ConfigOptions& options, ConfigMap& model,
                     int count, Layer& out) {
  const Tensor* list = model.list("no_rope_layers");
  const bool is_list = list && !list->data.empty();
  if (list && !is_list && !family.takes_empty_list) {
    return invalid(
        "{}no_rope_layers: the list is empty; expected a number for each layer, or no list",
        model.path);
  }
  const int period = is_list ? static_cast<int>(list->data.size())
                             : interval_of(model, "no_rope_layer_interval", 4);
  const auto rotates = [&](int layer) {
    return is_list ? list->data[static_cast<std::size_t>(layer)] != 0 : (layer + 1) % period != 0;
  };
  const int layers = is_list && (count == 0 || period < count) ? period : count;
  PHASOR_TRY(check_layer_idx(options.layer_idx, layers, false));
  const int last = layers > 0 ? std::min(layers, period) : period;
  int with = 0;
  for (int i = 0; i < last; ++i) with += rotates(i) ? 1 : 0;
  if (with > 0 && with < last) PHASOR_TRY(check_layer_idx(options.layer_idx, layers, true));
  out.has_rope = options.layer_idx ? rotates(*options.layer_idx) : with > 0;
  return {};
}

Status choose_self_attention(const ConfigOptions& options, ConfigMap& model, int count,
                             Layer& out) {
  static constexpr float kPublished[] = {3, 8, 13, 18, 23, 28, 33, 38};
  const Tensor* list = model.list("cross_attention_layers");
  const std::span<const float> cross = list ? std::span<const float>(list->data) : kPublished;
  if (cross.empty()) return {};
  PHASOR_TRY(check_layer_idx(options.layer_idx, count, true));
  out.has_rope =
      std::find(cross.begin(), cross.end(), static_cast<float>(*options.layer_idx)) == cross.end();
  return {};
}

// The layer types with separate dictionaries in version 5; empty if all layers share one
// dictionary.
std::string nested_types(const ConfigMap& rope) {
  std::string types;
  for (const auto& [key, value] : rope.entries) {
    const std::string type = key.substr(0, key.find('.'));
    if (type != key && ChoiceList(types.c_str()).find(type) < 0)
      (types += types.empty() ? "" : ", ") += type;
  }
  return types;
}

// Cohere 2 MoE rotates its leading dense layers, unless their windows follow a pattern.
bool is_dense(ConfigMap& model, const std::optional<int>& layer) {
  const std::string* list = model.string("mlp_layer_types");
  if (list == nullptr || !layer || model.number("prefix_dense_sliding_window_pattern", 1) != 1)
    return false;
  const std::vector<std::string_view> types = split_choices(*list);
  const auto place = static_cast<std::size_t>(*layer);
  return place < types.size() && types[place] == "dense";
}

// The types of `nested`, and those whose dictionary is null.
std::string types_with_nulls(const std::string& nested, const ConfigMap& model) {
  std::string types = nested;
  for (const char* type : {kFullAttention, kSlidingAttention}) {
    if (model.is_null(std::string("rope_parameters.") + type)) (types += ", ") += type;
  }
  return types;
}

Status enter_type(const std::string& type, ConfigMap& rope) {
  Params chosen = ConfigMap::take_below(type + ".", rope.entries);
  for (const auto& [key, value] : rope.entries) {
    if (key.find('.') == std::string::npos) {
      return unknown("{}{}: {} cannot be combined with dictionaries per layer type", rope.path, key,
                     value);
    }
  }
  rope.entries = std::move(chosen);
  rope.path += type + ".";
  return {};
}

}  // namespace

Status check_layer_idx(const std::optional<int>& layer_idx, double count, bool needed) {
  const std::string all = count > 0 ? format_error("0 to {}", count - 1) : "0, 1, 2 ...";
  if (!layer_idx)
    return needed ? invalid("{}: it is missing, but layers differ; expected one of {}",
                            argument("layer_idx"), all)
                  : Status();
  if (*layer_idx >= 0 && (count <= 0 || *layer_idx < count)) return {};
  return invalid("{}: {} is not the number of a layer; expected {}", argument("layer_idx"),
                 *layer_idx, all);
}

Status check_layer(const std::string& layer_type, ChoiceList layers, const char* name) {
  if (layer_type.empty())
    return invalid("{}: is missing, but layers differ; expected one of {}", argument(name), layers);
  if (layers.find(layer_type) >= 0) return {};
  return unknown("{}: \"{}\" is unknown; expected one of {}", argument(name), layer_type, layers);
}

Status choose_layer(const Family* family, const ConfigOptions& options, ConfigMap& model,
                    ConfigMap& rope, Layer& out) {
  PHASOR_TRY(check_layer_idx(options.layer_idx, 0, false));
  const Layers rule = family != nullptr                   ? family->layers
                      : model.has("rope_local_base_freq") ? Layers::local_base
                                                          : Layers::uniform;
  const std::string nested = nested_types(rope);
  if (rule == Layers::uniform && nested.empty() && !options.layer_idx) return {};

  const int count = layer_count(family, model);
  PHASOR_TRY(check_layer_idx(options.layer_idx, count, false));
  // A requested layer_type needs no list of types.
  const bool by_number = options.layer_idx || options.layer_type.empty();
  LayerTypes types;
  if (by_number) {
    const int known = count > 0 || !options.layer_idx ? count : *options.layer_idx + 1;
    PHASOR_TRY(LayerTypes::read(family, model, known, types));
  }
  PHASOR_TRY(model.status());
  std::string type = options.layer_type;
  if (options.layer_idx) {
    const std::string_view own = types.at(*options.layer_idx);
    if (!own.empty() && !attends(kind_of(own))) return no_queries(*options.layer_idx, own);
  }
  if (const Tensor* bases = model.list("layer_rope_theta")) {
    const bool uniform = std::all_of(bases->data.begin(), bases->data.end(),
                                     [&](float base) { return base == bases->data.front(); });
    PHASOR_TRY(check_layer_idx(options.layer_idx, static_cast<int>(bases->data.size()), !uniform));
    const auto place = static_cast<std::size_t>(options.layer_idx.value_or(0));
    if (place < bases->data.size()) {
      out.base = static_cast<double>(bases->data[place]);
      out.has_rope = *out.base != 0;
    }
    return {};
  }
  if (const Tensor* scaled = model.list("rope_scaling_layers")) {  // Molmo 2
    const auto place = static_cast<float>(options.layer_idx.value_or(0));
    PHASOR_TRY(
        check_layer_idx(options.layer_idx, count,
                        !options.layer_idx && static_cast<int>(scaled->data.size()) < count));
    out.scaled = std::find(scaled->data.begin(), scaled->data.end(), place) != scaled->data.end();
  }
  if (rule == Layers::listed) {
    PHASOR_TRY(choose_listed(*family, options, model, count, out));
  } else if (rule == Layers::not_cross) {
    PHASOR_TRY(choose_self_attention(options, model, count, out));
  } else if (rule == Layers::uniform && nested.empty()) {
    return {};
  } else if ((rule == Layers::window_only || rule == Layers::window_or_all) &&
             model.is_null("sliding_window")) {
    out.has_rope = rule == Layers::window_or_all;  // because no layer has a window
  } else {
    // A layer type with a null dictionary does not rotate.
    const std::string full = format_error("{}, {}", kFullAttention, kSlidingAttention);
    const std::string compressed = ", compressed_sparse_attention, heavily_compressed_attention";
    PHASOR_TRY(choose_type(types,
                           rule == Layers::compressed ? kSlidingAttention + compressed
                           : nested.empty()           ? full
                                                      : types_with_nulls(nested, model),
                           options, type));
    const bool local = kind_of(type) == LayerKind::sliding;
    if (rule == Layers::window_only || rule == Layers::window_or_all) {
      out.has_rope = local || (family->dense_rotates && is_dense(model, options.layer_idx));
    } else {
      out.local = nested.empty() && local;
      out.scaled = !out.local || rule == Layers::scaled_local;
    }
    if (rule == Layers::compressed) {
      const bool compresses = type != kSlidingAttention;  // because all layers have a window
      out.type = type;
      if (!nested.empty()) return enter_type(compresses ? "compress" : "main", rope);
      out.local = out.scaled = compresses;
    } else if (!nested.empty() && ChoiceList(nested.c_str()).find(type) < 0) {
      out.has_rope = false;  // because the dictionary of this type is null
    }
  }
  out.type = type;
  return nested.empty() || !out.has_rope ? Status() : enter_type(type, rope);
}

}  // namespace phasor
