// Layer types of families that have no regular interval: lists of numbers, strings of letters, and
// rules of a single family.

#include <algorithm>

#include "core/format_error.h"
#include "hf_config/layer_types.h"

namespace phasor {

namespace {

bool contains(const Tensor* list, int number) {
  return list != nullptr && std::find(list->data.begin(), list->data.end(),
                                      static_cast<float>(number)) != list->data.end();
}

template <class LayerTypeGetter>
void append_types(int count, std::vector<std::string>& types, LayerTypeGetter get_layer_type) {
  for (int i = 0; i < count; ++i) types.emplace_back(get_layer_type(i));
}

}  // namespace

Status reject_missing_layer_count(const ConfigMap& model) {
  return invalid("{}num_hidden_layers: the key is missing; expected the number of layers",
                 model.path);
}

Status read_bamba_layer_types(ConfigMap& model, int count, std::vector<std::string>& types) {
  if (count == 0) return reject_missing_layer_count(model);
  const Tensor* attention_layers = model.list("attn_layer_indices");
  append_types(count, types, [&](int i) {
    return contains(attention_layers, i) ? kFullAttention : "linear_attention";
  });
  return {};
}

Status read_lfm2_layer_types(ConfigMap& model, int count, std::vector<std::string>& types) {
  const Tensor* attention_layers = model.list("full_attn_idxs");
  if (attention_layers == nullptr) return {};  // all layers have attention
  if (count == 0) return reject_missing_layer_count(model);
  append_types(count, types,
               [&](int i) { return contains(attention_layers, i) ? kFullAttention : "conv"; });
  return {};
}

Status read_lfm3_layer_types(ConfigMap&, int count, std::vector<std::string>& types) {
  append_types(std::max(count, 7), types, [&](int i) {
    return i % 4 == 2 ? kFullAttention : i % 4 == 0 && i > 0 ? kSlidingAttention : "conv";
  });
  return {};
}

Status read_lara_mini_layer_types(ConfigMap&, int count, std::vector<std::string>& types) {
  append_types(std::max(count, 5), types, [&](int i) {
    return i % 5 == 3                 ? kFullAttention
           : i % 5 == 1 || i % 5 == 4 ? kSlidingAttention
                                      : "linear_attention";
  });
  return {};
}

// The pattern has one letter per layer: M for a state-space model, * for attention, - for an MLP, E
// for a mixture of experts.
Status read_nemotron_h_layer_types(ConfigMap& model, int, std::vector<std::string>& types) {
  const std::string* pattern = model.string("hybrid_override_pattern");
  if (pattern == nullptr) {
    types = {"linear_attention", "moe", kFullAttention, "mlp"};
    return {};
  }
  for (const char letter : *pattern) {
    const std::string_view type_letters = "M*-E";
    const std::size_t index = type_letters.find(letter);
    if (index == type_letters.npos) {
      return invalid("{}hybrid_override_pattern: \"{}\" has a character other than M, *, - and E",
                     model.path, *pattern);
    }
    static constexpr const char* kTypes[] = {"linear_attention", kFullAttention, "mlp", "moe"};
    types.emplace_back(kTypes[index]);
  }
  return {};
}

// The lists of Kimi Linear count layers from 1.
Status read_kimi_linear_layer_types(ConfigMap& model, int count, std::vector<std::string>& types) {
  if (count == 0) return reject_missing_layer_count(model);
  const Tensor *full_layers = model.list("linear_attn_config.full_attn_layers"),
               *linear_layers = model.list("linear_attn_config.kda_layers");
  const bool is_listed = full_layers != nullptr && linear_layers != nullptr;
  append_types(count, types, [&](int i) {
    return (is_listed ? contains(full_layers, i + 1) : i > 0 && i % 4 == 0) ? kFullAttention
                                                                            : "linear_attention";
  });
  return {};
}

Status read_zamba_layer_types(ConfigMap& model, int count, std::vector<std::string>& types) {
  if (count == 0) return reject_missing_layer_count(model);
  const int period = read_whole_number(model, "attn_layer_period", 6, 1),
            offset = read_whole_number(model, "attn_layer_offset", 4);
  append_types(count, types, [&](int i) {
    return i == 2 || (i > 2 && (i - 3) % period == offset) ? "hybrid" : "linear_attention";
  });
  return {};
}

Status read_zamba2_layer_types(ConfigMap& model, int count, std::vector<std::string>& types) {
  if (count == 0) return reject_missing_layer_count(model);
  static constexpr int kPublishedLayers[] = {6, 12, 18, 24, 30, 36, 42, 47, 51};
  const Tensor* list = model.list("hybrid_layer_ids");
  append_types(count, types, [&](int i) {
    const bool is_hybrid = list != nullptr
                               ? contains(list, i)
                               : std::find(std::begin(kPublishedLayers), std::end(kPublishedLayers),
                                           i) != std::end(kPublishedLayers);
    return is_hybrid ? "hybrid" : "linear_attention";
  });
  return {};
}

// The list block_types repeats until all layers have a type. In RecurrentGemma, attention layers
// have a window.
Status read_repeating_layer_types(ConfigMap& model, int count, std::vector<std::string>& types) {
  const std::string* list = model.string("block_types");
  const std::vector<std::string_view> period =
      list != nullptr ? split_choices(*list)
                      : std::vector<std::string_view>{"recurrent", "recurrent", "attention"};
  append_types(std::max(count, static_cast<int>(period.size())), types, [&](int i) {
    const std::string_view type = period[static_cast<std::size_t>(i) % period.size()];
    return std::string(type == "attention" ? kSlidingAttention : type);
  });
  return {};
}

Status read_qwen2_moe_layer_types(ConfigMap& model, int count, std::vector<std::string>& types) {
  if (!model.boolean("use_sliding_window", false)) return {};
  if (count == 0) return reject_missing_layer_count(model);
  const int window_layers = read_whole_number(model, "max_window_layers", 28);
  append_types(count, types, [&](int i) {
    return i % 2 == 0 && i < window_layers ? kSlidingAttention : kFullAttention;
  });
  return {};
}

// attn_type_list contains one number per layer. 1 means softmax attention.
Status read_minimax_layer_types(ConfigMap& model, int count, std::vector<std::string>& types) {
  const Tensor* list = model.list("attn_type_list");
  append_types(list != nullptr ? static_cast<int>(list->data.size()) : std::max(count, 2), types,
               [&](int i) {
                 const bool is_full =
                     list != nullptr ? list->data[static_cast<std::size_t>(i)] != 0 : i % 2 == 0;
                 return is_full ? kFullAttention : "linear_attention";
               });
  return {};
}

// hybrid_layer_pattern contains one number per layer. 1 means a sliding window.
Status read_mimo_layer_types(ConfigMap& model, int count, std::vector<std::string>& types) {
  const Tensor* list = model.list("hybrid_layer_pattern");
  const int layers = list != nullptr ? static_cast<int>(list->data.size()) : count;
  if (layers == 0) return reject_missing_layer_count(model);
  append_types(layers, types, [&](int i) {
    const bool is_local =
        list != nullptr ? list->data[static_cast<std::size_t>(i)] != 0 : i > 0 && (i + 1) % 6 != 0;
    return is_local ? kSlidingAttention : kFullAttention;
  });
  return {};
}

Status read_deepseek_v4_layer_types(ConfigMap& model, int count, std::vector<std::string>& types) {
  constexpr const char *kSparse = "compressed_sparse_attention",
                       *kHeavy = "heavily_compressed_attention";
  if (const Tensor* ratio_list = model.list("compress_ratios")) {
    for (const float ratio : ratio_list->data) {
      types.emplace_back(ratio == 0 ? kSlidingAttention : ratio == 4 ? kSparse : kHeavy);
      if (ratio != 0 && ratio != 4 && ratio != 128)
        return invalid("{}compress_ratios: {} is not one of 0, 4, 128", model.path,
                       static_cast<double>(ratio));
    }
    return {};
  }
  if (count == 0) return reject_missing_layer_count(model);
  append_types(count, types, [&](int i) { return i < 2 || i % 2 == 0 ? kHeavy : kSparse; });
  return {};
}

// attention_types is a nested list such as [[["global", "local"], 12]], stored here as nested keys.
// By default, global and local layers alternate.
Status read_gpt_neo_layer_types(ConfigMap& model, int count, std::vector<std::string>& types) {
  for (int group = 0;; ++group) {
    const std::string key = format_error("attention_types.{}.", group);
    const ParamValue *names = model.entries.find(key + "0"),
                     *repeats = model.entries.find(key + "1");
    const auto* list = names != nullptr ? std::get_if<std::string>(names) : nullptr;
    const auto* repeat_count = repeats != nullptr ? std::get_if<double>(repeats) : nullptr;
    if (list == nullptr || repeat_count == nullptr) break;
    for (double n = 0; n < *repeat_count && types.size() < kMaxExtent; ++n) {
      for (const std::string_view type : split_choices(*list)) types.emplace_back(type);
    }
  }
  if (types.empty())
    append_types(std::max(count, 2), types, [](int i) { return i % 2 == 0 ? "global" : "local"; });
  return {};
}

}  // namespace phasor
