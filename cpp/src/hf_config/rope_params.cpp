#include "hf_config/rope_params.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <span>

#include "core/format_error.h"
#include "hf_config/rope_scaling_types.h"
#include "phasor/positions.h"

namespace phasor {

namespace {

struct RotaryParam {
  const char* name = nullptr;
  double value = 0;
};

void set_rotary_param(const RotaryParam& rotary, Params& params) {
  if (rotary.name != nullptr) params[rotary.name] = rotary.value;
}

// Synonymous keys. A file in which their values differ is rejected.
constexpr const char* kBaseKeys[] = {"rope_theta", "rotary_emb_base", "attn_config.rope_theta",
                                     "global_rope_theta"};
constexpr const char* kFractionKeys[] = {"partial_rotary_factor", "rotary_pct"};

Status reject_foreign_key(const ConfigMap& model, const char* key, const std::string& suffix) {
  return invalid("{}{}: {} is not read by models of this family{}", model.path, key,
                 model.entries.at(key), suffix);
}

Status check_synonyms(ConfigMap& model, std::span<const char* const> keys, const char* family_key,
                      double value) {
  for (const char* key : keys) {
    const double* other =
        family_key != nullptr && std::string_view(key) == family_key ? nullptr : model.number(key);
    if (!other || *other == value) continue;
    return reject_foreign_key(model, key,
                              family_key != nullptr
                                  ? format_error(", which use {}: {}", family_key, value)
                                  : format_error(", which always use {}", value));
  }
  return {};
}

// If the scaling type is proportional, partial_rotary_factor is the fraction of pairs that rotate.
Status read_rotary_channels(RopeReader& r, const Family& family, const RopeLayer& layer,
                            bool is_proportional, RotaryParam& rotary) {
  const bool is_local = layer.is_local || find_kind(layer.type) == LayerKind::sliding;
  const double fraction =
      is_local && family.local_fraction > 0 ? family.local_fraction : family.rotary_fraction;
  const auto set_rotary = [&](const char* name, double value, const ConfigMap& from,
                              const char* key) {
    rotary = {name, value};
    r.keys[name] = from.path + key;
  };
  const double* rotary_dim = read_multiple_of(r.model, "rotary_dim", 2, kMaxExtent);
  const double* nested_fraction = read_positive(r.rope, kFractionKeys[0], 1);
  const double* top_level_fraction =
      family.is_latent ? nullptr : read_positive(r.model, family.rotary_fraction_key, 1);
  // In latent attention, all channels of the rotary projection rotate.
  if (family.is_latent) {
    r.model.number(kFractionKeys[0]);
    return {};
  }
  if (nested_fraction || top_level_fraction) {
    const ConfigMap& from = nested_fraction ? r.rope : r.model;
    const char* const key = nested_fraction ? kFractionKeys[0] : family.rotary_fraction_key;
    if (family.rotary_dim > 0) return reject_foreign_key(from, key, ", which use rotary_dim");
    if (rotary_dim && !family.reads_rotary_dim)
      return invalid("{}rotary_dim: {} cannot be combined with {}; expected one of them",
                     r.model.path, *rotary_dim, key);
    const double value = nested_fraction ? *nested_fraction : *top_level_fraction;
    set_rotary(is_proportional ? "kept_fraction" : "rotary_fraction", value, from, key);
    return check_synonyms(r.model, kFractionKeys, key, value);
  }
  PHASOR_TRY(check_synonyms(r.model, kFractionKeys, family.rotary_fraction_key, fraction));
  if (rotary_dim || family.rotary_dim > 0) {
    // If rotary_dim is null, GPT-J's code uses hidden_size, which is wrong if there are several
    // heads.
    if (!rotary_dim && r.model.is_null("rotary_dim")) {
      return invalid(
          "{}rotary_dim: is null; expected the number of rotated channels, or no such key",
          r.model.path);
    }
    if (!rotary_dim) r.model.assume("rotary_dim", family.rotary_dim);
    set_rotary("rotary_dim", rotary_dim ? *rotary_dim : family.rotary_dim, r.model, "rotary_dim");
  } else if (fraction != 1) {
    r.model.assume(family.rotary_fraction_key, fraction);
    set_rotary("rotary_fraction", fraction, r.model, family.rotary_fraction_key);
  }
  return {};
}

// Key under which the defaults list the base that transformers 5 assumes.
constexpr const char* kVersion5Base = "rope_theta of transformers 5";

// The base of sliding-window layers may be in a separate dictionary or have its own key.
Status read_base(RopeReader& r, const Family& family, const RopeLayer& layer) {
  const bool has_separate_key = layer.is_local && (family.rotation != RotationRule::unscaled ||
                                                   r.model.has(family.local_key));
  if (family.rotation == RotationRule::unscaled) r.model.number(family.local_key);
  const bool is_local =
      (has_separate_key || (find_kind(layer.type) == LayerKind::sliding && family.local_base > 0 &&
                            family.rotation != RotationRule::compressed)) &&
      !r.model.is_null(family.local_key);
  const char* const key = is_local ? family.local_key : family.base_key;
  const double default_value = is_local ? family.local_base : family.base;
  r.params["base"] = default_value;
  if (layer.base) {
    r.params["base"] = *layer.base;
    for (const char* base_key : kBaseKeys) r.model.number(base_key);
    r.rope.number("rope_theta");
    return {};
  }
  if (key == nullptr) return check_synonyms(r.model, kBaseKeys, nullptr, default_value);
  r.set_from("base", r.model, key);
  if (!has_separate_key) r.set_from("base", r.rope, "rope_theta");
  if (!r.keys.contains("base")) {
    if (default_value == 0)
      return invalid("{}{}: the key is missing; versions of transformers differ in its default",
                     r.model.path, key);
    r.model.assume(key, default_value);
    if (!is_local && family.v5_base > 0) r.model.assume(kVersion5Base, family.v5_base);
  }
  return is_local
             ? Status()
             : check_synonyms(r.model, kBaseKeys, key, *std::get_if<double>(&r.params.at("base")));
}

Status read_sections(RopeReader& r, const Family& family, std::string_view type,
                     EncodingConfig& config) {
  const Tensor* sections = r.rope.list("mrope_section");
  const bool is_interleaved = r.rope.boolean("mrope_interleaved", false);
  const Sections arrangement = family.sections == Sections::video ? Sections::video
                               : is_interleaved || family.sections == Sections::interleaved
                                   ? Sections::interleaved
                                   : Sections::contiguous;
  const std::array<int, 3>& sizes = family.section_sizes;
  if (!sections && sizes[0] == 0) {
    return type == "mrope"
               ? invalid("{}mrope_section: the key is missing; mrope needs it", r.rope.path)
               : Status();
  }
  config.id = "mrope";
  static constexpr const char* kArrangements[] = {"", "contiguous", "interleaved", "video"};
  r.set_choice("arrangement", kArrangements[static_cast<std::size_t>(arrangement)]);
  Tensor section_sizes = sections != nullptr ? *sections : Tensor({3});
  if (sections == nullptr) std::copy(sizes.begin(), sizes.end(), section_sizes.data.begin());
  if (arrangement != Sections::video) {
    r.set_list("sections", "mrope_section", section_sizes);
    return {};
  }
  // ERNIE's mrope_section contains the numbers of pairs for rows, columns and time. The first two
  // must be equal.
  if (section_sizes.data.size() != 3 || section_sizes.data[0] != section_sizes.data[1])
    return invalid("{}mrope_section: {} is not a list of three numbers with the first two equal",
                   r.rope.path, ParamValue(section_sizes));
  // Only the files published by ERNIE's authors contain freq_allocation.
  if (const double* temporal_pairs = r.model.number("freq_allocation"))
    section_sizes.data[2] = static_cast<float>(*temporal_pairs);
  r.model.boolean("rope_3d", true);
  r.params["temporal_pairs"] = static_cast<double>(section_sizes.data[2]);
  r.pairs = static_cast<int>(section_sizes.data[0] + section_sizes.data[1] + section_sizes.data[2]);
  return {};
}

// Returns the number of pairs in short_factor or `sections`, or 1 if both are missing.
int count_pairs(const Params& params) {
  if (const ParamValue* factors = params.find("short_factor"))
    return std::max(1, static_cast<int>(std::get<Tensor>(*factors).data.size()));
  double sum = 0;
  if (const ParamValue* sections = params.find("sections")) {
    for (const float section : std::get<Tensor>(*sections).data)
      sum += static_cast<double>(section);
  }
  return sum >= 1 && sum <= kMaxExtent / 2 ? static_cast<int>(sum) : 1;
}

}  // namespace

Status check_foreign_keys(ConfigMap& model, const Family& family) {
  const bool* rope_interleave = model.boolean("rope_interleave");
  if (rope_interleave && *rope_interleave != (family.layout == RopeLayout::interleaved) &&
      !family.reads_rope_interleave)
    return reject_foreign_key(model, "rope_interleave", "");
  for (const char* key : {"rope_local_base_freq", "local_rope_theta"}) {
    const bool is_family_key =
        (family.local_base > 0 || family.rotation == RotationRule::unscaled) &&
        std::string_view(key) == family.local_key;
    if (!is_family_key && model.number(key)) return reject_foreign_key(model, key, "");
  }
  if (family.rotation != RotationRule::listed && model.has("no_rope_layers"))
    return reject_foreign_key(model, "no_rope_layers", "");
  return {};
}

Status read_rotation(const ConfigOptions& options, const Family& family, const RopeLayer& layer,
                     RopeFile& file) {
  ConfigMap &model = file.model, &rope = file.rope;
  EncodingConfig& config = file.encoding;
  config.id = "rope";
  RopeReader reader{model, rope, options, config.params};
  const bool is_interleaved =
      model.boolean("rope_interleave", family.layout == RopeLayout::interleaved);
  reader.set_choice("layout", is_interleaved ? "interleaved" : "half_split");
  if (family.is_reversed) reader.set_choice("direction", "negative");
  // In some models, scaling does not apply to sliding-window layers.
  static constexpr RopeType kUnscaled = {"none"};
  const RopeType* type = &kUnscaled;
  std::string_view name = "default";
  if (layer.is_scaled) PHASOR_TRY(find_rope_type(rope, name, type));
  PHASOR_TRY(read_base(reader, family, layer));
  reader.set_choice("scaling", type->scaling);
  RotaryParam rotary;
  PHASOR_TRY(read_rotary_channels(reader, family, layer, name == "proportional", rotary));
  if (type->read != nullptr) type->read(reader);
  // DeepSeek-V4 uses the frequencies of YaRN, but not its attention factor.
  if (family.rotation == RotationRule::compressed && name == "yarn" &&
      !reader.keys.contains("attention_factor"))
    reader.params["attention_factor"] = 1.0;
  if (family.set_scaling != nullptr && rope.entries.empty() && layer.is_scaled)
    family.set_scaling(reader);
  PHASOR_TRY(read_sections(reader, family, name, config));
  PHASOR_TRY(rope.status());
  if (layer.is_scaled) PHASOR_TRY(rope.check_unread_keys(name));
  const double *full_head_dim = read_multiple_of(model, "head_dim", 2, kMaxExtent),
               *rope_head_dim = read_multiple_of(model, "qk_rope_head_dim", 2, kMaxExtent);
  const double* head_dim = rope_head_dim ? rope_head_dim : full_head_dim;
  double default_dim = 0;
  if (head_dim == nullptr && family.head_dim == 0 && rotary.name != nullptr) {
    default_dim =
        model.number("hidden_size", 0) / std::max(model.number("num_attention_heads", 1), 1.0);
    if (default_dim >= 2 && default_dim <= kMaxExtent && default_dim == std::floor(default_dim))
      head_dim = &default_dim;
  }
  PHASOR_TRY(model.status());
  // If head_dim is unknown, validates the encoding as if all channels of the head rotated.
  if (head_dim) set_rotary_param(rotary, config.params);
  PHASOR_TRY(
      check_encoding(config,
                     {.dim = head_dim ? static_cast<int>(*head_dim)
                                      : 2 * std::max(reader.pairs, count_pairs(config.params))},
                     reader.keys));
  set_rotary_param(rotary, config.params);
  return {};
}

}  // namespace phasor
