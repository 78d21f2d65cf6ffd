// Which model a file is of, whether and where it turns queries and keys, and whether what it says
// makes an encoding.

#include "hf_config/rope_reader.h"

#include <cmath>

#include "core/format_error.h"
#include "hf_config/rope_dictionary.h"
#include "hf_config/rope_layers.h"
#include "hf_config/rope_params.h"
#include "hf_config/unlisted_family.h"
#include "phasor/positions.h"
#include "phasor/registry.h"
#include "phasor/rope_model.h"

namespace phasor {

Status check_encoding(const EncodingConfig& config, const Geometry& geometry, const Params& keys) {
  Status status = create(config, geometry).status();
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

// Whether a model of this family turns at all.
bool is_switched_on(const Switch& by, Dictionary& model) {
  if (by.key == nullptr) return true;
  return by.word != nullptr ? model.word_or_none(by.key) == by.word : model.boolean(by.key, false);
}

}  // namespace

Status read_rope(const RopeModelOptions& options, RopeFile& file) {
  Dictionary& model = file.model;
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
  if (!layer.turns) return {};
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
Status does_not_turn(const RopeModelOptions& options, const RopeFile& file) {
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

Result<EncodingConfig> read_rope_model(const Params& config, const RopeModelOptions& options) {
  return Result<EncodingConfig>::from([&](EncodingConfig& out) -> Status {
    RopeFile file;
    file.model.load(config);
    enter_text_model(file.model);
    PHASOR_TRY(read_rope(options, file));
    // The answer is the encoding alone: there is no room in it for what is assumed.
    if (file.family == nullptr && file.model.has("model_type")) return not_listed(file.model);
    if (file.encoding.id == "none") return does_not_turn(options, file);
    out = std::move(file.encoding);
    return {};
  });
}

}  // namespace phasor
