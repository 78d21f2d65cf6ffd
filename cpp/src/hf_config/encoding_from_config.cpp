// Selects the positional encoding for a config.json, and rejects contradictory keys.

#include <algorithm>

#include "core/format_error.h"
#include "hf_config/family.h"
#include "hf_config/family_readers.h"
#include "hf_config/query_scale.h"
#include "hf_config/rope_layers.h"
#include "hf_config/rope_reader.h"
#include "hf_config/unlisted_family.h"
#include "phasor/hf_config.h"

namespace phasor {

namespace {

constexpr const char *kModelTypeKey = "model_type", *kPositionTypeKey = "position_embedding_type";

Status reject_contradiction(const ConfigMap& model, std::string_view key,
                            std::string_view other_key) {
  return reject_key(model, key, " contradicts ", other_key);
}

// Rejects keys that select positions no encoding supports.
Status check_unsupported_positions(const ConfigMap& model) {
  for (const char* key : {"attn_type", "bi_data", "attn_config.rope", "encoder_attention_type"}) {
    const ParamValue* value = model.entries.find(key);
    if (value == nullptr) continue;
    const std::string text = to_message(*value);
    if (ChoiceList("0, false, \"bi\", \"uni\", \"local\"").find(text) < 0)
      return reject_key(model, key, " has no encoding");
  }
  return {};
}

Status check_has_attention(const Family* family, const ConfigOptions& options, ConfigMap& model) {
  if (!options.layer_idx || family == nullptr) return {};
  PHASOR_TRY(check_layer_idx(options.layer_idx, 0, false));
  const int count = read_layer_count(family, model, options.stack);
  LayerTypes types;
  PHASOR_TRY(LayerTypes::read(family, model, count > 0 ? count : *options.layer_idx + 1, types));
  const std::string_view type = types.at(*options.layer_idx);
  if (type.empty() || is_attention(find_kind(type))) return {};
  return invalid("{}: layer {} is {}, which has no queries or keys", argument("layer_idx"),
                 *options.layer_idx, type_name(type));
}

struct PositionKeys {
  std::string_view type{};  ///< position_embedding_type
  const char* alibi_key = "alibi";
  const bool* alibi_value = nullptr;  ///< nullptr if `alibi_key` is missing
  bool uses_alibi = false;            ///< from `alibi_key` if present, otherwise from `type`
  std::string_view rotation_key{};    ///< first key that configures RoPE, or empty
};

// Reads the encoding of a model without rotary positions. `listed_family` is the family of its
// model_type, `family` the one that defines its positions. If `family` is nullptr, `keys` selects
// ALiBi or no positions.
Status read_unrotated(const Family* family, const Family* listed_family, const PositionKeys& keys,
                      ConfigReader& reader) {
  static constexpr Family kAlibi = {.read_positions = read_alibi, .uses_alibi = true},
                          kNone = {.read_positions = read_none};
  ConfigMap& model = reader.model;
  const bool is_nope = keys.type == "nope";
  const char* const other_key = family != nullptr ? kModelTypeKey : kPositionTypeKey;
  const Family& effective_family = family != nullptr ? *family : is_nope ? kNone : kAlibi;
  if (effective_family.has_no_attention)
    return reject_key(model, kModelTypeKey, " has neither attention nor positions");
  if (keys.alibi_value && keys.uses_alibi != effective_family.uses_alibi)
    return reject_contradiction(model, keys.alibi_key, other_key);
  // All Falcon files have rope_theta, so only `alibi` distinguishes ALiBi from RoPE.
  const bool may_rotate =
      listed_family != nullptr &&
      (listed_family->read_positions == nullptr || listed_family->rotary_condition.key != nullptr);
  if (!keys.rotation_key.empty() && !is_nope && !may_rotate &&
      effective_family.convention == nullptr && effective_family.read_positions != read_none)
    return reject_contradiction(model, keys.rotation_key,
                                keys.uses_alibi ? keys.alibi_key : other_key);
  // BERT's config class always writes "absolute", even for models with other positions.
  const ChoiceList types = family != nullptr ? family->names : "alibi, nope";
  if (!keys.type.empty() && keys.type != "absolute" && types.find(keys.type) < 0) {
    return reject_contradiction(model, kPositionTypeKey,
                                family != nullptr ? kModelTypeKey : keys.alibi_key);
  }
  PositionsReader read_positions = effective_family.read_positions;
  if (effective_family.read_decoder != nullptr) {
    PHASOR_TRY(check_layer_choice(reader.options.stack, "encoder, decoder", "stack"));
    if (reader.options.stack == "decoder") read_positions = effective_family.read_decoder;
  }
  PHASOR_TRY(check_unsupported_positions(model));
  ConfigEncoding& out = reader.out;
  if (effective_family.fixed_scale != 0) out.scale = effective_family.fixed_scale;
  out.position_offset = effective_family.position_offset;
  out.position_id_mode = effective_family.position_id_mode;
  PHASOR_TRY(read_positions(reader, effective_family));
  if (family != nullptr || may_rotate) return {};
  PHASOR_TRY(check_unlisted_keys(model, {}));
  if (!is_nope) {
    out.assumed["form"] = std::string("symmetric");
    out.assumed["layers"] = std::string("all");
  }
  return {};
}

// Models with the model_type "bert" may use ALiBi (JinaBERT, MosaicBERT) or relative_key instead of
// a learned table.
const Family* find_unrotated_family(const Family* family, std::string_view type) {
  static constexpr Family kEncodingChoices[] = {
      {.names = "alibi", .read_positions = read_alibi, .uses_alibi = true},
      {.names = "relative_key",
       .read_positions = read_relative_key,
       .length = {"max_position_embeddings", 512}},
  };
  if (family == nullptr || !family->has_encoding_choice) return family;
  const auto* match =
      std::find_if(std::begin(kEncodingChoices), std::end(kEncodingChoices),
                   [&](const Family& candidate) { return candidate.names.text() == type; });
  return match == std::end(kEncodingChoices) ? family : match;
}

Status read_encoding(const Params& config, const ConfigOptions& options, ConfigEncoding& out) {
  RopeFile file;
  ConfigMap& model = file.model;
  model.load(config);
  PHASOR_TRY(select_model(model, options.stack));
  const std::string_view model_type = model.string_or_none(kModelTypeKey);
  PositionKeys keys{.type = model.string_or_none(kPositionTypeKey),
                    .alibi_key = model.has("attn_config.alibi") ? "attn_config.alibi" : "alibi"};
  keys.alibi_value = model.boolean(keys.alibi_key);
  PHASOR_TRY(model.status());
  keys.uses_alibi = keys.alibi_value ? *keys.alibi_value : keys.type == "alibi";
  keys.rotation_key = find_rotation_key(model.entries);
  const Family* const listed_family = find_family(model_type);
  if (listed_family != nullptr && listed_family->unsupported != nullptr)
    return reject_key(model, kModelTypeKey, " ", listed_family->unsupported);
  PHASOR_TRY(check_has_attention(listed_family, options, model));
  const bool may_rotate =
      listed_family != nullptr && !listed_family->has_no_attention &&
      (listed_family->read_positions == nullptr || listed_family->rotary_condition.key != nullptr);
  const Family* rotary_family = may_rotate ? listed_family : nullptr;
  const Family* family = listed_family == nullptr || listed_family->read_positions != nullptr ||
                                 listed_family->has_no_attention
                             ? find_unrotated_family(listed_family, model.has("alibi_starting_size")
                                                                        ? std::string_view("alibi")
                                                                        : keys.type)
                             : nullptr;
  // Falcon and ESM models have either RoPE or other positions, never both.
  if (rotary_family && family && is_satisfied(rotary_family->rotary_condition, model))
    family = nullptr;
  if (rotary_family && family) rotary_family = nullptr;

  const QueryScaleReader read_scale =
      listed_family != nullptr ? listed_family->read_scale : read_scale_by_keys;
  if (family != nullptr || keys.type == "nope" || (rotary_family == nullptr && keys.uses_alibi)) {
    ConfigReader reader{model, options, out};
    PHASOR_TRY(read_unrotated(family, listed_family, keys, reader));
  } else {
    if (keys.uses_alibi) return reject_contradiction(model, kModelTypeKey, keys.alibi_key);
    if (rotary_family == nullptr && keys.rotation_key.empty() && !keys.type.starts_with("ro")) {
      // Unknown keys are rejected first, because one of them may select the positions.
      PHASOR_TRY(check_unlisted_keys(model, {}));
      return reject_key(model, kModelTypeKey,
                        model.has(kModelTypeKey)
                            ? " is not known, and no other key specifies the positions"
                            : "; expected the name of the family whose conventions apply");
    }
    PHASOR_TRY(read_rope({.layer_type = options.layer_type,
                          .layer_idx = options.layer_idx,
                          .sequence_length = options.sequence_length},
                         file));
    out.encoding = std::move(file.encoding);
    out.assumed = std::move(file.assumptions);
    out.rotates_values =
        rotary_family != nullptr && out.encoding.id != "none" &&
        (rotary_family->rotates_values ||
         (rotary_family->values_key != nullptr && model.boolean(rotary_family->values_key, false)));
  }
  static constexpr Family kUnlisted{};
  if (read_scale != nullptr && !out.scale)
    out.scale = read_scale(listed_family != nullptr ? *listed_family : kUnlisted, model, file.rope);
  PHASOR_TRY(model.status());
  PHASOR_TRY(file.rope.status());
  model.collect_keys(out.source_keys, out.defaults);
  file.rope.collect_keys(out.source_keys, out.defaults);
  return {};
}

}  // namespace

Result<ConfigEncoding> encoding_from_config(const Params& config, const ConfigOptions& options) {
  return Result<ConfigEncoding>::from(
      [&](ConfigEncoding& out) { return read_encoding(config, options, out); });
}

}  // namespace phasor
