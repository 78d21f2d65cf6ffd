#include "hf_config/unlisted_family.h"

#include <algorithm>
#include <string_view>

#include "core/format_error.h"

namespace phasor {

namespace {

constexpr const char* kExampleEncoding = "{id: \"rope\", base: 10000, layout: \"half_split\"}";

// A key that contains one of these may describe positions, or layers without attention.
constexpr std::string_view kPositionSubstrings[] = {
    "rope",   "rotary",   "position",  "alibi",     "nope",       "sliding",    "scaling",
    "ntk",    "logn",     "layer_",    "layers",    "chunk",      "interval",   "pattern",
    "window", "compress", "lora_rank", "mamba",     "linear_",    "recurrent",  "conv_",
    "ssm",    "kv_lora",  "full_attn", "attn_type", "patch_size", "image_size", "mrope"};

// Exceptions to kPositionSubstrings.
constexpr ChoiceList kUnrelatedKeys =
    "num_hidden_layers, layer_norm_eps, layer_norm_epsilon, layer_norm_type, num_layers, n_layers, "
    "chunk_size_feed_forward, use_layer_norm, layernorm_epsilon, layer_norm, "
    "num_nextn_predict_layers, moe_layer_freq, first_k_dense_replace, mlp_layer_types, "
    "moe_layer_interval, "
    "decoder_sparse_step, expert_layer_period, expert_layer_offset, initializer_range, "
    "layerdrop, layer_scale_init_value, num_mtp_layers, hidden_layers, mlp_only_layers, "
    "use_layernorm, layer_dropout";

// These keys are read elsewhere, or do not concern positions.
constexpr ChoiceList kKnownKeys =
    "rope_theta, rotary_emb_base, partial_rotary_factor, rotary_pct, rotary_dim, "
    "rope_local_base_freq, rope_interleave, max_position_embeddings, "
    "original_max_position_embeddings, n_positions, position_embedding_type, alibi, "
    "attn_config.alibi, logits_scaling, routed_scaling_factor";

// These keys have no effect if they are false.
constexpr ChoiceList kBooleanKeys =
    "use_sliding_window, use_dynamic_ntk, use_logn_attn, attn_config.rope";

bool is_false(const Params& entries, std::string_view key) {
  const ParamValue* value = entries.find(key);
  const bool* flag = value != nullptr ? std::get_if<bool>(value) : nullptr;
  return flag && !*flag;
}

// "full_attention, full_attention"
bool is_full_attention_only(const ParamValue& value) {
  const auto* list = std::get_if<std::string>(&value);
  if (!list) return false;
  const std::vector<std::string_view> types = split_choices(*list);
  return std::count(types.begin(), types.end(), "full_attention") == std::ssize(types);
}

bool concerns_positions(std::string_view key) {
  // Nested objects such as vision_config describe other parts of the model.
  const std::string_view outer_key = key.substr(0, key.find('.'));
  if (outer_key != key && outer_key.ends_with("_config") && outer_key != "attn_config")
    return false;
  return std::any_of(std::begin(kPositionSubstrings), std::end(kPositionSubstrings),
                     [&](std::string_view substring) { return key.find(substring) != key.npos; });
}

bool is_known_key(const ConfigMap& model, const ConfigMap& rope, std::string_view key,
                  const ParamValue& value) {
  if (kKnownKeys.find(key) >= 0 || kUnrelatedKeys.find(key) >= 0) return true;
  if (kBooleanKeys.find(key) >= 0) return is_false(model.entries, key);
  if (key == "sliding_window" || key == "max_window_layers")
    return is_false(model.entries, "use_sliding_window");
  // True if the file describes how layers differ: by a dictionary per layer type, or by a base for
  // sliding-window layers.
  const bool differs_by_type =
      model.has("rope_local_base_freq") ||
      std::any_of(rope.entries.begin(), rope.entries.end(),
                  [](const auto& entry) { return entry.first.find('.') != entry.first.npos; });
  return key == "layer_types" && (differs_by_type || is_full_attention_only(value));
}

}  // namespace

Status check_unlisted_keys(const ConfigMap& model, const ConfigMap& rope) {
  const ParamValue* family = model.entries.find("model_type");
  const auto reject = [&](const std::string& path, std::string_view key, const ParamValue& value) {
    const std::string name = family != nullptr ? to_message(*family) : "none";
    return invalid(
        "{}{}: {} has no known meaning for model_type {}, which is not listed; set the encoding "
        "yourself, for example {}",
        path, key, value, name, kExampleEncoding);
  };
  for (const auto& [key, value] : model.entries) {
    if (concerns_positions(key) && !is_known_key(model, rope, key, value))
      return reject(model.path, key, value);
  }
  // Families assign pairs to axes in different ways, so mrope_section is ambiguous for an unlisted
  // model_type. A bare dictionary has no model_type and is accepted.
  const ParamValue* sections = rope.entries.find("mrope_section");
  if (family != nullptr && sections != nullptr)
    return reject(rope.path, "mrope_section", *sections);
  return {};
}

Params take_rotation_assumptions(ConfigMap& model, const EncodingConfig& encoding) {
  Params assumptions = model.take_assumed_defaults();
  if (!model.has("rope_interleave")) assumptions["layout"] = encoding.params.at("layout");
  assumptions["direction"] = std::string("positive");
  if (!encoding.params.contains("rotary_fraction") && !encoding.params.contains("rotary_dim"))
    assumptions["rotary_fraction"] = 1.0;
  if (!model.has("layer_types") && !model.has("rope_local_base_freq"))
    assumptions["layers"] = std::string("all");
  return assumptions;
}

Status reject_unlisted_family(const ConfigMap& model) {
  return invalid(
      "{}model_type: {} is not known to have rotary positions; call {}, which lists its "
      "assumptions, or set the encoding yourself, for example {}",
      model.path, model.entries.at("model_type"), argument("encoding_from_config"),
      kExampleEncoding);
}

}  // namespace phasor
