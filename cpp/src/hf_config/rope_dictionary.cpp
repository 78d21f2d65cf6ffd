// Files as transformers 4 and 5 write them, those of multimodal models, and a dictionary alone.

#include "hf_config/rope_dictionary.h"

#include <algorithm>
#include <string_view>
#include <utility>

#include "core/format_error.h"
#include "hf_config/rope_families.h"

namespace phasor {

namespace {

// Keys of the dictionary that a config.json has nowhere else.
constexpr Words kOwnKeys =
    "rope_type, type, factor, short_factor, long_factor, beta_fast, beta_slow, mscale, "
    "low_freq_factor, high_freq_factor, mrope_section";

bool is_of_dictionary(std::string_view key) {
  const std::size_t dot = key.find('.');
  return kOwnKeys.find(key) >= 0 ||
         (dot != std::string_view::npos && key.substr(dot) == ".rope_type");
}

// Whether a map without the key rope_scaling is itself such a dictionary. Of its keys a config.json
// may have some too, but not these.
bool is_dictionary(const Params& map) {
  return std::any_of(map.begin(), map.end(),
                     [](const auto& entry) { return is_of_dictionary(entry.first); });
}

bool is_about_rotation(const Params& map) { return !rotation_key(map).empty(); }

}  // namespace

std::string_view rotation_key(const Params& map) {
  constexpr Words kKeys =
      "rope_parameters, rope_scaling, rope_theta, rope_local_base_freq, rope_interleave, "
      "rotary_emb_base, partial_rotary_factor, "
      "rotary_pct, rotary_dim";
  for (const auto& [name, value] : map) {
    const std::string_view key = name;
    if (kKeys.find(key.substr(0, key.find('.'))) >= 0 || is_of_dictionary(key)) return key;
  }
  return {};
}

// Multimodal models keep what is said about their text model in an object of its own, Qwen Omni
// even in one within another. One that does not name its family is of that of the whole.
void enter_text_model(Dictionary& model) {
  for (const char* name : {"thinker_config.", "text_config.", "language_config.", "llm_config."}) {
    Params rest(model.entries), below = Dictionary::take_below(name, rest);
    if (below.empty() || (is_about_rotation(rest) && !is_about_rotation(below))) continue;
    const ParamValue* family = rest.find("model_type");
    if (family != nullptr && !below.contains("model_type")) below.add("model_type", *family);
    model.entries = std::move(below);
    model.path += name;
  }
}

namespace {

// Files in which nothing is said about rotation are those of older models (Llama 1 and 2), so that
// their family has to say it; but not where the file says that the model has positions of another
// kind, whatever else it says.
Status check_rotary(Dictionary& model) {
  const std::string *family = model.word("model_type"),
                    *kind = model.word("position_embedding_type");
  const bool alibi = model.boolean("alibi", false);
  PHASOR_TRY(model.status());
  const auto refuse = [&](const char* key, const std::string& word) {
    return invalid("{}{}: {} models do not turn queries and keys", model.path, key, aside(word));
  };
  if (alibi) return refuse("alibi", "ALiBi");
  const auto kind_is = [&](Words words) { return kind && words.find(*kind) >= 0; };
  const RopeFamily* known = family ? find_rope_family(*family) : nullptr;
  const bool is_leftover = known != nullptr && known->says_absolute && kind_is("absolute");
  if (!is_leftover && kind_is("absolute, alibi, learned, learned_absolute, none, nope, "
                              "relative_key, relative_key_query, sinusoidal")) {
    return refuse("position_embedding_type", "\"" + *kind + "\"");
  }
  if (is_about_rotation(model.entries) || kind_is("rope, rotary") || known != nullptr) return {};
  if (family) {
    return invalid(
        "{}model_type: \"{}\" is not known to have rotary positions, and the config says nothing "
        "about them",
        model.path, *family);
  }
  return invalid(
      "{}rope_parameters: the key is missing; a config.json has rope_parameters, rope_scaling or "
      "rope_theta, or at least the model_type of "
      "a family with rotary positions",
      model.path);
}

// Splits the file into what is said about RoPE and all else.
Status split(Dictionary& model, Dictionary& rope) {
  for (const char* name : {"rope_parameters", "rope_scaling"}) {
    if (const ParamValue* flat = model.entries.find(name)) {
      return invalid("{}{}: {} is not an object", model.path, name, *flat);
    }
    Params below = Dictionary::take_below(std::string(name) + ".", model.entries);
    if (below.empty()) continue;
    if (!rope.entries.empty())
      return invalid("{}{}: it is given beside {}*; a model has one of them", model.path, name,
                     rope.path);
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

}  // namespace

Status find_rope_dictionary(Dictionary& model, Dictionary& rope) {
  PHASOR_TRY(check_rotary(model));
  return split(model, rope);
}

}  // namespace phasor
