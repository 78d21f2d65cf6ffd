// Reads each rope_scaling type like modeling_rope_utils.py in transformers 4.57 and 5. Models that
// use other keys are named in comments.

#include "hf_config/rope_scaling_types.h"

#include <algorithm>
#include <cmath>
#include <span>

#include "core/format_error.h"
#include "phasor/positions.h"

namespace phasor {

void RopeReader::set(const char* name, double value, const ConfigMap& from, const char* key) {
  params[name] = value;
  keys[name] = from.path + key;
}

void RopeReader::set_choice(const char* name, const char* choice) {
  params[name] = std::string(choice);
}

void RopeReader::set_list(const char* name, const char* key, const Tensor& list) {
  params[name] = list;
  keys[name] = rope.path + key;
}

bool RopeReader::set_from(const char* name, ConfigMap& from, const char* key) {
  const double* value = from.number(key);
  if (value) set(name, *value, from, key);
  return value != nullptr;
}

const double* read_positive(ConfigMap& from, const char* key, double maximum) {
  const double* value = from.number(key);
  if (value && !(*value > 0 && *value <= maximum)) {
    from.fail(invalid("{}{}: {} is not a number in (0, {}]", from.path, key, *value, maximum));
  }
  return value;
}

const double* read_multiple_of(ConfigMap& from, const char* key, int divisor, double maximum) {
  const double* value = from.number(key);
  if (value &&
      !(*value >= 2 && *value <= maximum && *value / divisor == std::floor(*value / divisor))) {
    const Range range{2, maximum};
    from.fail(
        divisor == 1
            ? invalid("{}{}: {} is not a whole number from {}", from.path, key, *value, range)
            : invalid("{}{}: {} is not an even number from {}", from.path, key, *value, range));
  }
  return value;
}

namespace {

struct Setting {
  const char* name;
  double value;
};

void apply_settings(RopeReader& r, const char* scaling, std::span<const Setting> settings) {
  r.set_choice("scaling", scaling);
  for (const Setting& setting : settings) r.params[setting.name] = setting.value;
}

}  // namespace

void set_gpt_oss_scaling(RopeReader& r) {
  static constexpr Setting kSettings[] = {{"factor", 32}, {"original_length", 4096}};
  apply_settings(r, "yarn", kSettings);
  r.params["truncate"] = false;
}

void set_apertus_scaling(RopeReader& r) {
  static constexpr Setting kSettings[] = {
      {"factor", 8}, {"original_length", 8192}, {"low_freq_factor", 1}, {"high_freq_factor", 4}};
  apply_settings(r, "llama3", kSettings);
}

void set_cwm_scaling(RopeReader& r) {
  static constexpr Setting kSettings[] = {
      {"factor", 16}, {"original_length", 8192}, {"low_freq_factor", 1}, {"high_freq_factor", 4}};
  apply_settings(r, "llama3", kSettings);
}

void set_higgs_scaling(RopeReader& r) {
  static constexpr Setting kSettings[] = {{"factor", 32},
                                          {"original_length", 1024},
                                          {"low_freq_factor", 0.125},
                                          {"high_freq_factor", 0.5}};
  apply_settings(r, "llama3", kSettings);
}

void set_gemma4_scaling(RopeReader& r) { r.params["kept_fraction"] = 0.25; }
void set_lfm3_scaling(RopeReader& r) { r.params["kept_fraction"] = 0.5; }

void set_ministral3_scaling(RopeReader& r) {
  static constexpr Setting kSettings[] = {
      {"factor", 16}, {"original_length", 16384}, {"mscale", 1}, {"mscale_all_dim", 1}};
  apply_settings(r, "yarn", kSettings);
}

void set_mistral4_scaling(RopeReader& r) {
  static constexpr Setting kSettings[] = {
      {"factor", 128}, {"original_length", 8192}, {"mscale", 1}, {"mscale_all_dim", 1}};
  apply_settings(r, "yarn", kSettings);
}

namespace {

constexpr const char* kOriginalLength = "original_max_position_embeddings";

void require_key(RopeReader& r, const char* name, const char* type) {
  r.rope.require(name, type);
  r.set_from(name, r.rope, name);
}

// Sets a parameter to the value of its key. The value 0 means unset.
void set_unless_zero(RopeReader& r, const char* name) {
  if (r.rope.number(name, 0) != 0) r.set_from(name, r.rope, name);
}

// Rejects 0. In transformers an attention factor of 0 makes all scores 0, but as an encoding
// parameter it selects the default.
void set_attention_factor(RopeReader& r, const char* key) {
  read_positive(r.rope, key, 1000);
  r.set_from("attention_factor", r.rope, key);
}

const double* read_length(ConfigMap& from, const char* key) {
  return read_multiple_of(from, key, 1, kMaxPosition);
}

// Returns the original length from the dictionary, or from the model if the dictionary has none.
// Marks both keys as read.
const double* read_original_length(RopeReader& r) {
  const double *dictionary_length = read_length(r.rope, kOriginalLength),
               *model_length = read_length(r.model, kOriginalLength);
  return dictionary_length ? dictionary_length : model_length;
}

const double* read_max_length(RopeReader& r) {
  return read_length(r.model, "max_position_embeddings");
}

void require_length(RopeReader& r, const double* length, const char* type) {
  if (length) {
    r.params["original_length"] = *length;
  } else {
    r.rope.fail(
        invalid("{}{}: the key is missing; {} needs it, or the model's max_position_embeddings",
                r.rope.path, kOriginalLength, type));
  }
}

void set_sequence_length(RopeReader& r) {
  if (r.options.sequence_length > 0) r.params["sequence_length"] = r.options.sequence_length;
}

void read_linear(RopeReader& r) { require_key(r, "factor", "linear"); }

void read_dynamic(RopeReader& r) {
  require_key(r, "factor", "dynamic");
  const double *alpha = r.rope.number("alpha"), *original_length = read_original_length(r);
  // HunYuan multiplies the base by alpha^(d/(d-2)) at every length. Its files also contain YaRN
  // keys, which its code ignores.
  if (alpha && *alpha != 0) {
    for (const char* ignored_key : {"beta_fast", "beta_slow", "mscale", "mscale_all_dim"})
      r.rope.number(ignored_key);
    r.set_choice("scaling", "ntk_aware");
    r.set_from("factor", r.rope, "alpha");
    return;
  }
  const double* max_length = read_max_length(r);
  require_length(r, max_length ? max_length : original_length, "dynamic");
  set_sequence_length(r);
}

void read_yarn(RopeReader& r) {
  const bool has_factor = r.set_from("factor", r.rope, "factor");
  const double *original_length = read_original_length(r), *max_length = read_max_length(r);
  require_length(r, original_length ? original_length : max_length, "yarn");
  if (!has_factor && original_length && max_length && *max_length >= *original_length) {
    r.set("factor", *max_length / *original_length, r.model, "max_position_embeddings");
  } else {
    r.rope.require("factor", "yarn");
  }
  set_attention_factor(r, "attention_factor");
  for (const char* name : {"beta_fast", "beta_slow", "mscale", "mscale_all_dim"})
    set_unless_zero(r, name);
  if (const bool* truncate = r.rope.boolean("truncate")) r.params["truncate"] = *truncate;
  r.rope.boolean("finetuned");  // in the first YaRN checkpoints, without effect
  // Marks both keys as read: layers_from_config uses llama_4_scaling_beta, and
  // max_position_embeddings is read from the model instead.
  r.rope.number("llama_4_scaling_beta");
  r.rope.number("max_position_embeddings");
}

void read_longrope(RopeReader& r) {
  for (const char* name : {"short_factor", "long_factor"}) {
    if (!r.rope.has(name))
      r.rope.fail(invalid("{}{}: the key is missing; longrope needs it", r.rope.path, name));
    if (const Tensor* list = r.rope.list(name)) r.set_list(name, name, *list);
  }
  const double *original_length = read_original_length(r), *max_length = read_max_length(r);
  require_length(r, original_length ? original_length : max_length, "longrope");
  set_attention_factor(r, "attention_factor");
  // Phi-3.5-MoE has different attention factors for short and long sequences.
  const bool is_long_text = r.options.sequence_length > (original_length ? *original_length
                                                         : max_length    ? *max_length
                                                                         : 0);
  for (const char* key : {"short_mscale", "long_mscale"}) r.rope.number(key);
  set_attention_factor(r, is_long_text ? "long_mscale" : "short_mscale");
  const bool has_factor = r.set_from("factor", r.rope, "factor");
  if (original_length && max_length) {
    r.set("max_length", *max_length, r.model, "max_position_embeddings");
  } else if (!has_factor && !r.params.contains("attention_factor")) {
    r.rope.require("factor", "longrope without original and extended lengths");
  }
  set_sequence_length(r);
}

void read_llama3(RopeReader& r) {
  for (const char* name : {"factor", "low_freq_factor", "high_freq_factor"})
    require_key(r, name, "llama3");
  r.rope.require(kOriginalLength, "llama3");
  if (const double* original_length = read_length(r.rope, kOriginalLength))
    r.params["original_length"] = *original_length;
}

void read_proportional(RopeReader& r) {
  if (r.rope.number("factor", 1) == 1) return;
  r.set_choice("scaling", "linear");
  r.set_from("factor", r.rope, "factor");
}

constexpr ChoiceList kTypeNames =
    "default, mrope, linear, dynamic, yarn, longrope, su, llama3, proportional";
constexpr RopeType kTypes[] = {
    // in the order of kTypeNames
    {"none"},
    {"none"},
    {"linear", read_linear},
    {"dynamic_ntk", read_dynamic},
    {"yarn", read_yarn},
    {"longrope", read_longrope},
    {"longrope", read_longrope},
    {"llama3", read_llama3},
    {"none", read_proportional},
};
static_assert(kTypeNames.count() == static_cast<int>(std::size(kTypes)));

}  // namespace

Status find_rope_type(ConfigMap& rope, std::string_view& name, const RopeType*& out) {
  const std::string *legacy_type = rope.string("type"), *current_type = rope.string("rope_type");
  PHASOR_TRY(rope.status());
  const bool needs_no_type =
      std::all_of(rope.entries.begin(), rope.entries.end(), [](const auto& entry) {
        return entry.first == "rope_theta" || entry.first == "partial_rotary_factor" ||
               std::string_view(entry.first).starts_with("mrope_");
      });
  if (!current_type && !legacy_type && !needs_no_type) {
    return invalid("{}rope_type: the key is missing; expected one of {}", rope.path, kTypeNames);
  }
  name = "default";
  if (current_type || legacy_type) name = current_type ? *current_type : *legacy_type;
  const int index = kTypeNames.find(name);
  if (index < 0)
    return unknown("{}{}: \"{}\" is unknown; expected one of {}", rope.path,
                   current_type ? "rope_type" : "type", name, kTypeNames);
  out = &kTypes[index];
  return {};
}

}  // namespace phasor
