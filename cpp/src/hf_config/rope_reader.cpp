// Determines the model of a file, whether and where it rotates queries and keys, and whether the
// result is a valid encoding.

#include "hf_config/rope_reader.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/format_error.h"
#include "hf_config/rope_families.h"
#include "hf_config/rope_layers.h"
#include "hf_config/rope_params.h"
#include "hf_config/rope_scaling_types.h"
#include "hf_config/unlisted_family.h"
#include "phasor/hf_config.h"
#include "phasor/positions.h"
#include "phasor/registry.h"

namespace phasor {

Status check_encoding(const EncodingConfig& config, const EncodingDims& geometry,
                      const Params& keys) {
  Status status = create_encoding(config, geometry).status();
  for (const auto& [name, key] : keys)
    status = renamed(std::move(status), name, std::get<std::string>(key));
  return status;
}

Status check_sequence_length(double length) {
  PHASOR_TRY(check_range(argument("sequence_length"), length, 0, kMaxPosition));
  if (length == std::floor(length)) return {};
  return invalid("{}: {} is not a whole number", argument("sequence_length"), length);
}

namespace {

// Whether a model of this family rotates at all.
bool is_switched_on(const Switch& by, ConfigMap& model) {
  if (by.key == nullptr) return true;
  return by.word != nullptr ? model.word_or_none(by.key) == by.word : model.boolean(by.key, false);
}

}  // namespace

Status read_rope(const ConfigOptions& options, RopeFile& file) {
  ConfigMap& model = file.model;
  const RopeFamily* family = file.family = find_rope_family(model.word_or_none("model_type"));
  if (family != nullptr && family->refused != nullptr) {
    return invalid("{}model_type: {} {}", model.path, model.entries.at("model_type"),
                   family->refused);
  }
  PHASOR_TRY(check_sequence_length(options.sequence_length));
  PHASOR_TRY(find_rope_dictionary(model, file.rope));
  PHASOR_TRY(family != nullptr ? check_foreign(model, *family) : check_unlisted(model, file.rope));
  file.encoding.id = "none";
  if (family != nullptr && !is_switched_on(family->only_with, model)) return model.status();
  if (family != nullptr && family->refused_key != nullptr &&
      model.boolean(family->refused_key, false)) {
    return invalid("{}{}: true has no encoding here", model.path, family->refused_key);
  }
  Layer layer;
  PHASOR_TRY(choose_layer(family, options, model, file.rope, layer));
  if (!layer.has_rope) return {};
  RopeFamily other = {.reads_pairs = true};
  if (!model.has(other.base_key) && model.has("rotary_emb_base"))
    other.base_key = "rotary_emb_base";
  if (!model.has(other.share_key) && model.has("rotary_pct")) other.share_key = "rotary_pct";
  PHASOR_TRY(read_rotation(options, family != nullptr ? *family : other, layer, file));
  if (family == nullptr) file.assumed = assumed_of_rotation(model, file.encoding);
  return {};
}

namespace {

// Of a layer or a model whose encoding is `none`.
Status does_not_turn(const ConfigOptions& options, const RopeFile& file) {
  const char* const key = file.family->only_with.key;
  if (key != nullptr)
    return invalid("{}{}: without it, models of this family do not turn queries and keys",
                   file.model.path, key);
  if (options.layer_idx)
    return invalid("{}: layer {} does not turn queries and keys", argument("layer_idx"),
                   *options.layer_idx);
  if (options.layer_type.empty())
    return invalid("{}: no layer of this model turns queries and keys", argument("config"));
  return invalid("{}: \"{}\" layers do not turn queries and keys", argument("layer_type"),
                 options.layer_type);
}

}  // namespace

Result<EncodingConfig> rope_from_config(const Params& config, const ConfigOptions& options) {
  return Result<EncodingConfig>::from([&](EncodingConfig& out) -> Status {
    RopeFile file;
    file.model.load(config);
    enter_text_model(file.model);
    PHASOR_TRY(read_rope(options, file));
    // The result is the encoding only, without assumptions.
    if (file.family == nullptr && file.model.has("model_type")) return not_listed(file.model);
    if (file.encoding.id == "none") return does_not_turn(options, file);
    out = std::move(file.encoding);
    return {};
  });
}

// Files as transformers 4 and 5 write them, those of multimodal models, and a dictionary alone.

namespace {

// Keys that a config.json has only in the dictionary.
constexpr ChoiceList kOwnKeys =
    "rope_type, type, factor, short_factor, long_factor, beta_fast, beta_slow, mscale, "
    "low_freq_factor, high_freq_factor, mrope_section";

bool is_of_dictionary(std::string_view key) {
  const std::size_t dot = key.find('.');
  return kOwnKeys.find(key) >= 0 ||
         (dot != std::string_view::npos && key.substr(dot) == ".rope_type");
}

// Whether a map without the key rope_scaling is itself such a dictionary. A config.json may have
// some of its keys too, but not these.
bool is_dictionary(const Params& map) {
  return std::any_of(map.begin(), map.end(),
                     [](const auto& entry) { return is_of_dictionary(entry.first); });
}

bool is_about_rotation(const Params& map) { return !rotation_key(map).empty(); }

}  // namespace

std::string_view rotation_key(const Params& map) {
  constexpr ChoiceList kKeys =
      "rope_parameters, rope_scaling, rope_theta, rope_local_base_freq, rope_interleave, "
      "rotary_emb_base, partial_rotary_factor, "
      "rotary_pct, rotary_dim";
  for (const auto& [name, value] : map) {
    const std::string_view key = name;
    if (kKeys.find(key.substr(0, key.find('.'))) >= 0 || is_of_dictionary(key)) return key;
  }
  return {};
}

// Multimodal models have a separate object for their text model, Qwen Omni even a nested one.
// Without a family in it, the family is that of the whole.
void enter_text_model(ConfigMap& model) {
  for (const char* name : {"thinker_config.", "text_config.", "language_config.", "llm_config."}) {
    Params rest(model.entries), below = ConfigMap::take_below(name, rest);
    if (below.empty() || (is_about_rotation(rest) && !is_about_rotation(below))) continue;
    const ParamValue* family = rest.find("model_type");
    if (family != nullptr && !below.contains("model_type")) below.add("model_type", *family);
    model.entries = std::move(below);
    model.path += name;
  }
}

namespace {

// Files without keys about rotation are those of older models (Llama 1 and 2), so that their
// family must determine it; but not if the file has keys about another kind of positions.
Status check_rotary(ConfigMap& model) {
  const std::string *family = model.word("model_type"),
                    *kind = model.word("position_embedding_type");
  const bool alibi = model.boolean("alibi", false);
  PHASOR_TRY(model.status());
  const auto refuse = [&](const char* key, const std::string& word) {
    return invalid("{}{}: {} models do not turn queries and keys", model.path, key, aside(word));
  };
  if (alibi) return refuse("alibi", "ALiBi");
  const auto kind_is = [&](ChoiceList words) { return kind && words.find(*kind) >= 0; };
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

// Splits the file into the keys about RoPE and the others.
Status split(ConfigMap& model, ConfigMap& rope) {
  for (const char* name : {"rope_parameters", "rope_scaling"}) {
    if (const ParamValue* flat = model.entries.find(name)) {
      return invalid("{}{}: {} is not an object", model.path, name, *flat);
    }
    Params below = ConfigMap::take_below(std::string(name) + ".", model.entries);
    if (below.empty()) continue;
    if (!rope.entries.empty())
      return invalid("{}{}: cannot be combined with {}*; expected one of them", model.path, name,
                     rope.path);
    rope.entries = std::move(below);
    rope.path = model.path + name + ".";
  }
  if (rope.entries.empty() && is_dictionary(model.entries)) {
    // A length of the model, passed on with its dictionary.
    for (auto& [key, value] : std::exchange(model.entries, {})) {
      (key == "max_position_embeddings" ? model : rope).entries.add(key, std::move(value));
    }
  }
  return {};
}

}  // namespace

Status find_rope_dictionary(ConfigMap& model, ConfigMap& rope) {
  PHASOR_TRY(check_rotary(model));
  return split(model, rope);
}

}  // namespace phasor
