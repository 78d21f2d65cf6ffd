// Determines which kind of positional encoding a config.json describes, and rejects contradictory
// keys.

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

constexpr const char *kFamily = "model_type", *kType = "position_embedding_type";

Status contradiction(const ConfigMap& model, std::string_view key, std::string_view other) {
  return reject_key(model, key, "; a model has one kind of positions, and this key contradicts ",
                    other);
}

// Rejects switches for positions that no encoding here implements.
Status check_switches(const ConfigMap& model) {
  for (const char* key : {"attn_type", "bi_data", "attn_config.rope", "encoder_attention_type"}) {
    const ParamValue* value = model.entries.find(key);
    if (value == nullptr) continue;
    const std::string text = to_words(*value);
    if (ChoiceList("0, false, \"bi\", \"uni\", \"local\"").find(text) < 0)
      return reject_key(model, key, " has no encoding");
  }
  return {};
}

// Rejects a requested layer without queries and keys.
Status check_attends(const Family* family, const ConfigOptions& options, ConfigMap& model) {
  if (!options.layer_idx || family == nullptr) return {};
  PHASOR_TRY(check_layer_idx(options.layer_idx, 0, false));
  const int count = layer_count(family, model, options.stack);
  LayerTypes types;
  PHASOR_TRY(LayerTypes::read(family, model, count > 0 ? count : *options.layer_idx + 1, types));
  const std::string_view type = types.at(*options.layer_idx);
  if (type.empty() || attends(kind_of(type))) return {};
  return invalid("{}: layer {} is {}, which has no queries and keys", argument("layer_idx"),
                 *options.layer_idx, type_name(type));
}

// The keys that determine the kind of positions; read first.
struct Kinds {
  std::string_view type{};  ///< position_embedding_type
  const char* alibi_key = "alibi";
  const bool* alibi_value = nullptr;  ///< value of that key
  bool alibi = false;                 ///< from that key or from the type
  std::string_view rotation{};        ///< the first key about rotary positions
};

// Reads a family without rotary positions; nullptr: an unlisted one with alibi or nope. `listed` is
// the family of the model_type.
Status read_other(const Family* family, const Family* listed, const Kinds& kinds,
                  ConfigReader& reading) {
  static constexpr Family kAlibi = {.read = read_alibi, .alibi = true}, kNone = {.read = read_none};
  ConfigMap& model = reading.model;
  const bool none = kinds.type == "nope";
  const char* const other = family != nullptr ? kFamily : kType;
  const Family& read = family != nullptr ? *family : none ? kNone : kAlibi;
  if (read.has_no_attention)
    return reject_key(model, kFamily, " has no attention, and no positions");
  if (kinds.alibi_value && kinds.alibi != read.alibi)
    return contradiction(model, kinds.alibi_key, other);
  // Falcon's config class writes a rope_theta into every file; only `alibi` distinguishes its
  // models.
  const bool may_rotate =
      listed != nullptr && (listed->read == nullptr || listed->rotary_only_with.key != nullptr);
  if (!kinds.rotation.empty() && !none && !may_rotate && read.convention == nullptr &&
      read.read != read_none)
    return contradiction(model, kinds.rotation, kinds.alibi ? kinds.alibi_key : other);
  // BERT's class writes "absolute" into every file.
  const ChoiceList types = family != nullptr ? family->names : "alibi, nope";
  if (!kinds.type.empty() && kinds.type != "absolute" && types.find(kinds.type) < 0) {
    return contradiction(model, kType, family != nullptr ? kFamily : kinds.alibi_key);
  }
  ModelReader reader = read.read;
  if (read.decoder != nullptr) {
    PHASOR_TRY(check_layer(reading.options.stack, "encoder, decoder", "stack"));
    if (reading.options.stack == "decoder") reader = read.decoder;
  }
  PHASOR_TRY(check_switches(model));
  ConfigEncoding& out = reading.out;
  if (read.fixed_scale != 0) out.scale = read.fixed_scale;
  out.position_offset = read.position_offset;
  out.position_id_mode = read.padding;
  PHASOR_TRY(reader(reading, read));
  if (family != nullptr || may_rotate) return {};
  PHASOR_TRY(check_unlisted(model, {}));
  if (!none) {
    out.assumed["form"] = std::string("symmetric");
    out.assumed["layers"] = std::string("all");
  }
  return {};
}

// BERT's config class writes position_embedding_type; JinaBERT and MosaicBERT have the model_type
// "bert" too.
const Family* other_family(const Family* family, std::string_view type) {
  static constexpr Family kChoices[] = {
      {.names = "alibi", .read = read_alibi, .alibi = true},
      {.names = "relative_key",
       .read = read_relative_key,
       .length = {"max_position_embeddings", 512}},
  };
  if (family == nullptr || !family->has_choice) return family;
  const auto* chosen =
      std::find_if(std::begin(kChoices), std::end(kChoices),
                   [&](const Family& choice) { return choice.names.text() == type; });
  return chosen == std::end(kChoices) ? family : chosen;
}

Status read(const Params& config, const ConfigOptions& options, ConfigEncoding& out) {
  RopeFile file;
  ConfigMap& model = file.model;
  model.load(config);
  PHASOR_TRY(enter_model(model, options.stack));
  const std::string_view name = model.string_or_none(kFamily);
  Kinds kinds{.type = model.string_or_none(kType),
              .alibi_key = model.has("attn_config.alibi") ? "attn_config.alibi" : "alibi"};
  kinds.alibi_value = model.boolean(kinds.alibi_key);
  PHASOR_TRY(model.status());
  kinds.alibi = kinds.alibi_value ? *kinds.alibi_value : kinds.type == "alibi";
  kinds.rotation = rotation_key(model.entries);
  const Family* const listed = find_family(name);
  if (listed != nullptr && listed->unsupported != nullptr)
    return reject_key(model, kFamily, " ", listed->unsupported);
  PHASOR_TRY(check_attends(listed, options, model));
  const bool may_rotate = listed != nullptr && !listed->has_no_attention &&
                          (listed->read == nullptr || listed->rotary_only_with.key != nullptr);
  const Family* rotary = may_rotate ? listed : nullptr;
  const Family* family =
      listed == nullptr || listed->read != nullptr || listed->has_no_attention
          ? other_family(listed,
                         model.has("alibi_starting_size") ? std::string_view("alibi") : kinds.type)
          : nullptr;
  // Falcon and ESM use one or the other.
  if (rotary && family && holds(rotary->rotary_only_with, model)) family = nullptr;
  if (rotary && family) rotary = nullptr;

  const QueryScale scale = listed != nullptr ? listed->scale : scale_of_keys;
  if (family != nullptr || kinds.type == "nope" || (rotary == nullptr && kinds.alibi)) {
    ConfigReader reading{model, options, out};
    PHASOR_TRY(read_other(family, listed, kinds, reading));
  } else {
    if (kinds.alibi) return contradiction(model, kFamily, kinds.alibi_key);
    if (rotary == nullptr && kinds.rotation.empty() && !kinds.type.starts_with("ro")) {
      PHASOR_TRY(check_unlisted(model, {}));  // a key that may determine the kind
      return reject_key(model, kFamily,
                        model.has(kFamily)
                            ? " is not known, and the config has no other key about positions"
                            : "; expected the name of the family whose conventions apply");
    }
    PHASOR_TRY(read_rope({.layer_type = options.layer_type,
                          .layer_idx = options.layer_idx,
                          .sequence_length = options.sequence_length},
                         file));
    out.encoding = std::move(file.encoding);
    out.assumed = std::move(file.assumed);
    out.rotates_values = rotary != nullptr && out.encoding.id != "none" &&
                         (rotary->rotates_values || (rotary->values_key != nullptr &&
                                                     model.boolean(rotary->values_key, false)));
  }
  static constexpr Family kUnlisted{};
  if (scale != nullptr && !out.scale)
    out.scale = scale(listed != nullptr ? *listed : kUnlisted, model, file.rope);
  PHASOR_TRY(model.status());
  PHASOR_TRY(file.rope.status());
  model.add_lines(out.source_keys, out.defaults);
  file.rope.add_lines(out.source_keys, out.defaults);
  return {};
}

}  // namespace

Result<ConfigEncoding> encoding_from_config(const Params& config, const ConfigOptions& options) {
  return Result<ConfigEncoding>::from(
      [&](ConfigEncoding& out) { return read(config, options, out); });
}

}  // namespace phasor
