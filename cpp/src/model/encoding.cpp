// Which kind of positions a config.json is about, that it is about no other, and what it says of them. Three surprises: GPT-Neo does
// not scale its scores; Falcon adds ALiBi before they are scaled, with slopes in bfloat16 (and rounds the bias to it too, which is not
// done here); MPT's code in transformers takes 8 for alibi_bias_max whatever the file says, and the authors' code, which is followed
// here, what the file says (all published ones: 8).

#include <algorithm>
#include <cmath>

#include "core/format_error.h"
#include "model/family.h"
#include "phasor/model_encoding.h"
#include "phasor/relative.h"
#include "rope/family.h"
#include "rope/read_rope.h"
#include "rope/rope_dictionary.h"
#include "rope/scaling_type.h"

namespace phasor {

namespace {

[[gnu::noinline]] Status refuse(const Dictionary& model, std::string_view key, std::string_view why, std::string_view more = {}) {
  const ParamValue* value = model.entries.find(key);
  const std::string said = value != nullptr ? to_words(*value) : "the key is missing";
  return invalid("{}{}: {}{}{}", model.path, key, said, why, more);
}

Status contradiction(const Dictionary& model, std::string_view key, std::string_view other) {
  return refuse(model, key, "; a model has one kind of positions, and this is not that of ", other);
}

struct ModelReading {
  Dictionary& model;
  const ModelEncodingOptions& options;
  ModelEncoding& out;
  Params keys{};  // by parameter: the path of the key it came from, a text that sentences name
  int heads = 1;
  double row_offset = 0;

  [[gnu::noinline]] void set(std::string_view name, ParamValue value) { out.encoding.params[name] = std::move(value); }
  [[gnu::noinline]] double& number(const char* name) { return *std::get_if<double>(&out.encoding.params.at(name)); }
  [[gnu::noinline]] bool flag(const char* key, bool default_value) { return model.boolean(key, default_value); }
  // Families have two names for one key.
  [[gnu::noinline]] double either(const char* key, const char* alias, double default_value) {
    return model.number_or(model.has(alias) ? alias : key, default_value);
  }

  // name=word, name=number or name=key:default
  [[gnu::noinline]] void read_item(std::string_view item) {
    const std::size_t middle = item.find('=') + 1, colon = std::min(item.find(':'), item.size());
    const std::string_view name = item.substr(0, middle - 1);
    std::string_view value = item.substr(middle, colon - middle);
    const bool has_key = colon < item.size();
    if (!has_key && value[0] > '9') {
      if (name != "padding") return set(name, std::string(value));
      out.position_id_mode = static_cast<PositionIdMode>(Words("fairseq, opt, bloom").find(value));
      return;
    }
    double number = 0;
    for (const char c : item.substr(has_key ? colon + 1 : middle)) number = 10 * number + (c - '0');
    if (has_key) {
      constexpr const char* kOther = "max_position_embeddings";  // of GPT-2
      if (value == "n_positions" && model.has(kOther)) value = kOther;
      number = model.number_or(value, number);
      if (number == -1) number = 0;  // says none
      keys[name] = model.path + std::string(value);
    }
    if (name == "scale") {
      out.scale = number;
    } else if (name == "offset") {
      out.offset = number;
    } else if (name == "row_offset" && !has_key) {
      row_offset = number;
    } else {
      set(name, number);
    }
  }

  // GPT-2's, in every layer or in the one that is meant.
  void read_scale() {
    const bool unscaled = !flag("scale_attn_weights", true), by_layer = flag("scale_attn_by_inverse_layer_idx", false);
    if (!unscaled && !by_layer) return;
    out.scale = unscaled ? 1 : std::sqrt(either("n_head", "num_attention_heads", 12) / either("n_embd", "hidden_size", 768));
    if (!by_layer) return;
    if (!options.layer_idx) model.fail(refuse(model, "scale_attn_by_inverse_layer_idx", ", which needs ", spelled(argument("layer_idx"))));
    out.scale = *out.scale / (1 + options.layer_idx.value_or(0));
  }

  void read_falcon() {
    const double count = either("num_attention_heads", "n_head", 71), width = std::floor(either("hidden_size", "n_embed", 4544) / count);
    if (!(count >= 1 && count <= kMaxExtent && width >= 1)) return model.fail(refuse(model, "num_attention_heads", " is out of range"));
    heads = static_cast<int>(count);
    Tensor slopes({heads});
    for (int h = 0; const double slope : alibi_slopes(heads)) {
      // Eight digits are left of each (Veltkamp's splitting).
      const double moved = slope * (0x1p45 + 1);
      slopes.data[static_cast<std::size_t>(h++)] = static_cast<float>((moved - (moved - slope)) / std::sqrt(width));
    }
    set("slopes", std::move(slopes));
  }

  void read_deberta() {
    const std::string_view types = model.word_or_none("pos_att_type");
    const bool c2p = types.find("c2p") != types.npos, p2c = types.find("p2c") != types.npos;
    if (!(c2p || p2c) || !flag("relative_attention", false) || flag("position_biased_input", true)) {
      return model.fail(refuse(model, "relative_attention", "; it is read if true, with pos_att_type and without position_biased_input"));
    }
    set("terms", std::string(c2p && p2c ? "c2p_p2c" : c2p ? "c2p" : "p2c"));
    if (number("max_relative_positions") == 0) read_item("max_relative_positions=max_position_embeddings:512");
  }

  Status read(Words words, std::string_view family) {
    for (const std::string_view item : words.list()) {
      if (out.encoding.id == "none") {
        out.encoding.id = item;
      } else {
        read_item(item);
      }
    }
    const char kind = words.text()[0];  // of its id
    if (kind == 'd') read_deberta();
    if (kind == 'l') read_scale();
    if (family == "falcon") read_falcon();
    PHASOR_TRY(model.status());
    PHASOR_TRY(check_encoding(out.encoding, {.width = 4, .heads = heads}, keys));
    // What the file counts otherwise.
    if (out.encoding.params.contains("clip")) {
      number("clip") -= 1;
      set("values", false);
    }
    if (row_offset > 0) {
      set("row_offset", row_offset);
      number("max_length") += row_offset;
    }
    if (out.encoding.params.contains("row_offset") && row_offset == 0) number("row_offset") += 1;
    if (out.position_id_mode == PositionIdMode::fairseq) {
      out.padding_idx = static_cast<int>(number("padding_idx"));
      out.offset = out.padding_idx + 1;
    }
    return {};
  }
};

// Switches for positions of the family that no encoding has.
Status check_switches(const Dictionary& model) {
  for (const char* key : {"attn_type", "bi_data", "attn_config.rope", "encoder_attention_type"}) {
    const ParamValue* value = model.entries.find(key);
    if (value == nullptr) continue;
    const std::string said = to_words(*value);
    if (Words("0, false, \"bi\", \"uni\", \"local\"").find(said) < 0) return refuse(model, key, " has no encoding");
  }
  return {};
}

// Some layers do not turn queries and keys, in models whose others do.
Status find_layer_without_rope(Dictionary& model, const ModelEncodingOptions& options, EncodingConfig& encoding) {
  const Tensor* layers = model.list("no_rope_layers");  // 0: without
  if (!layers || std::find(layers->data.begin(), layers->data.end(), 0.0F) == layers->data.end()) return {};
  const std::size_t at = static_cast<std::size_t>(options.layer_idx.value_or(kMaxExtent));
  if (at >= layers->data.size())
    return refuse(model, "no_rope_layers", ": layers differ, so it needs the number of one, ", spelled(argument("layer_idx")));
  if (layers->data[at] == 0) encoding = {};
  return {};
}

// The factor on q.k of Granite, MPT, Gemma 2 and 3, and of DeepSeek with YaRN.
void find_scale(Dictionary& model, Dictionary& rope, std::optional<double>& scale) {
  for (const char* key : {"attention_multiplier", "attn_config.softmax_scale", "query_pre_attn_scalar"}) {
    const double* number = positive(model, key, kMaxExtent);
    if (number) scale = key[0] == 'q' ? 1 / std::sqrt(*number) : *number;
  }
  const double mscale = rope.number("mscale_all_dim", 0), part = model.number("qk_nope_head_dim", 0);
  if (mscale <= 0 || part <= 0) return;
  const double magnitude = 1 + 0.1 * mscale * std::log(std::max(rope.number("factor", 1), 1.0));
  scale = magnitude * magnitude / std::sqrt(part + model.number("qk_rope_head_dim", 0));
}

Status read(const Params& file, const ModelEncodingOptions& options, ModelEncoding& out) {
  constexpr const char *kFamily = "model_type", *kType = "position_embedding_type";
  Dictionary model, rope;
  model.entries = Params(file);
  enter_text_model(model);
  const std::string_view name = model.word_or_none(kFamily), type = model.word_or_none(kType);
  const char* const alibi_key = model.has("attn_config.alibi") ? "attn_config.alibi" : "alibi";
  const bool* said = model.boolean(alibi_key);
  PHASOR_TRY(model.status());
  const bool alibi = said ? *said : type == "alibi", rotary = find_rope_family(name) != nullptr, none = type == "nope";
  const std::string_view rotation = rotation_key(model.entries);
  const ModelFamily* family = find_model_family(name, model.has("alibi_starting_size") ? "alibi" : type);
  if (rotary && !alibi) family = nullptr;  // falcon has one or the other

  if (family == nullptr && !none && (rotary || !alibi)) {
    if (alibi) return contradiction(model, kFamily, alibi_key);
    if (!rotary && rotation.empty() && !type.starts_with("ro")) {
      return refuse(model, kFamily, " is not known, and the config says nothing else about positions");
    }
    model.path.clear();  // it is found once more
    PHASOR_TRY(read_rope(file, {.layer_type = options.layer_type, .sequence_length = options.sequence_length}, model, rope, out.encoding));
    PHASOR_TRY(find_layer_without_rope(model, options, out.encoding));
  } else {
    Words words = family != nullptr ? family->encoding : none ? "none" : "alibi";
    if (words.empty()) return refuse(model, kFamily, " has no attention, and no positions");
    const bool has_alibi = words.text()[0] == 'a';
    const char* const other = family != nullptr ? kFamily : kType;
    if (said && alibi != has_alibi) return contradiction(model, alibi_key, other);
    // Falcon's config class writes a rope_theta into every file; its models go by alibi alone.
    if (!rotation.empty() && !none && !rotary) return contradiction(model, rotation, alibi ? alibi_key : other);
    // BERT's class writes "absolute" into every file.
    const Words types = family != nullptr ? family->names : "alibi, nope";
    const bool same = type.empty() || type == "absolute" || types.find(type) >= 0;
    if (!same) return contradiction(model, kType, family != nullptr ? kFamily : alibi_key);
    const bool encoder = options.stack == "encoder";
    if (family != nullptr && !family->decoder.empty()) {
      PHASOR_TRY(check_layer(options.stack, "encoder, decoder", "stack"));
      if (!encoder) words = family->decoder;
    }
    PHASOR_TRY(check_switches(model));
    ModelReading reading{model, options, out};
    PHASOR_TRY(reading.read(words, name));
    if (words.text()[0] == 't' && words.text()[1] == '5') reading.set("bidirectional", encoder);
    if (has_alibi) {
      for (const char* key : {"n_head", "num_attention_heads", "n_heads"}) model.number(key);
    }
  }
  find_scale(model, rope, out.scale);
  PHASOR_TRY(model.status());
  model.add_lines(out.because, out.defaults);
  rope.add_lines(out.because, out.defaults);
  return {};
}

}  // namespace

Result<ModelEncoding> model_encoding(const Params& config, const ModelEncodingOptions& options) {
  return Result<ModelEncoding>::from([&](ModelEncoding& out) { return read(config, options, out); });
}

}  // namespace phasor
