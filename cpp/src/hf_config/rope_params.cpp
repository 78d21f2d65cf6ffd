#include "hf_config/rope_params.h"

#include <algorithm>
#include <span>

#include "core/format_error.h"
#include "hf_config/rope_scaling_types.h"
#include "phasor/positions.h"

namespace phasor {

namespace {

// The number of rotated channels, as a parameter that is not set yet.
struct RotatedPart {
  const char* name = nullptr;
  double value = 0;
};

void set_rotated_part(const RotatedPart& rotated, Params& params) {
  if (rotated.name != nullptr) params[rotated.name] = rotated.value;
}

// The names that families have for one value. A name of another family with another value is
// rejected: whichever was meant, the other would be ignored.
constexpr const char* kBases[] = {"rope_theta", "rotary_emb_base", "attn_config.rope_theta",
                                  "global_rope_theta"};
constexpr const char* kShares[] = {"partial_rotary_factor", "rotary_pct"};

Status not_read(const ConfigMap& model, const char* key, const std::string& says) {
  return invalid("{}{}: {} is not what models of this family read{}", model.path, key,
                 model.entries.at(key), says);
}

Status check_others(ConfigMap& model, std::span<const char* const> keys, const char* own,
                    double read) {
  for (const char* key : keys) {
    const double* other =
        own != nullptr && std::string_view(key) == own ? nullptr : model.number(key);
    if (!other || *other == read) continue;
    return not_read(model, key,
                    own != nullptr ? format_error(", which is {}: {}", own, read)
                                   : format_error("; it is always {}", read));
  }
  return {};
}

// The number of rotated channels. In the type proportional the same key is the number of rotated
// pairs.
Status read_partial(RopeReader& r, const RopeFamily& family, bool proportional,
                    RotatedPart& rotated) {
  const auto take = [&](const char* name, double value, const ConfigMap& from, const char* key) {
    rotated = {name, value};
    r.keys[name] = from.path + key;
  };
  const double* rotary_dim = multiple(r.model, "rotary_dim", 2, kMaxExtent);
  const double *nested = positive(r.rope, kShares[0], 1),
               *own = positive(r.model, family.share_key, 1);
  if (nested || own) {
    const ConfigMap& from = nested ? r.rope : r.model;
    const char* const key = nested ? kShares[0] : family.share_key;
    if (family.rotary_dim > 0) return not_read(from, key, ", which is rotary_dim");
    if (rotary_dim)
      return invalid("{}rotary_dim: {} is given beside {}; a model has one of them", r.model.path,
                     *rotary_dim, key);
    const double share = nested ? *nested : *own;
    take(proportional ? "kept_fraction" : "rotary_fraction", share, from, key);
    return check_others(r.model, kShares, key, share);
  }
  PHASOR_TRY(check_others(r.model, kShares, family.share_key, family.rotary_fraction));
  if (rotary_dim || family.rotary_dim > 0) {
    // The code of GPT-J then computes frequencies for all channels of the model, which fit a head
    // only if there is one.
    if (!rotary_dim && r.model.is_null("rotary_dim")) {
      return invalid("{}rotary_dim: it is null; it says how many channels turn, or is left out",
                     r.model.path);
    }
    if (!rotary_dim) r.model.assume("rotary_dim", family.rotary_dim);
    take("rotary_dim", rotary_dim ? *rotary_dim : family.rotary_dim, r.model, "rotary_dim");
  } else if (family.rotary_fraction != 1) {
    r.model.assume(family.share_key, family.rotary_fraction);
    take("rotary_fraction", family.rotary_fraction, r.model, family.share_key);
  }
  return {};
}

// The base of all layers, or of those with a window, in a separate dictionary or in the common
// one.
Status read_base(RopeReader& r, const RopeFamily& family, const Layer& layer) {
  const bool beside = layer.local && family.layers != Layers::unscaled;
  const bool local = (beside || (layer.type == "sliding_attention" && family.local_base > 0)) &&
                     !r.model.is_null(family.local_key);
  const char* const key = local ? family.local_key : family.base_key;
  const double default_value = local ? family.local_base : family.base;
  r.params["base"] = default_value;
  if (key == nullptr) return check_others(r.model, kBases, nullptr, default_value);
  r.take("base", r.model, key);
  if (!beside) r.take("base", r.rope, "rope_theta");
  if (!r.keys.contains("base")) {
    if (default_value == 0)
      return invalid("{}{}: the key is missing; versions of transformers differ in its default",
                     r.model.path, key);
    r.model.assume(key, default_value);
  }
  return local ? Status()
               : check_others(r.model, kBases, key, *std::get_if<double>(&r.params.at("base")));
}

Status read_sections(RopeReader& r, const RopeFamily& family, std::string_view type,
                     EncodingConfig& config) {
  const Tensor* sections = r.rope.list("mrope_section");
  const bool interleaved = r.rope.boolean("mrope_interleaved", family.interleaved_sections);
  if (!sections && family.interleaved_sections) {
    config.params["sections"] = Tensor({3}, std::vector<float>{24, 20, 20});
  } else if (sections) {
    r.set_list("sections", "mrope_section", *sections);
  } else {
    return type == "mrope"
               ? invalid("{}mrope_section: the key is missing; mrope needs it", r.rope.path)
               : Status();
  }
  config.id = "mrope";
  r.set_word("arrangement",
             interleaved || family.interleaved_sections ? "interleaved" : "contiguous");
  return {};
}

// The number of pairs for which lists of one number per pair are defined; any number without such
// lists.
int pairs_of(const Params& params) {
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

Status check_foreign(ConfigMap& model, const RopeFamily& family) {
  const bool* interleaved = model.boolean("rope_interleave");
  if (interleaved && *interleaved != (family.pairs == RopeLayout::interleaved) &&
      !family.reads_pairs)
    return not_read(model, "rope_interleave", "");
  for (const char* key : {"rope_local_base_freq", "local_rope_theta"}) {
    const bool own = family.local_base > 0 && std::string_view(key) == family.local_key;
    if (!own && model.number(key)) return not_read(model, key, "");
  }
  if (family.layers != Layers::listed && model.has("no_rope_layers"))
    return not_read(model, "no_rope_layers", "");
  return {};
}

Status read_rotation(const ConfigOptions& options, const RopeFamily& family, const Layer& layer,
                     RopeFile& file) {
  ConfigMap &model = file.model, &rope = file.rope;
  EncodingConfig& config = file.encoding;
  config.id = "rope";
  RopeReader reading{model, rope, options, config.params};
  const bool interleaved =
      model.boolean("rope_interleave", family.pairs == RopeLayout::interleaved);
  reading.set_word("layout", interleaved ? "interleaved" : "half_split");
  // Layers with a window may lack the scaling of the others.
  static constexpr RopeType kUnscaled = {"none"};
  const bool scaled = !layer.local || family.layers == Layers::scaled_local;
  const RopeType* type = &kUnscaled;
  std::string_view name = "default";
  if (scaled) PHASOR_TRY(find_rope_type(rope, name, type));
  PHASOR_TRY(read_base(reading, family, layer));
  reading.set_word("scaling", type->scaling);
  RotatedPart rotated;
  PHASOR_TRY(read_partial(reading, family, name == "proportional", rotated));
  if (type->read != nullptr) type->read(reading);
  if (family.scaling != nullptr && rope.entries.empty()) family.scaling(reading);
  PHASOR_TRY(read_sections(reading, family, name, config));
  PHASOR_TRY(rope.status());
  if (scaled) PHASOR_TRY(rope.unknown(name));
  // Models with latent attention rotate a separate part of each head.
  const double *head = multiple(model, "head_dim", 2, kMaxExtent),
               *apart = multiple(model, "qk_rope_head_dim", 2, kMaxExtent);
  const double* head_dim = apart ? apart : head;
  PHASOR_TRY(model.status());
  // Without head_dim, the rotated channels determine it.
  if (head_dim) set_rotated_part(rotated, config.params);
  PHASOR_TRY(check_encoding(
      config, {.dim = head_dim ? static_cast<int>(*head_dim) : 2 * pairs_of(config.params)},
      reading.keys));
  set_rotated_part(rotated, config.params);
  return {};
}

}  // namespace phasor
