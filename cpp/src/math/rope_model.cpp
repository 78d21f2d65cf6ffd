// Which keys each type of rope_scaling has follows modeling_rope_utils.py of transformers 4.57 and 5; where a model adds its
// own, this is said at the key.

#include "phasor/rope_model.h"

#include <algorithm>
#include <optional>
#include <string_view>

#include "math/dictionary.h"
#include "math/rope_dictionary.h"
#include "math/sentence.h"

namespace phasor {

namespace {

struct Reading {
  Dictionary& model;
  Dictionary& rope;
  const RopeModelOptions& options;
  Params& params;

  [[gnu::noinline]] void set(const char* name, std::optional<double> value) {
    if (value) params[name] = *value;
  }
  [[gnu::noinline]] void set_word(const char* name, const char* word) { params[name] = std::string(word); }
  // Keys for which 0 means "not given".
  void set_positive(const char* name) {
    if (const std::optional<double> value = rope.number(name); value && *value != 0) set(name, value);
  }
  // The first of the two lengths; both are asked for, so that both are known.
  std::optional<double> original_length() {
    const std::optional<double> own = rope.number("original_max_position_embeddings");
    const std::optional<double> of_model = model.number("original_max_position_embeddings");
    return own ? own : of_model;
  }
  void need_length(std::optional<double> length, const char* type) {
    if (length) {
      set("original_length", length);
    } else {
      rope.fail(invalid("{}original_max_position_embeddings: the key is missing; {} needs it, or the model's max_position_embeddings",
                        rope.path, type));
    }
  }
  void set_sequence_length() {
    if (options.sequence_length > 0) set("sequence_length", options.sequence_length);
  }
};

void read_linear(Reading& r) { r.set("factor", r.rope.needed("factor", "linear")); }

void read_dynamic(Reading& r) {
  const double factor = r.rope.needed("factor", "dynamic");
  const std::optional<double> alpha = r.rope.number("alpha"), original = r.original_length();
  if (alpha && *alpha != 0) {  // HunYuan: a fixed base * alpha^(d/(d-2)); it repeats keys of yarn, which it does not use
    for (const char* unused : {"beta_fast", "beta_slow", "mscale", "mscale_all_dim"}) r.rope.number(unused);
    r.set_word("scaling", "ntk_aware");
    r.set("factor", alpha);
    return;
  }
  r.set("factor", factor);
  const std::optional<double> longest = r.model.number("max_position_embeddings");
  r.need_length(longest ? longest : original, "dynamic");
  r.set_sequence_length();
}

void read_yarn(Reading& r) {
  const std::optional<double> factor = r.rope.number("factor"), original = r.original_length(),
                              longest = r.model.number("max_position_embeddings");
  r.need_length(original ? original : longest, "yarn");
  if (factor) {
    r.set("factor", factor);
  } else if (original && longest && *original > 0) {
    r.set("factor", *longest / *original);
  } else {
    r.rope.needed("factor", "yarn");
  }
  for (const char* name : {"attention_factor", "beta_fast", "beta_slow", "mscale", "mscale_all_dim"}) r.set_positive(name);
  if (const std::optional<bool> truncate = r.rope.boolean("truncate")) r.params["truncate"] = *truncate;
  r.rope.boolean("finetuned");  // a note in the first published models
}

void read_longrope(Reading& r) {
  for (const char* name : {"short_factor", "long_factor"}) {
    if (!r.rope.has(name)) r.rope.fail(invalid("{}{}: the key is missing; longrope needs it", r.rope.path, name));
    if (const std::optional<Tensor> list = r.rope.list(name)) r.params[name] = *list;
  }
  const std::optional<double> factor = r.rope.number("factor"), original = r.original_length(),
                              longest = r.model.number("max_position_embeddings");
  r.need_length(original ? original : longest, "longrope");
  r.set_positive("attention_factor");
  // Phi-3.5-MoE gives the attention factor of each range itself.
  const bool beyond = r.options.sequence_length > original.value_or(longest.value_or(0));
  const std::optional<double> below_scale = r.rope.number("short_mscale"), beyond_scale = r.rope.number("long_mscale");
  if (const std::optional<double> scale = beyond ? beyond_scale : below_scale) r.set("attention_factor", scale);
  if (original && longest) {
    r.set("max_length", longest);
  } else if (factor) {
    r.set("factor", factor);
  } else if (!r.params.contains("attention_factor")) {
    r.rope.needed("factor", "longrope without the lengths before and after extension");
  }
  r.set_sequence_length();
}

void read_llama3(Reading& r) {
  for (const char* name : {"factor", "low_freq_factor", "high_freq_factor"}) r.set(name, r.rope.needed(name, "llama3"));
  r.set("original_length", r.rope.needed("original_max_position_embeddings", "llama3"));
}

void read_proportional(Reading& r) {
  const std::optional<double> factor = r.rope.number("factor");
  if (!factor || *factor == 1) return;
  r.set_word("scaling", "linear");
  r.set("factor", factor);
}

struct Type {
  const char* name;     // rope_type of the file
  const char* scaling;  // of the encoding
  void (*read)(Reading&);
};
constexpr Type kTypes[] = {
    {"default", "none", nullptr},
    {"mrope", "none", nullptr},
    {"linear", "linear", read_linear},
    {"dynamic", "dynamic_ntk", read_dynamic},
    {"yarn", "yarn", read_yarn},
    {"longrope", "longrope", read_longrope},
    {"su", "longrope", read_longrope},
    {"llama3", "llama3", read_llama3},
    {"proportional", "none", read_proportional},
};

std::string type_names() {
  std::vector<std::string> names;
  for (const Type& type : kTypes) names.push_back(type.name);
  return joined(names);
}

Status read_type(Dictionary& rope, std::string& name, const Type*& out) {
  const std::optional<std::string> legacy = rope.word("type"), given = rope.word("rope_type");
  PHASOR_TRY(rope.status());
  const bool trivial = std::all_of(rope.entries.begin(), rope.entries.end(), [](const auto& entry) {
    return entry.first == "rope_theta" || entry.first == "partial_rotary_factor" || entry.first.rfind("mrope_", 0) == 0;
  });
  if (!given && !legacy && !trivial) {
    return invalid("{}rope_type: the key is missing; it is one of {}", rope.path, type_names());
  }
  name = given ? *given : legacy.value_or("default");
  for (const Type& type : kTypes) {
    if (name == type.name) {
      out = &type;
      return {};
    }
  }
  return unknown("{}{}: \"{}\" is unknown; there are {}", rope.path, given ? "rope_type" : "type", name, type_names());
}

// Families whose code turns neighbouring channels.
bool is_interleaved(Dictionary& model) {
  static constexpr Words families = "codegen, cohere, cohere2, deepseek_v2, deepseek_v3, glm, glm4, gptj, llama4, llama4_text, roformer";
  const std::optional<std::string> family = model.word("model_type");
  return model.boolean("rope_interleave").value_or(family && families.find(*family) >= 0);
}

// How many channels are turned. In the type proportional the same key says how many pairs keep turning.
void read_partial(Reading& r, bool proportional) {
  const std::optional<double> own = r.rope.number("partial_rotary_factor"), of_model = r.model.number("partial_rotary_factor"),
                              neox = r.model.number("rotary_pct"), gptj = r.model.number("rotary_dim");
  const std::optional<double> share = own ? own : of_model ? of_model : neox;
  r.set(proportional ? "kept_fraction" : "rotary_fraction", share);
  if (!share) r.set("rotary_width", gptj);
}

// Gemma 3 before version 5: the layers with a window have a base of their own and no scaling.
bool read_local(const RopeModelOptions& options, Dictionary& model, Params& params) {
  const std::optional<double> local = model.number("rope_local_base_freq");
  if (options.layer_type != "sliding_attention" || !local) return false;
  params["base"] = *local;
  return true;
}

}  // namespace

Result<EncodingConfig> read_rope_model(const Params& file, const RopeModelOptions& options) {
  return Result<EncodingConfig>::from([&](EncodingConfig& out) -> Status {
    Dictionary model, rope;
    PHASOR_TRY(find_rope_dictionary(file, options.layer_type, model, rope));
    EncodingConfig config{.id = "rope", .params = {{"layout", std::string(is_interleaved(model) ? "interleaved" : "half_split")}}};
    if (!read_local(options, model, config.params)) {
      std::string name;
      const Type* type = nullptr;
      PHASOR_TRY(read_type(rope, name, type));
      Reading reading{model, rope, options, config.params};
      const std::optional<double> own_base = rope.number("rope_theta"), base = model.number("rope_theta"),
                                  neox_base = model.number("rotary_emb_base");
      reading.set("base", own_base ? own_base : base ? base : neox_base.value_or(10000));
      reading.set_word("scaling", type->scaling);
      read_partial(reading, name == "proportional");
      if (type->read != nullptr) type->read(reading);
      const std::optional<Tensor> sections = rope.list("mrope_section");
      const std::optional<bool> interleaved = rope.boolean("mrope_interleaved");
      if (sections) {
        config.id = "mrope";
        config.params["sections"] = *sections;
        reading.set_word("arrangement", interleaved.value_or(false) ? "interleaved" : "contiguous");
      } else if (name == "mrope") {
        return invalid("{}mrope_section: the key is missing; mrope needs it", rope.path);
      }
      PHASOR_TRY(rope.status());
      PHASOR_TRY(rope.unknown(name));
    }
    PHASOR_TRY(model.status());
    out = std::move(config);
    return {};
  });
}

}  // namespace phasor
