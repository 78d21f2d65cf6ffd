#include "hf_config/rope_reader.h"

#include <algorithm>
#include <cmath>
#include <string_view>
#include <utility>

#include "core/format_error.h"
#include "hf_config/family.h"
#include "hf_config/rope_layers.h"
#include "hf_config/rope_params.h"
#include "hf_config/rope_scaling_types.h"
#include "hf_config/unlisted_family.h"
#include "phasor/hf_config.h"
#include "phasor/positions.h"
#include "phasor/registry.h"

namespace phasor {

Status check_encoding(const EncodingConfig& config, const EncodingDims& dims, const Params& keys) {
  Status status = create_encoding(config, dims).status();
  for (const auto& [name, key] : keys)
    status = rename_argument(std::move(status), name, std::get<std::string>(key));
  return status;
}

Status check_sequence_length(double length) {
  PHASOR_TRY(check_range(argument("sequence_length"), length, 0, kMaxPosition));
  if (length == std::floor(length)) return {};
  return invalid("{}: {} is not a whole number", argument("sequence_length"), length);
}

namespace {

// Returns the family with this model_type, or nullptr if there is none or it does not rotate
// queries and keys.
const Family* find_rotary_family(std::string_view model_type) {
  const Family* family = find_family(model_type);
  const bool is_rotary =
      family != nullptr && !family->has_no_attention &&
      (family->read_positions == nullptr || family->rotary_condition.key != nullptr);
  return is_rotary ? family : nullptr;
}

// Fails if the file sets a rotation key that models of this family do not read.
Status check_rotation_keys(const Family& family, const ConfigMap& model) {
  for (const auto& [key, value] : model.entries) {
    const std::string_view name = key;
    const bool concerns_rotation = name.find("rotary") != name.npos || name.starts_with("rope_") ||
                                   name.ends_with("_rope_theta");
    const bool is_nested = name.find('.') != name.npos;
    const bool is_family_key = name == family.local_key ||
                               (family.values_key != nullptr && name == family.values_key) ||
                               (family.base_key != nullptr && name == family.base_key);
    if (!concerns_rotation || is_nested || is_family_key || model.is_read(key)) continue;
    if (const bool* flag = std::get_if<bool>(&value); flag != nullptr && !*flag) continue;
    if (const double* number = std::get_if<double>(&value);
        number != nullptr && *number == 1 && name == "rotary_emb_fraction")
      continue;
    return invalid("{}{}: {} is not read by models of this family", model.path, key, value);
  }
  return {};
}

Status reject_unrotated(const ConfigOptions& options, const RopeFile& file) {
  const char* const key = file.family->rotary_condition.key;
  if (key != nullptr)
    return invalid(
        "{}{}: models of this family rotate queries and keys only if this key enables it",
        file.model.path, key);
  if (options.layer_idx)
    return invalid("{}: layer {} does not rotate queries and keys", argument("layer_idx"),
                   *options.layer_idx);
  if (options.layer_type.empty())
    return invalid("{}: no layer of this model rotates queries and keys", argument("config"));
  return invalid("{}: \"{}\" layers do not rotate queries and keys", argument("layer_type"),
                 options.layer_type);
}

}  // namespace

Status read_rope(const ConfigOptions& options, RopeFile& file) {
  ConfigMap& model = file.model;
  const Family* family = file.family = find_rotary_family(model.string_or_none("model_type"));
  if (family != nullptr && family->unsupported != nullptr) {
    return invalid("{}model_type: {} {}", model.path, model.entries.at("model_type"),
                   family->unsupported);
  }
  PHASOR_TRY(check_sequence_length(options.sequence_length));
  PHASOR_TRY(find_rope_dictionary(model, file.rope));
  PHASOR_TRY(family != nullptr ? check_foreign_keys(model, *family)
                               : check_unlisted_keys(model, file.rope));
  file.encoding.id = "none";
  if (family != nullptr && family->unsupported_key != nullptr &&
      model.boolean(family->unsupported_key, false)) {
    return invalid("{}{}: true is not supported", model.path, family->unsupported_key);
  }
  if (family != nullptr && !is_satisfied(family->rotary_condition, model)) return model.status();
  RopeLayer layer;
  PHASOR_TRY(choose_layer(family, options, model, file.rope, layer));
  if (!layer.has_rope) return {};
  Family unlisted_family = {.reads_rope_interleave = true};
  if (!model.has(unlisted_family.base_key) && model.has("rotary_emb_base"))
    unlisted_family.base_key = "rotary_emb_base";
  if (!model.has(unlisted_family.rotary_fraction_key) && model.has("rotary_pct"))
    unlisted_family.rotary_fraction_key = "rotary_pct";
  PHASOR_TRY(read_rotation(options, family != nullptr ? *family : unlisted_family, layer, file));
  if (family != nullptr) PHASOR_TRY(check_rotation_keys(*family, model));
  if (family == nullptr) file.assumptions = take_rotation_assumptions(model, file.encoding);
  return {};
}

Result<EncodingConfig> rope_from_config(const Params& config, const ConfigOptions& options) {
  return Result<EncodingConfig>::from([&](EncodingConfig& out) -> Status {
    RopeFile file;
    file.model.load(config);
    PHASOR_TRY(select_model(file.model, {}));
    PHASOR_TRY(read_rope(options, file));
    // Files of unlisted families require assumptions, which an EncodingConfig cannot report.
    if (file.family == nullptr && file.model.has("model_type"))
      return reject_unlisted_family(file.model);
    if (file.encoding.id == "none") return reject_unrotated(options, file);
    out = std::move(file.encoding);
    return {};
  });
}

namespace {

// Keys that occur only in a RoPE dictionary, never at the top level of a config.json.
constexpr ChoiceList kDictionaryKeys =
    "rope_type, type, factor, short_factor, long_factor, beta_fast, beta_slow, mscale, "
    "low_freq_factor, high_freq_factor, mrope_section";

bool is_dictionary_key(std::string_view key) {
  const std::size_t dot_position = key.find('.');
  return kDictionaryKeys.find(key) >= 0 ||
         (dot_position != std::string_view::npos && key.substr(dot_position) == ".rope_type");
}

bool is_dictionary(const Params& entries) {
  return std::any_of(entries.begin(), entries.end(),
                     [](const auto& entry) { return is_dictionary_key(entry.first); });
}

bool has_rotation_key(const Params& entries) { return !find_rotation_key(entries).empty(); }

}  // namespace

std::string_view find_rotation_key(const Params& entries) {
  constexpr ChoiceList kRotationKeys =
      "rope_parameters, rope_scaling, rope_theta, rope_local_base_freq, rope_interleave, "
      "rotary_emb_base, partial_rotary_factor, rotary_pct, rotary_dim";
  for (const auto& [name, value] : entries) {
    const std::string_view key = name;
    if (kRotationKeys.find(key.substr(0, key.find('.'))) >= 0 || is_dictionary_key(key)) return key;
  }
  return {};
}

namespace {

// Replaces `model` with the nested object `name`. If the nested object has no model_type, the outer
// model_type determines its family.
bool select_nested(ConfigMap& model, std::string_view name, bool ignores_outer_keys) {
  Params outer_entries(model.entries),
      nested_entries = ConfigMap::extract_prefixed(std::string(name) + ".", outer_entries);
  if (nested_entries.empty()) return false;
  if (!ignores_outer_keys && has_rotation_key(outer_entries) && !has_rotation_key(nested_entries))
    return false;
  const ParamValue* outer_model_type = outer_entries.find("model_type");
  if (outer_model_type != nullptr && !nested_entries.contains("model_type")) {
    const auto* type = std::get_if<std::string>(outer_model_type);
    const Family* family = type != nullptr ? find_family(*type) : nullptr;
    nested_entries.add("model_type", family != nullptr && family->text_model != nullptr
                                         ? ParamValue(std::string(family->text_model))
                                         : *outer_model_type);
  }
  model.entries = std::move(nested_entries);
  model.path += std::string(name) + ".";
  return true;
}

}  // namespace

// In multimodal files, the text model is a nested object. In Qwen Omni it is nested twice.
Status select_model(ConfigMap& model, std::string_view stack) {
  const std::string* type = model.string("model_type");
  const Family* family = type != nullptr ? find_family(*type) : nullptr;
  const bool has_stack_dictionaries = model.entries.contains("encoder.model_type") ||
                                      model.entries.contains("encoder.num_hidden_layers");
  if (family != nullptr && family->has_stacks && has_stack_dictionaries) {
    PHASOR_TRY(check_layer_choice(std::string(stack), "encoder, decoder", "stack"));
    select_nested(model, stack, true);
  }
  for (const char* name :
       {"thinker_config", "text_config", "language_config", "llm_config", "text_encoder"}) {
    select_nested(model, name, false);
  }
  // If there is no nested object, the keys at the top level belong to the text model.
  if (model.path.empty() && family != nullptr && family->text_model != nullptr)
    model.entries["model_type"] = std::string(family->text_model);
  return model.status();
}

namespace {

// The config.json of Llama 1 and 2 has no rotation keys. Such models rotate if their family does,
// unless another key selects a different position encoding.
Status check_rotary(ConfigMap& model) {
  const std::string *model_type = model.string("model_type"),
                    *position_type = model.string("position_embedding_type");
  const bool has_alibi = model.boolean("alibi", false);
  PHASOR_TRY(model.status());
  const auto reject = [&](const char* key, const std::string& kind_name) {
    return invalid("{}{}: {} models do not rotate queries and keys", model.path, key,
                   detail(kind_name));
  };
  if (has_alibi) return reject("alibi", "ALiBi");
  const auto has_type = [&](ChoiceList names) {
    return position_type && names.find(*position_type) >= 0;
  };
  const Family* rotary_family = model_type ? find_rotary_family(*model_type) : nullptr;
  const bool ignores_absolute =
      rotary_family != nullptr && rotary_family->ignores_absolute_type && has_type("absolute");
  if (!ignores_absolute && has_type("absolute, alibi, learned, learned_absolute, none, nope, "
                                    "relative_key, relative_key_query, sinusoidal")) {
    return reject("position_embedding_type", "\"" + *position_type + "\"");
  }
  if (has_rotation_key(model.entries) || has_type("rope, rotary") || rotary_family != nullptr)
    return {};
  if (model_type) {
    return invalid(
        "{}model_type: \"{}\" is not known to have rotary positions, and the config has no "
        "rotary key",
        model.path, *model_type);
  }
  return invalid(
      "{}rope_parameters: the key is missing; expected rope_parameters, rope_scaling, rope_theta, "
      "or the model_type of a family with rotary positions",
      model.path);
}

Status split_rope_keys(ConfigMap& model, ConfigMap& rope) {
  for (const char* name : {"rope_parameters", "rope_scaling"}) {
    if (const ParamValue* value = model.entries.find(name)) {
      return invalid("{}{}: {} is not an object", model.path, name, *value);
    }
    Params nested_entries = ConfigMap::extract_prefixed(std::string(name) + ".", model.entries);
    if (nested_entries.empty()) continue;
    if (!rope.entries.empty())
      return invalid("{}{}: cannot be combined with the keys {}*; expected one of them", model.path,
                     name, rope.path);
    rope.entries = std::move(nested_entries);
    rope.path = model.path + name + ".";
  }
  if (rope.entries.empty() && is_dictionary(model.entries)) {
    // max_position_embeddings belongs to the model, not to the dictionary.
    for (auto& [key, value] : std::exchange(model.entries, {})) {
      (key == "max_position_embeddings" ? model : rope).entries.add(key, std::move(value));
    }
  }
  return {};
}

}  // namespace

Status find_rope_dictionary(ConfigMap& model, ConfigMap& rope) {
  PHASOR_TRY(check_rotary(model));
  return split_rope_keys(model, rope);
}

}  // namespace phasor
