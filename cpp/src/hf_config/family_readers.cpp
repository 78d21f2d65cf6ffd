// GPT-Neo does not scale its scores. Falcon adds ALiBi before scaling, with slopes and biases in
// bfloat16; read_falcon rounds the slopes but not the biases. MPT in transformers ignores
// alibi_bias_max, but the authors' code reads it (8 in all published files).

#include "hf_config/family_readers.h"

#include <cmath>
#include <utility>

#include "core/format_error.h"
#include "hf_config/rope_layers.h"
#include "hf_config/rope_reader.h"
#include "hf_config/rope_scaling_types.h"
#include "phasor/relative_position.h"

namespace phasor {

void ConfigReader::set(const char* name, ParamValue value) {
  out.encoding.params[name] = std::move(value);
}

void ConfigReader::set(const char* name, const char* choice) {
  set(name, ParamValue(std::string(choice)));
}

double& ConfigReader::numeric_param(const char* name) {
  return *std::get_if<double>(&out.encoding.params.at(name));
}

void ConfigReader::set_from(const char* name, const KeyWithDefault& from) {
  constexpr const char* kAlias = "max_position_embeddings";  // in some GPT-2 files
  const bool has_alias = std::string_view(from.key) == "n_positions" && model.has(kAlias);
  const char* const key = has_alias ? kAlias : from.key;
  const double number = model.get_or(key, from.default_value);
  set(name, number == -1 ? 0 : number);
  keys[name] = model.path + key;
}

double ConfigReader::get_with_alias(const char* key, const char* alias, double default_value) {
  return model.get_or(model.has(alias) ? alias : key, default_value);
}

Status ConfigReader::validate() {
  PHASOR_TRY(model.status());
  return check_encoding(out.encoding, {.dim = 4, .heads = heads}, keys);
}

Status reject_key(const ConfigMap& model, std::string_view key, std::string_view problem,
                  std::string_view detail) {
  const ParamValue* value = model.entries.find(key);
  if (value == nullptr)
    return invalid("{}{}: the key is missing{}{}", model.path, key, problem, detail);
  return invalid("{}{}: {}{}{}", model.path, key, *value, problem, detail);
}

Status read_none(ConfigReader& r, const Family&) {
  r.out.encoding.id = "none";
  return r.validate();
}

Status read_learned(ConfigReader& r, const Family& family) {
  r.out.encoding.id = "learned";
  r.set_from("max_length", family.length);
  if (family.starts_after_padding) r.set_from("row_offset", family.padding_row);
  PHASOR_TRY(r.validate());
  if (family.row_offset > 0) {
    r.set("row_offset", family.row_offset);
    r.numeric_param("max_length") += family.row_offset;
  }
  if (family.starts_after_padding) r.numeric_param("row_offset") += 1;
  return {};
}

Status read_gpt_bigcode(ConfigReader& r, const Family& family) {
  if (!r.model.boolean("scale_attn_weights", true)) r.out.scale = 1;
  return read_learned(r, family);
}

// If scale_attn_weights is false, scores are not scaled. If scale_attn_by_inverse_layer_idx is
// true, they are divided by the layer index + 1.
Status read_gpt2(ConfigReader& r, const Family& family) {
  const bool is_unscaled = !r.model.boolean("scale_attn_weights", true);
  const bool divides_by_layer = r.model.boolean("scale_attn_by_inverse_layer_idx", false);
  if (is_unscaled || divides_by_layer) {
    r.out.scale = is_unscaled ? 1
                              : std::sqrt(r.get_with_alias("n_head", "num_attention_heads", 12) /
                                          r.get_with_alias("n_embd", "hidden_size", 768));
  }
  if (divides_by_layer) {
    PHASOR_TRY(check_layer_idx(r.options.layer_idx,
                               r.model.has("n_layer") ? r.model.number("n_layer", 0) : 0, true));
    r.out.scale = *r.out.scale / (1 + *r.options.layer_idx);
  }
  return read_learned(r, family);
}

Status read_alibi(ConfigReader& r, const Family&) {
  r.out.encoding.id = "alibi";
  // Marks the keys for the number of heads as known, because the slopes depend on it.
  for (const char* key : {"n_head", "num_attention_heads", "n_heads"}) r.model.number(key);
  return r.validate();
}

Status read_bloom(ConfigReader& r, const Family& family) {
  r.set("form", "row_shifted");
  return read_alibi(r, family);
}

Status read_falcon(ConfigReader& r, const Family& family) {
  const double count = r.get_with_alias("num_attention_heads", "n_head", 71);
  const double hidden_size = r.get_with_alias("hidden_size", "n_embed", 4544),
               head_dim = hidden_size / count;
  PHASOR_TRY(r.model.status());
  if (!(count >= 1 && count <= kMaxExtent && count == std::floor(count) && head_dim >= 1 &&
        head_dim == std::floor(head_dim))) {
    const char* const key = r.model.has("n_head") ? "n_head" : "num_attention_heads";
    return invalid("{}{}: {} is not a whole number of at most {} that divides hidden_size, {}",
                   r.model.path, key, count, kMaxExtent, hidden_size);
  }
  r.heads = static_cast<int>(count);
  Tensor slopes({r.heads});
  for (int h = 0; const double slope : *alibi_slopes(r.heads)) {
    // Veltkamp splitting rounds each slope to the 8 significant bits of bfloat16.
    const double product = slope * (0x1p45 + 1);
    slopes.data[static_cast<std::size_t>(h++)] =
        static_cast<float>((product - (product - slope)) / std::sqrt(head_dim));
  }
  PHASOR_TRY(read_bloom(r, family));
  r.set("slopes", std::move(slopes));
  return r.validate();
}

Status read_mpt(ConfigReader& r, const Family& family) {
  r.set("form", "mpt");
  r.set_from("max_seq_len", family.length);
  r.set_from("bias_max", {"attn_config.alibi_bias_max", 8});
  if (const double* scale = read_positive(r.model, "attn_config.softmax_scale", kMaxExtent))
    r.out.scale = *scale;
  return read_alibi(r, family);
}

Status read_t5(ConfigReader& r, const Family&) {
  r.out.encoding.id = "t5";
  r.set_from("num_buckets", {"relative_attention_num_buckets", 32});
  r.set_from("max_distance", {"relative_attention_max_distance", 128});
  PHASOR_TRY(r.validate());
  r.set("bidirectional", r.options.stack == "encoder");
  return {};
}

// Unlike T5, MPNet divides scores by sqrt(head_dim) and adds a learned table to the embeddings.
Status read_mpnet(ConfigReader& r, const Family& family) {
  PHASOR_TRY(read_learned(r, family));
  r.out.added = std::exchange(r.out.encoding, {});
  r.keys = {};
  r.out.encoding.id = "t5";
  r.set_from("num_buckets", {"relative_attention_num_buckets", 32});
  PHASOR_TRY(r.validate());
  r.set("max_distance", 128.0);
  r.set("bidirectional", true);
  r.out.scale = std::sqrt(r.get_with_alias("num_attention_heads", "n_head", 12) /
                          r.get_with_alias("hidden_size", "n_embd", 768));
  return r.model.status();
}

Status read_sinusoids(ConfigReader& r, const Family& family) {
  r.out.encoding.id = "sinusoidal";
  r.set("layout", "concatenated");
  r.set("frequencies", family.frequencies);
  if (family.starts_after_padding) r.set_from("padding_idx", family.padding_row);
  PHASOR_TRY(r.validate());
  if (family.position_id_mode == PositionIdMode::fairseq) {
    r.out.padding_idx = static_cast<int>(r.numeric_param("padding_idx"));
    r.out.position_offset = r.out.padding_idx + 1;
  }
  return {};
}

Status read_relative_key(ConfigReader& r, const Family& family) {
  r.out.encoding.id = "shaw";
  r.set_from("clip", family.length);
  r.set("direction", "left_positive");
  PHASOR_TRY(r.validate());
  r.numeric_param("clip") -= 1;  // the table has 2 clip + 1 = 2 length - 1 rows
  r.set("values", false);
  return {};
}

// If relative_attention is false and position_biased_input is true, DeBERTa uses BERT's learned
// table. Published files set relative_attention to true and position_biased_input to false.
Status read_deberta(ConfigReader& r, const Family& family) {
  const bool has_relative_attention = r.model.boolean("relative_attention", false);
  const bool adds_table = r.model.boolean("position_biased_input", true);
  const std::string_view types = r.model.string_or_none("pos_att_type");
  PHASOR_TRY(r.model.status());
  if (!has_relative_attention && adds_table) {
    Family bert_family = family;
    bert_family.length = {"max_position_embeddings", 512};
    return read_learned(r, bert_family);
  }
  r.out.encoding.id = "deberta";
  r.set_from("max_relative_positions", {"max_relative_positions", 0});
  if (family.length.key != nullptr) {
    r.set_from("position_buckets", family.length);
  } else {
    r.set("position_buckets", 0.0);
  }
  const bool has_c2p = types.find("c2p") != types.npos, has_p2c = types.find("p2c") != types.npos;
  if (!(has_c2p || has_p2c) || !has_relative_attention || adds_table) {
    PHASOR_TRY(r.model.status());
    return reject_key(r.model, "relative_attention",
                      "; expected true, with pos_att_type and without position_biased_input");
  }
  r.set("terms", has_c2p && has_p2c ? "c2p_p2c" : has_c2p ? "c2p" : "p2c");
  if (r.numeric_param("max_relative_positions") == 0)
    r.set_from("max_relative_positions", {"max_position_embeddings", 512});
  return r.validate();
}

Status read_transformer_xl(ConfigReader& r, const Family& family) {
  r.out.encoding.id = "transformer_xl";
  r.set_from("clamp_len", family.length);
  return r.validate();
}

}  // namespace phasor
