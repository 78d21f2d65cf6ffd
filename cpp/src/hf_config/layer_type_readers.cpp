// Layer types without a regular interval: lists of numbers, letters, and family-specific rules.

#include <algorithm>

#include "core/format_error.h"
#include "hf_config/layer_types.h"

namespace phasor {

namespace {

bool contains(const Tensor* list, int number) {
  return list != nullptr && std::find(list->data.begin(), list->data.end(),
                                      static_cast<float>(number)) != list->data.end();
}

template <class TypeOf>
void fill(int count, std::vector<std::string>& types, TypeOf type_of) {
  for (int i = 0; i < count; ++i) types.emplace_back(type_of(i));
}

Status needs_count(const ConfigMap& model) {
  return invalid("{}num_hidden_layers: the key is missing; expected the number of layers",
                 model.path);
}

}  // namespace

Status types_of_bamba(ConfigMap& model, int count, std::vector<std::string>& types) {
  if (count == 0) return needs_count(model);
  const Tensor* attending = model.list("attn_layer_indices");
  fill(count, types,
       [&](int i) { return contains(attending, i) ? kFullAttention : "linear_attention"; });
  return {};
}

Status types_of_lfm2(ConfigMap& model, int count, std::vector<std::string>& types) {
  const Tensor* attending = model.list("full_attn_idxs");
  if (attending == nullptr) return {};  // all layers attend
  if (count == 0) return needs_count(model);
  fill(count, types, [&](int i) { return contains(attending, i) ? kFullAttention : "conv"; });
  return {};
}

Status types_of_lfm3(ConfigMap&, int count, std::vector<std::string>& types) {
  fill(std::max(count, 7), types, [&](int i) {
    return i % 4 == 2 ? kFullAttention : i % 4 == 0 && i > 0 ? kSlidingAttention : "conv";
  });
  return {};
}

Status types_of_lara_mini(ConfigMap&, int count, std::vector<std::string>& types) {
  fill(std::max(count, 5), types, [&](int i) {
    return i % 5 == 3                 ? kFullAttention
           : i % 5 == 1 || i % 5 == 4 ? kSlidingAttention
                                      : "linear_attention";
  });
  return {};
}

// Letters of a published file: M is a state-space model, * attention, - and E layers without
// either.
Status types_of_nemotron_h(ConfigMap& model, int, std::vector<std::string>& types) {
  const std::string* pattern = model.string("hybrid_override_pattern");
  if (pattern == nullptr) {
    types = {"linear_attention", "moe", kFullAttention, "mlp"};
    return {};
  }
  for (const char letter : *pattern) {
    const std::string_view letters = "M*-E";
    const std::size_t place = letters.find(letter);
    if (place == letters.npos) {
      return invalid("{}hybrid_override_pattern: \"{}\" has a letter that is none of M, *, - and E",
                     model.path, *pattern);
    }
    static constexpr const char* kTypes[] = {"linear_attention", kFullAttention, "mlp", "moe"};
    types.emplace_back(kTypes[place]);
  }
  return {};
}

// Kimi's layer indices start at 1.
Status types_of_kimi_linear(ConfigMap& model, int count, std::vector<std::string>& types) {
  if (count == 0) return needs_count(model);
  const Tensor *full = model.list("linear_attn_config.full_attn_layers"),
               *linear = model.list("linear_attn_config.kda_layers");
  const bool listed = full != nullptr && linear != nullptr;
  fill(count, types, [&](int i) {
    return (listed ? contains(full, i + 1) : i > 0 && i % 4 == 0) ? kFullAttention
                                                                  : "linear_attention";
  });
  return {};
}

Status types_of_zamba(ConfigMap& model, int count, std::vector<std::string>& types) {
  if (count == 0) return needs_count(model);
  const int period = whole_number(model, "attn_layer_period", 6, 1),
            offset = whole_number(model, "attn_layer_offset", 4);
  fill(count, types, [&](int i) {
    return i == 2 || (i > 2 && (i - 3) % period == offset) ? "hybrid" : "linear_attention";
  });
  return {};
}

Status types_of_zamba2(ConfigMap& model, int count, std::vector<std::string>& types) {
  if (count == 0) return needs_count(model);
  static constexpr int kPublished[] = {6, 12, 18, 24, 30, 36, 42, 47, 51};
  const Tensor* list = model.list("hybrid_layer_ids");
  fill(count, types, [&](int i) {
    const bool hybrid = list != nullptr ? contains(list, i)
                                        : std::find(std::begin(kPublished), std::end(kPublished),
                                                    i) != std::end(kPublished);
    return hybrid ? "hybrid" : "linear_attention";
  });
  return {};
}

// "block_types": a list that repeats. RecurrentGemma's attention layers have a window.
Status types_of_block_types(ConfigMap& model, int count, std::vector<std::string>& types) {
  const std::string* list = model.string("block_types");
  const std::vector<std::string_view> words =
      list != nullptr ? split_choices(*list)
                      : std::vector<std::string_view>{"recurrent", "recurrent", "attention"};
  fill(std::max(count, static_cast<int>(words.size())), types, [&](int i) {
    const std::string_view word = words[static_cast<std::size_t>(i) % words.size()];
    return std::string(word == "attention" ? kSlidingAttention : word);
  });
  return {};
}

Status types_of_qwen2_moe(ConfigMap& model, int count, std::vector<std::string>& types) {
  if (!model.boolean("use_sliding_window", false)) return {};
  if (count == 0) return needs_count(model);
  const int first = whole_number(model, "max_window_layers", 28);
  fill(count, types,
       [&](int i) { return i % 2 == 0 && i < first ? kSlidingAttention : kFullAttention; });
  return {};
}

// Published files have one number per layer: 1 for softmax attention.
Status types_of_minimax(ConfigMap& model, int count, std::vector<std::string>& types) {
  const Tensor* list = model.list("attn_type_list");
  fill(list != nullptr ? static_cast<int>(list->data.size()) : std::max(count, 2), types,
       [&](int i) {
         const bool full =
             list != nullptr ? list->data[static_cast<std::size_t>(i)] != 0 : i % 2 == 0;
         return full ? kFullAttention : "linear_attention";
       });
  return {};
}

// Published files have one number per layer: 1 for a window.
Status types_of_mimo(ConfigMap& model, int count, std::vector<std::string>& types) {
  const Tensor* list = model.list("hybrid_layer_pattern");
  const int layers = list != nullptr ? static_cast<int>(list->data.size()) : count;
  if (layers == 0) return needs_count(model);
  fill(layers, types, [&](int i) {
    const bool local =
        list != nullptr ? list->data[static_cast<std::size_t>(i)] != 0 : i > 0 && (i + 1) % 6 != 0;
    return local ? kSlidingAttention : kFullAttention;
  });
  return {};
}

Status types_of_deepseek_v4(ConfigMap& model, int count, std::vector<std::string>& types) {
  constexpr const char *kSparse = "compressed_sparse_attention",
                       *kHeavy = "heavily_compressed_attention";
  if (const Tensor* ratios = model.list("compress_ratios")) {
    for (const float ratio : ratios->data) {
      types.emplace_back(ratio == 0 ? kSlidingAttention : ratio == 4 ? kSparse : kHeavy);
      if (ratio != 0 && ratio != 4 && ratio != 128)
        return invalid("{}compress_ratios: {} is not one of 0, 4, 128", model.path,
                       static_cast<double>(ratio));
    }
    return {};
  }
  if (count == 0) return needs_count(model);
  fill(count, types, [&](int i) { return i < 2 || i % 2 == 0 ? kHeavy : kSparse; });
  return {};
}

// "attention_types": [[["global", "local"], 12]], as nested keys; by default the two alternate.
Status types_of_gpt_neo(ConfigMap& model, int count, std::vector<std::string>& types) {
  for (int part = 0;; ++part) {
    const std::string key = format_error("attention_types.{}.", part);
    const ParamValue *words = model.entries.find(key + "0"),
                     *repeats = model.entries.find(key + "1");
    const auto* list = words != nullptr ? std::get_if<std::string>(words) : nullptr;
    const auto* times = repeats != nullptr ? std::get_if<double>(repeats) : nullptr;
    if (list == nullptr || times == nullptr) break;
    for (double n = 0; n < *times && types.size() < kMaxExtent; ++n) {
      for (const std::string_view word : split_choices(*list)) types.emplace_back(word);
    }
  }
  if (types.empty())
    fill(std::max(count, 2), types, [](int i) { return i % 2 == 0 ? "global" : "local"; });
  return {};
}

}  // namespace phasor
