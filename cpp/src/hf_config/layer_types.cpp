#include "hf_config/layer_types.h"

#include <algorithm>
#include <array>
#include <cmath>

#include "core/format_error.h"

namespace phasor {

namespace {

struct LayerTypeNames {
  ChoiceList names{};
  LayerKind kind = LayerKind::full;
};

// Hybrid layers contain both attention and a state-space model (Zamba, Falcon-H1). Their attention
// determines their kind.
constexpr LayerTypeNames kLayerTypeNames[] = {
    {"full_attention, attention, full, global, global_attention, indexed_attention, hybrid, "
     "full_linear_attention",
     LayerKind::full},
    {"sliding_attention, local, local_attention, sliding, sliding_window, hybrid_sliding, "
     "compressed_sparse_attention, heavily_compressed_attention",
     LayerKind::sliding},
    {"chunked_attention", LayerKind::chunked},
    {"linear_attention, linear, mamba, mamba2, lightning, kda, gated_deltanet", LayerKind::linear},
    {"recurrent", LayerKind::recurrent},
    {"conv, convolution", LayerKind::conv},
    {"moe, mlp, none, dense, sparse", LayerKind::none},
};

const LayerTypeNames* find_type_names(std::string_view type) {
  const auto* match =
      std::find_if(std::begin(kLayerTypeNames), std::end(kLayerTypeNames),
                   [&](const LayerTypeNames& row) { return row.names.find(type) >= 0; });
  return match == std::end(kLayerTypeNames) ? nullptr : match;
}

constexpr const char* kTypeListKeys[] = {"layer_types", "layers_block_type", "attention_layers"};

}  // namespace

LayerKind find_kind(std::string_view type) {
  const LayerTypeNames* row = find_type_names(type);
  return row != nullptr ? row->kind : LayerKind::full;
}

bool is_layer_type(std::string_view type) { return find_type_names(type) != nullptr; }

std::string type_name(std::string_view type) {
  static constexpr std::array kKindNames = {
      kFullAttention, kSlidingAttention, kChunkedAttention, "linear_attention", "recurrent", "conv",
      "none"};
  return type.ends_with("_attention") && type != "global_attention" && type != "local_attention"
             ? std::string(type)
             : kKindNames[static_cast<std::size_t>(find_kind(type))];
}

int read_whole_number(ConfigMap& model, const char* key, int default_value, int minimum) {
  if (model.is_null(key)) return default_value;
  const double number = model.get_or(key, default_value);
  if (number >= minimum && number <= kMaxExtent && number == std::floor(number))
    return static_cast<int>(number);
  model.fail(invalid("{}{}: {} is not a whole number from {}", model.path, key, number,
                     Range{static_cast<double>(minimum), static_cast<double>(kMaxExtent)}));
  return default_value;
}

int read_layer_count(const Family* family, ConfigMap& model, std::string_view stack) {
  const auto read_any_count = [&](std::initializer_list<const char*> keys) {
    for (const char* key : keys) {
      if (model.has(key)) return read_whole_number(model, key, 0);
    }
    return 0;
  };
  if (stack == "encoder")
    return read_any_count({"encoder_layers", "num_layers", "num_hidden_layers"});
  if (stack == "decoder")
    return read_any_count(
        {"decoder_layers", "num_decoder_layers", "num_layers", "num_hidden_layers"});
  int count = read_any_count({"num_hidden_layers", "n_layer", "n_layers", "num_layers"});
  // The key `depth` is the number of layers in Qwen's vision towers. In Janus it belongs to another
  // part of the model.
  if (count == 0 && family != nullptr && family->convention != nullptr)
    count = read_any_count({"depth"});
  const bool counts_mlp_layers =
      family != nullptr && family->has_mlp_layer_types &&
      model.string_or_none("layer_types").find("mlp") != std::string_view::npos;
  return counts_mlp_layers ? count / 2 : count;
}

Status LayerTypes::read(const Family* family, ConfigMap& model, int count, LayerTypes& out) {
  for (const char* key : kTypeListKeys) {
    const std::string* joined_types = model.string(key);
    if (joined_types == nullptr) continue;
    const bool skips_mlp_layers = family != nullptr && family->has_mlp_layer_types;
    for (const std::string_view name : split_choices(*joined_types)) {
      if (!skips_mlp_layers || name != "mlp") out.types_.emplace_back(name);
    }
    out.is_in_file_ = true;
    return model.status();
  }
  if (family == nullptr) return model.status();
  const LayerPattern& pattern = family->pattern;
  if (pattern.read_types != nullptr) {
    PHASOR_TRY(pattern.read_types(model, count, out.types_));
    return model.status();
  }
  if (pattern.interval == 0) {
    out.types_.emplace_back(kFullAttention);
    out.is_pattern_ = true;
    return model.status();
  }
  const int interval = pattern.key != nullptr
                           ? read_whole_number(model, pattern.key, pattern.interval, 1)
                           : pattern.interval;
  int phase = pattern.phase < 0 ? interval - 1 : pattern.phase;
  if (pattern.phase_key != nullptr) phase = read_whole_number(model, pattern.phase_key, phase);
  const auto pattern_type = [&](int layer) {
    const bool is_full = layer < pattern.first_full_count ||
                         (layer >= -pattern.first_full_count && layer % interval == phase) ||
                         (pattern.is_last_full && layer == count - 1);
    return is_full ? kFullAttention : pattern.other_type;
  };
  // If the number of layers is unknown, stores one interval, which `at` repeats.
  out.is_pattern_ = count == 0;
  for (int i = 0; i < (count > 0 ? count : interval); ++i) out.types_.emplace_back(pattern_type(i));
  return model.status();
}

std::string_view LayerTypes::at(int layer) const {
  const auto i = static_cast<std::size_t>(layer);
  if (is_pattern_) return types_[i % types_.size()];
  return i < types_.size() ? std::string_view(types_[i]) : std::string_view();
}

std::string_view LayerTypes::common_type() const {
  std::string_view type;
  for (const std::string& layer_type : types_) {
    if (layer_type == type || !is_attention(find_kind(layer_type))) continue;
    if (!type.empty()) return {};
    type = layer_type;
  }
  return type;
}

}  // namespace phasor
