// Files as transformers 4 and 5 write them, those of multimodal models, and a dictionary alone.

#include "math/rope_dictionary.h"

#include <algorithm>
#include <optional>
#include <string_view>
#include <utility>

#include "math/sentence.h"

namespace phasor {

namespace {

// Keys of the dictionary that a config.json has nowhere else.
constexpr Words kOwnKeys =
    "rope_type, type, factor, short_factor, long_factor, beta_fast, beta_slow, mscale, low_freq_factor, high_freq_factor, mrope_section";

bool has_one_of(const Params& map, Words names) {
  return std::any_of(map.begin(), map.end(), [names](const auto& entry) {
    return names.find(std::string_view(entry.first).substr(0, entry.first.find('.'))) >= 0;
  });
}

// Whether a map without the key rope_scaling is itself such a dictionary. Of its keys a config.json may have some too, but not these.
bool is_dictionary(const Params& map) {
  return std::any_of(map.begin(), map.end(), [](const auto& entry) {
    const std::string_view key = entry.first;
    const std::size_t dot = key.find('.');
    return kOwnKeys.find(key) >= 0 || (dot != std::string_view::npos && key.substr(dot) == ".rope_type");
  });
}

// Whether anything is said about rotation.
bool is_about_rotation(const Params& map) {
  return is_dictionary(map) || has_one_of(map,
                                          "rope_parameters, rope_scaling, rope_theta, rope_local_base_freq, rope_interleave, "
                                          "rotary_emb_base, partial_rotary_factor, rotary_pct, rotary_dim");
}

// Multimodal models keep what is said about their text model in an object of its own, Qwen Omni even in one within another.
void enter_text_model(Dictionary& model) {
  for (const char* name : {"thinker_config.", "text_config.", "language_config.", "llm_config."}) {
    Params rest = model.entries, below = Dictionary::take_below(name, rest);
    if (below.empty() || (is_about_rotation(rest) && !is_about_rotation(below))) continue;
    model.entries = std::move(below);
    model.path += name;
  }
}

// Models from before rope_theta say nothing about rotation (Llama 1 and 2), so that saying nothing has to be taken for a plain RoPE;
// but not in a file that is not one of a model, nor in one that says that the model has positions of another kind.
Status check_rotary(Dictionary& model) {
  if (is_about_rotation(model.entries)) return {};
  if (!has_one_of(model.entries, "model_type, hidden_size, num_attention_heads, max_position_embeddings")) {
    return invalid(
        "{}rope_parameters: the key is missing; a config.json has rope_parameters, rope_scaling or rope_theta, or at least model_type or "
        "hidden_size",
        model.path);
  }
  const std::optional<std::string> family = model.word("model_type"), kind = model.word("position_embedding_type");
  const std::optional<bool> alibi = model.boolean("alibi");
  PHASOR_TRY(model.status());
  const auto refuse = [&](const char* key, const std::string& word) {
    return invalid("{}{}: {} models do not turn queries and keys", model.path, key, word);
  };
  if (alibi.value_or(false)) return refuse("alibi", "ALiBi");
  if (kind && Words("absolute, alibi, learned_absolute, nope, relative_key, relative_key_query").find(*kind) >= 0) {
    return refuse("position_embedding_type", "\"" + *kind + "\"");
  }
  if (family && Words("albert, bart, bert, bloom, clip, deberta, deberta-v2, distilbert, electra, gpt2, gpt_neo, mpt, mt5, opt, roberta, "
                      "t5, vit, xlm-roberta, xlnet")
                        .find(*family) >= 0) {
    return refuse("model_type", "\"" + *family + "\"");
  }
  return {};
}

// Splits the file into what is said about RoPE and all else.
Status split(const Params& file, Dictionary& model, Dictionary& rope) {
  model.entries = file;
  enter_text_model(model);
  PHASOR_TRY(check_rotary(model));
  for (const char* name : {"rope_parameters", "rope_scaling"}) {
    if (const ParamValue* flat = model.entries.find(name)) {
      return invalid("{}{}: {} is not an object", model.path, name, to_words(*flat));
    }
    Params below = Dictionary::take_below(std::string(name) + ".", model.entries);
    if (below.empty()) continue;
    if (!rope.entries.empty()) return invalid("{}{}: it is given beside {}*; a model has one of them", model.path, name, rope.path);
    rope.entries = std::move(below);
    rope.path = model.path + name + ".";
  }
  if (rope.entries.empty() && is_dictionary(model.entries)) {
    // A length that belongs to the model, handed over with its dictionary.
    for (auto& [key, value] : std::exchange(model.entries, {})) {
      (key == "max_position_embeddings" ? model : rope).entries.add(key, std::move(value));
    }
  }
  return {};
}

bool contains(const std::vector<std::string>& words, const std::string& word) {
  return std::find(words.begin(), words.end(), word) != words.end();
}

// Version 5 may nest one dictionary per type of layer.
Status choose_layer(const std::string& layer_type, Dictionary& rope) {
  std::vector<std::string> layers;
  for (const auto& [key, value] : rope.entries) {
    const std::string layer = key.substr(0, key.find('.'));
    if (layer != key && !contains(layers, layer)) layers.push_back(layer);
  }
  if (layers.empty()) return {};
  if (layer_type.empty()) return invalid("layer_type: it is not given, but layers differ; there are {}", joined(layers));
  if (!contains(layers, layer_type)) {
    return unknown("layer_type: \"{}\" is unknown; there are {}", layer_type, joined(layers));
  }
  Params chosen = Dictionary::take_below(layer_type + ".", rope.entries);
  for (const auto& [key, value] : rope.entries) {
    if (key.find('.') == std::string::npos) {
      return unknown("{}{}: {} stands beside dictionaries of single layer types", rope.path, key, to_words(value));
    }
  }
  rope.entries = std::move(chosen);
  rope.path += layer_type + ".";
  return {};
}

}  // namespace

Status find_rope_dictionary(const Params& file, const std::string& layer_type, Dictionary& model, Dictionary& rope) {
  PHASOR_TRY(split(file, model, rope));
  return choose_layer(layer_type, rope);
}

}  // namespace phasor
