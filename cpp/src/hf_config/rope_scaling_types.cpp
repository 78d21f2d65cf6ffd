// The keys of each rope_scaling type follow modeling_rope_utils.py of transformers 4.57 and 5;
// comments name the model of other keys.

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

void RopeReader::set_word(const char* name, const char* word) { params[name] = std::string(word); }

void RopeReader::set_list(const char* name, const char* key, const Tensor& list) {
  params[name] = list;
  keys[name] = rope.path + key;
}

bool RopeReader::take(const char* name, ConfigMap& from, const char* key) {
  const double* value = from.number(key);
  if (value) set(name, *value, from, key);
  return value != nullptr;
}

const double* positive(ConfigMap& from, const char* key, double maximum) {
  const double* value = from.number(key);
  if (value && !(*value > 0 && *value <= maximum)) {
    from.fail(invalid("{}{}: {} is not above 0 and at most {}", from.path, key, *value, maximum));
  }
  return value;
}

const double* multiple(ConfigMap& from, const char* key, int of, double maximum) {
  const double* value = from.number(key);
  if (value && !(*value >= 2 && *value <= maximum && *value / of == std::floor(*value / of))) {
    from.fail(invalid("{}{}: {} is not {} number from {}", from.path, key, *value,
                      of == 1 ? "a whole" : "an even", Range{2, maximum}));
  }
  return value;
}

namespace {

struct Setting {
  const char* name;
  double value;
};

void set_all(RopeReader& r, const char* scaling, std::span<const Setting> settings) {
  r.set_word("scaling", scaling);
  for (const Setting& setting : settings) r.params[setting.name] = setting.value;
}

}  // namespace

void scale_gpt_oss(RopeReader& r) {
  static constexpr Setting kSettings[] = {{"factor", 32}, {"original_length", 4096}};
  set_all(r, "yarn", kSettings);
  r.params["truncate"] = false;
}

void scale_apertus(RopeReader& r) {
  static constexpr Setting kSettings[] = {
      {"factor", 8}, {"original_length", 8192}, {"low_freq_factor", 1}, {"high_freq_factor", 4}};
  set_all(r, "llama3", kSettings);
}

void scale_cwm(RopeReader& r) {
  static constexpr Setting kSettings[] = {
      {"factor", 16}, {"original_length", 8192}, {"low_freq_factor", 1}, {"high_freq_factor", 4}};
  set_all(r, "llama3", kSettings);
}

void scale_higgs(RopeReader& r) {
  static constexpr Setting kSettings[] = {{"factor", 32},
                                          {"original_length", 1024},
                                          {"low_freq_factor", 0.125},
                                          {"high_freq_factor", 0.5}};
  set_all(r, "llama3", kSettings);
}

void scale_gemma4(RopeReader& r) { r.params["kept_fraction"] = 0.25; }
void scale_lfm3(RopeReader& r) { r.params["kept_fraction"] = 0.5; }

void scale_ministral3(RopeReader& r) {
  static constexpr Setting kSettings[] = {
      {"factor", 16}, {"original_length", 16384}, {"mscale", 1}, {"mscale_all_dim", 1}};
  set_all(r, "yarn", kSettings);
}

void scale_mistral4(RopeReader& r) {
  static constexpr Setting kSettings[] = {
      {"factor", 128}, {"original_length", 8192}, {"mscale", 1}, {"mscale_all_dim", 1}};
  set_all(r, "yarn", kSettings);
}

namespace {

constexpr const char* kOriginal = "original_max_position_embeddings";

void need(RopeReader& r, const char* name, const char* type) {
  r.rope.require(name, type);
  r.take(name, r.rope, name);
}

// Sets a parameter unless the key is 0, which means "not set".
void take_unless_0(RopeReader& r, const char* name) {
  if (r.rope.number(name, 0) != 0) r.take(name, r.rope, name);
}

// In the encoding, 0 means the default factor; in a file, 0 would set all scores to 0.
void take_attention_factor(RopeReader& r, const char* key) {
  positive(r.rope, key, 1000);
  r.take("attention_factor", r.rope, key);
}

const double* length(ConfigMap& from, const char* key) {
  return multiple(from, key, 1, kMaxPosition);
}

// The first of the two lengths; reads both, so that both count as known.
const double* original_length(RopeReader& r) {
  const double *own = length(r.rope, kOriginal), *of_model = length(r.model, kOriginal);
  return own ? own : of_model;
}

const double* longest_length(RopeReader& r) { return length(r.model, "max_position_embeddings"); }

void need_length(RopeReader& r, const double* length, const char* type) {
  if (length) {
    r.params["original_length"] = *length;
  } else {
    r.rope.fail(
        invalid("{}{}: the key is missing; {} needs it, or the model's max_position_embeddings",
                r.rope.path, kOriginal, type));
  }
}

void set_sequence_length(RopeReader& r) {
  if (r.options.sequence_length > 0) r.params["sequence_length"] = r.options.sequence_length;
}

void read_linear(RopeReader& r) { need(r, "factor", "linear"); }

void read_dynamic(RopeReader& r) {
  need(r, "factor", "dynamic");
  const double *alpha = r.rope.number("alpha"), *original = original_length(r);
  // HunYuan: a fixed base * alpha^(d/(d-2)); it repeats keys of yarn, which it does not use
  if (alpha && *alpha != 0) {
    for (const char* unused : {"beta_fast", "beta_slow", "mscale", "mscale_all_dim"})
      r.rope.number(unused);
    r.set_word("scaling", "ntk_aware");
    r.take("factor", r.rope, "alpha");
    return;
  }
  const double* longest = longest_length(r);
  need_length(r, longest ? longest : original, "dynamic");
  set_sequence_length(r);
}

void read_yarn(RopeReader& r) {
  const bool given = r.take("factor", r.rope, "factor");
  const double *original = original_length(r), *longest = longest_length(r);
  need_length(r, original ? original : longest, "yarn");
  if (!given && original && longest && *longest >= *original) {
    r.set("factor", *longest / *original, r.model, "max_position_embeddings");
  } else {
    r.rope.require("factor", "yarn");
  }
  take_attention_factor(r, "attention_factor");
  for (const char* name : {"beta_fast", "beta_slow", "mscale", "mscale_all_dim"})
    take_unless_0(r, name);
  if (const bool* truncate = r.rope.boolean("truncate")) r.params["truncate"] = *truncate;
  r.rope.boolean("finetuned");  // an informational key of the first YaRN checkpoints
  // layers_from_config reads llama_4_scaling_beta; max_position_embeddings is the model's length.
  r.rope.number("llama_4_scaling_beta");
  r.rope.number("max_position_embeddings");
}

void read_longrope(RopeReader& r) {
  for (const char* name : {"short_factor", "long_factor"}) {
    if (!r.rope.has(name))
      r.rope.fail(invalid("{}{}: the key is missing; longrope needs it", r.rope.path, name));
    if (const Tensor* list = r.rope.list(name)) r.set_list(name, name, *list);
  }
  const double *original = original_length(r), *longest = longest_length(r);
  need_length(r, original ? original : longest, "longrope");
  take_attention_factor(r, "attention_factor");
  // Phi-3.5-MoE has one attention factor per range.
  const bool beyond = r.options.sequence_length > (original ? *original : longest ? *longest : 0);
  for (const char* key : {"short_mscale", "long_mscale"}) r.rope.number(key);
  take_attention_factor(r, beyond ? "long_mscale" : "short_mscale");
  const bool given = r.take("factor", r.rope, "factor");
  if (original && longest) {
    r.set("max_length", *longest, r.model, "max_position_embeddings");
  } else if (!given && !r.params.contains("attention_factor")) {
    r.rope.require("factor", "longrope without the lengths before and after extension");
  }
  set_sequence_length(r);
}

void read_llama3(RopeReader& r) {
  for (const char* name : {"factor", "low_freq_factor", "high_freq_factor"})
    need(r, name, "llama3");
  r.rope.require(kOriginal, "llama3");
  if (const double* original = length(r.rope, kOriginal)) r.params["original_length"] = *original;
}

void read_proportional(RopeReader& r) {
  if (r.rope.number("factor", 1) == 1) return;
  r.set_word("scaling", "linear");
  r.take("factor", r.rope, "factor");
}

constexpr ChoiceList kNames =
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
static_assert(kNames.count() == static_cast<int>(std::size(kTypes)));

}  // namespace

Status find_rope_type(ConfigMap& rope, std::string_view& name, const RopeType*& out) {
  const std::string *legacy = rope.string("type"), *given = rope.string("rope_type");
  PHASOR_TRY(rope.status());
  const bool trivial = std::all_of(rope.entries.begin(), rope.entries.end(), [](const auto& entry) {
    return entry.first == "rope_theta" || entry.first == "partial_rotary_factor" ||
           std::string_view(entry.first).starts_with("mrope_");
  });
  if (!given && !legacy && !trivial) {
    return invalid("{}rope_type: the key is missing; it is one of {}", rope.path, kNames);
  }
  name = "default";
  if (given || legacy) name = given ? *given : *legacy;
  const int index = kNames.find(name);
  if (index < 0)
    return unknown("{}{}: \"{}\" is unknown; expected one of {}", rope.path,
                   given ? "rope_type" : "type", name, kNames);
  out = &kTypes[index];
  return {};
}

}  // namespace phasor
