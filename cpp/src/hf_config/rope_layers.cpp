#include "hf_config/rope_layers.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/format_error.h"

namespace phasor {

namespace {

// Layers of other kinds, without queries and keys, which are compatible with all.
constexpr ChoiceList kWithoutAttention = "linear_attention, mamba, mamba2, conv, recurrent";

Status no_queries(int layer, std::string_view type) {
  return invalid("{}: layer {} is {}, which has no queries and keys", argument("layer_idx"), layer,
                 type);
}

// The period of a differing layer.
int interval_of(ConfigMap& model, const char* key, int default_value) {
  const double interval = model.get_or(key, default_value);
  if (interval >= 1 && interval <= kMaxExtent && interval == std::floor(interval))
    return static_cast<int>(interval);
  model.fail(invalid("{}{}: {} is not a whole number from {}", model.path, key, interval,
                     Range{1, kMaxExtent}));
  return default_value;
}

// The types of all layers: from a list, or a pattern that repeats.
class Types {
 public:
  Types(const std::string* list, const RopeFamily* family, ConfigMap& model, int count) {
    if (list) {
      listed_ = split_choices(*list);
    } else if (family && family->pattern.interval > 0) {
      pattern_ = family->pattern;
      if (pattern_.key) pattern_.interval = interval_of(model, pattern_.key, pattern_.interval);
      // One period has all types, unless the model ends within it.
      for (int i = 0; i < (count > 0 ? std::min(count, pattern_.interval) : pattern_.interval); ++i)
        listed_.push_back(by_pattern(i));
    }
  }

  /// Empty beyond the list.
  std::string_view at(int layer) const {
    if (pattern_.interval > 0) return by_pattern(layer);
    const auto i = static_cast<std::size_t>(layer);
    return i < listed_.size() ? listed_[i] : std::string_view();
  }
  /// The type of all layers with attention; empty if they differ or are not known.
  std::string_view only() const {
    std::string_view type;
    for (const std::string_view own : listed_) {
      if (own == type || kWithoutAttention.find(own) >= 0) continue;
      if (!type.empty()) return {};
      type = own;
    }
    return type;
  }

 private:
  std::string_view by_pattern(int layer) const {
    return (layer + (pattern_.from_first ? 0 : 1)) % pattern_.interval == 0 ? kFullAttention
                                                                            : kSlidingAttention;
  }
  WindowPattern pattern_{};
  std::vector<std::string_view> listed_{};
};

// The type of the requested layer, one of `names`.
Status choose_type(const Types& types, const std::string& names, const ConfigOptions& options,
                   std::string& type) {
  type = options.layer_type;
  const std::string_view own = options.layer_idx ? types.at(*options.layer_idx) : types.only();
  if (options.layer_idx && kWithoutAttention.find(own) >= 0)
    return no_queries(*options.layer_idx, own);
  if (type.empty()) {
    type = own;
  } else if (options.layer_idx && !own.empty() && type != own) {
    return invalid("{}: \"{}\" is given, but layer {} is {}", argument("layer_type"), type,
                   *options.layer_idx, own);
  }
  return check_layer(type, ChoiceList(names.c_str()));
}

Status choose_listed(const RopeFamily& family, const ConfigOptions& options, ConfigMap& model,
                     int count, Layer& out) {
  const Tensor* list = model.list("no_rope_layers");
  const bool is_list = list && !list->data.empty();
  if (list && !is_list && !family.takes_empty_list) {
    return invalid(
        "{}no_rope_layers: the list is empty; it has a number for each layer, or is left out",
        model.path);
  }
  const int period = is_list ? static_cast<int>(list->data.size())
                             : interval_of(model, "no_rope_layer_interval", 4);
  const auto turns = [&](int layer) {
    return is_list ? list->data[static_cast<std::size_t>(layer)] != 0 : (layer + 1) % period != 0;
  };
  const int layers = is_list && (count == 0 || period < count) ? period : count;
  PHASOR_TRY(check_layer_idx(options.layer_idx, layers, false));
  const int last = layers > 0 ? std::min(layers, period) : period;
  int with = 0;
  for (int i = 0; i < last; ++i) with += turns(i) ? 1 : 0;
  if (with > 0 && with < last) PHASOR_TRY(check_layer_idx(options.layer_idx, layers, true));
  out.has_rope = options.layer_idx ? turns(*options.layer_idx) : with > 0;
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

// The types for which version 5 has separate dictionaries; none if there is one for all.
std::string nested_types(const ConfigMap& rope) {
  std::string types;
  for (const auto& [key, value] : rope.entries) {
    const std::string type = key.substr(0, key.find('.'));
    if (type != key && ChoiceList(types.c_str()).find(type) < 0)
      (types += types.empty() ? "" : ", ") += type;
  }
  return types;
}

Status enter_type(const std::string& type, ConfigMap& rope) {
  Params chosen = ConfigMap::take_below(type + ".", rope.entries);
  for (const auto& [key, value] : rope.entries) {
    if (key.find('.') == std::string::npos) {
      return unknown("{}{}: {} is given beside dictionaries of single layer types", rope.path, key,
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
    return needed ? invalid("{}: it is not given, but layers differ; there are {}",
                            argument("layer_idx"), all)
                  : Status();
  if (*layer_idx >= 0 && (count <= 0 || *layer_idx < count)) return {};
  return invalid("{}: {} is not the number of a layer; there are {}", argument("layer_idx"),
                 *layer_idx, all);
}

Status check_layer(const std::string& layer_type, ChoiceList layers, const char* name) {
  if (layer_type.empty())
    return invalid("{}: it is not given, but layers differ; there are {}", argument(name), layers);
  if (layers.find(layer_type) >= 0) return {};
  return unknown("{}: \"{}\" is unknown; there are {}", argument(name), layer_type, layers);
}

Status choose_layer(const RopeFamily* family, const ConfigOptions& options, ConfigMap& model,
                    ConfigMap& rope, Layer& out) {
  PHASOR_TRY(check_layer_idx(options.layer_idx, 0, false));
  const Layers rule = family != nullptr                   ? family->layers
                      : model.has("rope_local_base_freq") ? Layers::local_base
                                                          : Layers::alike;
  const std::string nested = nested_types(rope);
  if (rule == Layers::alike && nested.empty() && !options.layer_idx) return {};

  const int count = static_cast<int>(
      std::clamp(model.number("num_hidden_layers", 0), 0.0, static_cast<double>(kMaxExtent)));
  PHASOR_TRY(check_layer_idx(options.layer_idx, count, false));
  // A named type needs no list of the types of all layers.
  const bool by_number = options.layer_idx || options.layer_type.empty();
  const Types types(by_number ? model.word("layer_types") : nullptr, by_number ? family : nullptr,
                    model, count);
  PHASOR_TRY(model.status());
  std::string type = options.layer_type;
  if (rule == Layers::listed) {
    PHASOR_TRY(choose_listed(*family, options, model, count, out));
  } else if (rule == Layers::not_cross) {
    PHASOR_TRY(choose_self_attention(options, model, count, out));
  } else if (rule == Layers::alike && nested.empty()) {
    const std::string_view own = types.at(*options.layer_idx);
    if (kWithoutAttention.find(own) >= 0) return no_queries(*options.layer_idx, own);
  } else if ((rule == Layers::window_only || rule == Layers::window_or_all) &&
             model.is_null("sliding_window")) {
    out.has_rope = rule == Layers::window_or_all;  // no layer has a window
  } else {
    PHASOR_TRY(choose_type(
        types, nested.empty() ? format_error("{}, {}", kFullAttention, kSlidingAttention) : nested,
        options, type));
    if (rule == Layers::window_only || rule == Layers::window_or_all) {
      out.has_rope = type == kSlidingAttention;
    } else {
      out.local = nested.empty() && type == kSlidingAttention;
    }
  }
  out.type = type;
  return nested.empty() || !out.has_rope ? Status() : enter_type(type, rope);
}

}  // namespace phasor
