// Determines the kind of positions of a config.json, and rejects a second kind.

#include "core/format_error.h"
#include "hf_config/families.h"
#include "hf_config/family_readers.h"
#include "hf_config/rope_families.h"
#include "hf_config/rope_layers.h"
#include "hf_config/rope_reader.h"
#include "hf_config/unlisted_family.h"
#include "phasor/hf_config.h"

namespace phasor {

namespace {

constexpr const char *kFamily = "model_type", *kType = "position_embedding_type";

Status contradiction(const ConfigMap& model, std::string_view key, std::string_view other) {
  return refuse_key(model, key, "; a model has one kind of positions, and this is not that of ",
                    other);
}

// Switches for positions of the family without an encoding.
Status check_switches(const ConfigMap& model) {
  for (const char* key : {"attn_type", "bi_data", "attn_config.rope", "encoder_attention_type"}) {
    const ParamValue* value = model.entries.find(key);
    if (value == nullptr) continue;
    const std::string said = to_words(*value);
    if (ChoiceList("0, false, \"bi\", \"uni\", \"local\"").find(said) < 0)
      return refuse_key(model, key, " has no encoding");
  }
  return {};
}

// The keys about positions, read before the kind is known.
struct Kinds {
  std::string_view type{};  ///< position_embedding_type
  const char* alibi_key = "alibi";
  const bool* said = nullptr;   ///< what that key says
  bool alibi = false;           ///< by that key or by the type
  std::string_view rotation{};  ///< the first key about rotation
};

// A family whose positions are not rotary; nullptr for an unlisted one, in which keys of alibi or
// nope are accepted.
Status read_other(const ModelFamily* family, const RopeFamily* rotary, const Kinds& kinds,
                  ConfigReader& reading) {
  static constexpr ModelFamily kAlibi = {.read = read_alibi, .alibi = true},
                               kNone = {.read = read_none};
  ConfigMap& model = reading.model;
  const bool none = kinds.type == "nope";
  const char* const other = family != nullptr ? kFamily : kType;
  const ModelFamily& read = family != nullptr ? *family : none ? kNone : kAlibi;
  if (read.read == nullptr)
    return refuse_key(model, kFamily, " has no attention, and no positions");
  if (kinds.said && kinds.alibi != read.alibi) return contradiction(model, kinds.alibi_key, other);
  // Falcon's config class writes a rope_theta into every file; models with alibi ignore it.
  if (!kinds.rotation.empty() && !none && rotary == nullptr)
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
  if (read.scale != 0) out.scale = read.scale;
  out.position_offset = read.position_offset;
  out.position_id_mode = read.padding;
  PHASOR_TRY(reader(reading, read));
  if (family != nullptr || rotary != nullptr) return {};
  PHASOR_TRY(check_unlisted(model, {}));
  if (!none) {
    out.assumed["form"] = std::string("symmetric");
    out.assumed["layers"] = std::string("all");
  }
  return {};
}

Status read(const Params& config, const ConfigOptions& options, ConfigEncoding& out) {
  RopeFile file;
  ConfigMap& model = file.model;
  model.load(config);
  enter_text_model(model);
  const std::string_view name = model.word_or_none(kFamily);
  Kinds kinds{.type = model.word_or_none(kType),
              .alibi_key = model.has("attn_config.alibi") ? "attn_config.alibi" : "alibi"};
  kinds.said = model.boolean(kinds.alibi_key);
  PHASOR_TRY(model.status());
  kinds.alibi = kinds.said ? *kinds.said : kinds.type == "alibi";
  kinds.rotation = rotation_key(model.entries);
  const RopeFamily* rotary = find_rope_family(name);
  const ModelFamily* family =
      find_model_family(name, model.has("alibi_starting_size") ? "alibi" : kinds.type);
  if (rotary && !kinds.alibi) family = nullptr;  // falcon has one or the other

  QueryScale scale = rotary != nullptr   ? rotary->scale
                     : family == nullptr ? scale_of_keys
                                         : nullptr;
  if (family != nullptr || kinds.type == "nope" || (rotary == nullptr && kinds.alibi)) {
    ConfigReader reading{model, options, out};
    PHASOR_TRY(read_other(family, rotary, kinds, reading));
  } else {
    if (kinds.alibi) return contradiction(model, kFamily, kinds.alibi_key);
    if (rotary == nullptr && kinds.rotation.empty() && !kinds.type.starts_with("ro")) {
      PHASOR_TRY(check_unlisted(model, {}));  // a key that may determine it
      return refuse_key(model, kFamily,
                        model.has(kFamily)
                            ? " is not known, and the config says nothing else about positions"
                            : "; it names the family whose conventions are read");
    }
    PHASOR_TRY(read_rope({.layer_type = options.layer_type,
                          .layer_idx = options.layer_idx,
                          .sequence_length = options.sequence_length},
                         file));
    out.encoding = std::move(file.encoding);
    out.assumed = std::move(file.assumed);
  }
  if (scale != nullptr && !out.scale) out.scale = scale(model, file.rope);
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
