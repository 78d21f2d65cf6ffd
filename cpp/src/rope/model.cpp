// Where a file says what the encoding needs, and whether what it says makes one.

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "phasor/positions.h"
#include "phasor/registry.h"
#include "phasor/rope_model.h"
#include "rope/family.h"
#include "rope/read_rope.h"
#include "rope/rope_dictionary.h"
#include "rope/scaling_type.h"

namespace phasor {

namespace {

// How many channels are turned, as a parameter that is not set yet.
struct RotatedPart {
  const char* name = nullptr;
  double value = 0;
};

[[gnu::noinline]] void set_rotated_part(const RotatedPart& turned, Params& params) {
  if (turned.name != nullptr) params[turned.name] = turned.value;
}

// In the type proportional the same key says how many pairs keep turning.
RotatedPart read_partial(RopeReading& r, const RopeFamily& family, bool proportional) {
  RotatedPart turned;
  const auto take = [&](const char* name, double value, const Dictionary& from, const char* key) {
    turned = {name, value};
    r.keys[name] = from.path + key;
  };
  const auto take_share = [&](Dictionary& from, const char* key) {
    const double* share = positive(from, key, 1);
    if (!share) return false;
    take(proportional ? "kept_fraction" : "rotary_fraction", *share, from, key);
    return true;
  };
  const double* width = multiple(r.model, "rotary_dim", 2, kMaxExtent);
  for (Dictionary* from : {&r.rope, &r.model}) {
    if (take_share(*from, "partial_rotary_factor")) return turned;
  }
  if (take_share(r.model, "rotary_pct")) return turned;
  const double rotary = width ? *width : family.rotary;
  if (rotary != 1) {
    const bool share = rotary < 1;
    if (!width) r.model.assume(share ? "partial_rotary_factor" : "rotary_dim", rotary);
    take(share ? "rotary_fraction" : "rotary_width", rotary, r.model, share ? "partial_rotary_factor" : "rotary_dim");
  }
  return turned;
}

void read_base(RopeReading& r, double default_value) {
  r.params["base"] = default_value;
  // The one that wins comes last.
  for (const char* key : {"attn_config.rope_theta", "rotary_emb_base", "rope_theta"}) r.take("base", r.model, key);
  r.take("base", r.rope, "rope_theta");
  if (!r.keys.contains("base")) r.model.assume("rope_theta", default_value);
}

// Some families have layers with a window whose base is their own, and which are not scaled. Version 4 writes that base beside what is
// said of all others, version 5 a dictionary for each kind of layer.
Status read_local(RopeReading& r, double default_value, bool& local) {
  local = false;
  const std::string& layer = r.options.layer_type;
  if (!layer.empty() && r.rope.path.ends_with(layer + ".")) return {};
  const bool given = r.take("base", r.model, "rope_local_base_freq");
  if (!given && default_value == 0) return {};
  if (!given) {
    r.params["base"] = default_value;
    r.model.assume("rope_local_base_freq", default_value);
  }
  PHASOR_TRY(check_layer(layer, "full_attention, sliding_attention"));
  local = layer == "sliding_attention";
  return {};
}

Status read_sections(RopeReading& r, std::string_view type, EncodingConfig& config) {
  const Tensor* sections = r.rope.list("mrope_section");
  const bool interleaved = r.rope.boolean("mrope_interleaved", false);
  if (sections) {
    config.id = "mrope";
    r.set_list("sections", "mrope_section", *sections);
    r.set_word("arrangement", interleaved ? "interleaved" : "contiguous");
    return {};
  }
  return type == "mrope" ? invalid("{}mrope_section: the key is missing; mrope needs it", r.rope.path) : Status();
}

// How many pairs lists of one number a pair are made for; any number where there are none.
int pairs_of(const Params& params) {
  if (const ParamValue* factors = params.find("short_factor")) return std::max(1, static_cast<int>(std::get<Tensor>(*factors).data.size()));
  double sum = 0;
  if (const ParamValue* sections = params.find("sections")) {
    for (const float section : std::get<Tensor>(*sections).data) sum += static_cast<double>(section);
  }
  return sum >= 1 && sum <= kMaxExtent / 2 ? static_cast<int>(sum) : 1;
}

}  // namespace

Status check_encoding(const EncodingConfig& config, const Geometry& geometry, const Params& keys) {
  Status status = create(config, geometry).status();
  for (const auto& [name, key] : keys) status = renamed(std::move(status), name, std::get<std::string>(key));
  return status;
}

Status check_sequence_length(double length) {
  PHASOR_TRY(check_range(argument("sequence_length"), length, 0, kMaxPosition));
  if (length == std::floor(length)) return {};
  return invalid("{}: {} is not a whole number", argument("sequence_length"), length);
}

Status read_rope(const Params& file, const RopeModelOptions& options, Dictionary& model, Dictionary& rope, EncodingConfig& config) {
  PHASOR_TRY(check_sequence_length(options.sequence_length));
  PHASOR_TRY(find_rope_dictionary(file, options.layer_type, model, rope));
  const std::string_view name_of_family = model.word_or_none("model_type");
  static constexpr RopeFamily kOther;
  const RopeFamily* known = find_rope_family(name_of_family);
  const RopeFamily& family = known != nullptr ? *known : kOther;
  const bool interleaved = model.boolean("rope_interleave", family.interleaved);
  config.id = "rope";
  RopeReading reading{model, rope, options, config.params};
  reading.set_word("layout", interleaved ? "interleaved" : "half_split");
  RotatedPart turned;
  bool local = false;
  PHASOR_TRY(read_local(reading, family.local_base, local));
  if (!local) {
    const RopeType* type = nullptr;
    std::string_view name;
    PHASOR_TRY(find_rope_type(rope, name, type));
    // Here layers with a window have a dictionary of their own.
    const bool window = options.layer_type == "sliding_attention" && family.local_base > 0;
    read_base(reading, window ? family.local_base : family.base);
    reading.set_word("scaling", type->scaling);
    turned = read_partial(reading, family, name == "proportional");
    if (type->read != nullptr) type->read(reading);
    if (name_of_family == "gpt_oss" && rope.entries.empty()) {  // the only family that is scaled unless it says otherwise
      reading.set_word("scaling", "yarn");
      reading.set("factor", 32, rope, "factor");
      reading.set("original_length", 4096, rope, "original_max_position_embeddings");
      config.params["truncate"] = false;
    }
    PHASOR_TRY(read_sections(reading, name, config));
    PHASOR_TRY(rope.status());
    PHASOR_TRY(rope.unknown(name));
  }
  // Models with latent attention turn a part of each head that they keep apart.
  const double *head = multiple(model, "head_dim", 2, kMaxExtent), *apart = multiple(model, "qk_rope_head_dim", 2, kMaxExtent);
  const double* width = apart ? apart : head;
  PHASOR_TRY(model.status());
  // Where the width of a head is not said, the channels that turn stand for one.
  if (width) set_rotated_part(turned, config.params);
  PHASOR_TRY(check_encoding(config, {.width = width ? static_cast<int>(*width) : 2 * pairs_of(config.params)}, reading.keys));
  set_rotated_part(turned, config.params);
  return {};
}

Result<EncodingConfig> read_rope_model(const Params& file, const RopeModelOptions& options) {
  return Result<EncodingConfig>::from([&](EncodingConfig& config) {
    Dictionary model, rope;
    return read_rope(file, options, model, rope, config);
  });
}

}  // namespace phasor
