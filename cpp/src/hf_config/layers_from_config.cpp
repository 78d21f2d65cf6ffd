#include <cmath>

#include "core/format_error.h"
#include "hf_config/family.h"
#include "hf_config/family_readers.h"
#include "hf_config/layer_heads.h"
#include "hf_config/layer_types.h"
#include "hf_config/rope_layers.h"
#include "hf_config/rope_reader.h"
#include "phasor/hf_config.h"

namespace phasor {

namespace {

bool has_rope(const ConfigLayer& layer) {
  return layer.encoding && (layer.encoding->id == "rope" || layer.encoding->id == "mrope");
}

class LayerReader {
 public:
  LayerReader(const Params& config, ConfigMap& model, const Family& family, std::string_view stack)
      : config_(config), model_(model), family_(family), stack_(stack) {}

  Status read(int count) {
    PHASOR_TRY(LayerTypes::read(&family_, model_, count, types_));
    const WindowRule& rule = family_.window;
    is_chunked_ = rule.layers == LayerWindows::chunked_layers;
    window_ = model_.is_null(rule.key)
                  ? 0
                  : read_whole_number(model_, rule.key, static_cast<int>(rule.size));
    // MiMo's sliding_window_size does not count the query's own key.
    if (family_.window_size_offset > 0 && model_.has("sliding_window_size"))
      window_ = read_whole_number(model_, "sliding_window_size", 0) + family_.window_size_offset;
    read_direction();
    has_windows_ = model_.boolean("use_sliding_window", false);
    first_window_ = model_.is_null("max_window_layers")
                        ? 0
                        : read_whole_number(model_, "max_window_layers", 28);
    softcap_ = family_.softcap == 0 || model_.is_null("attn_logit_softcapping")
                   ? 0
                   : model_.number("attn_logit_softcapping", family_.softcap);
    has_sinks_ = family_.sinks_key == nullptr || model_.boolean(family_.sinks_key, true);
    const QkNormRule& norm = family_.norm;
    has_qk_norm_ = norm.over != nullptr && is_satisfied(norm.condition, model_);
    eps_ = norm.eps_key != nullptr ? model_.number(norm.eps_key, norm.eps) : norm.eps;
    if (family_.norm_type_key != nullptr) {
      // Molmo 2 has the QK norm of Qwen 3 or OLMo 2.
      over_all_heads_ = model_.string_or_none(family_.norm_type_key) == "olmo";
    }
    if (family_.temperature == Temperature::unrotated) {
      // Some files store attn_temperature_tuning as a number. 0 means false.
      const ParamValue* tuning = model_.entries.find("attn_temperature_tuning");
      if (tuning == nullptr || ChoiceList("false, 0").find(to_message(*tuning)) < 0)
        temperature_ = {model_.number("floor_scale", 8192), model_.number("attn_scale", 0.1)};
    } else if (family_.temperature == Temperature::scaling) {
      read_scaling_temperature();
    }
    return model_.status();
  }

  Status read_layer(int index, ConfigLayer& out) const {
    if (types_.listed_count() > 0 && index >= types_.listed_count()) {
      return invalid("{}layer_types: has {} entries, but none for layer {}", model_.path,
                     types_.listed_count(), index);
    }
    out.stack = stack_;
    const std::string_view type = types_.at(index);
    if (!type.empty() && !is_layer_type(type)) {
      return unknown("{}layer_types: \"{}\" is not a known layer type", model_.path, type);
    }
    if (find_kind(type) == (is_chunked_ ? LayerKind::sliding : LayerKind::chunked)) {
      return unknown("{}layer_types: \"{}\" is not a type of this family; expected one of {}",
                     model_.path, type,
                     ChoiceList(is_chunked_ ? "full_attention, chunked_attention"
                                            : "full_attention, sliding_attention"));
    }
    if (!type.empty() && !is_attention(find_kind(type))) {
      out.type = type_name(type);
      return {};
    }
    PHASOR_TRY_ASSIGN(ConfigEncoding result,
                      encoding_from_config(config_, {.stack = out.stack, .layer_idx = index}));
    out.encoding = std::move(result.encoding);
    out.scale = result.scale;
    out.rotates_values = result.rotates_values;
    out.causal = stack_.empty() ? is_causal_ : stack_ == "decoder";
    set_type(index, type, out);
    const int window = read_window(index);
    if (find_kind(out.type) == LayerKind::sliding && window > 0) set_window(window, out);
    if (out.type == kChunkedAttention && window_ > 0) out.chunk = window_;
    PHASOR_TRY(read_heads(model_, family_, stack_, index, out));
    if (softcap_ > 0) out.softcap = softcap_;
    out.sinks = has_sinks_ && (family_.sinks == Sinks::all ||
                               (family_.sinks == Sinks::local && out.window.has_value()));
    const QkNormRule& norm = family_.norm;
    if (has_qk_norm_ && (!norm.is_rotary_only || has_rope(out)))
      out.qk_norm = {norm.norm_type, over_all_heads_ ? "all_heads" : norm.over, norm.weight_form,
                     norm.order, eps_};
    if (family_.temperature == Temperature::scaling || !has_rope(out))
      out.temperature = temperature_;
    if (family_.is_latent && out.encoding->id == "rope") set_rotary_channels(*out.encoding);
    return {};
  }

 private:
  void set_type(int index, std::string_view type, ConfigLayer& out) const {
    out.type = type.empty() ? kFullAttention : type_name(type);
    // Windows can be disabled even if the file lists layer types.
    const bool has_window = window_ > 0, is_listed = types_.is_in_file();
    using enum LayerWindows;
    switch (family_.window.layers) {
      case none:
      case sliding_layers: break;
      case all:
        if (has_window) out.type = kSlidingAttention;
        break;
      case upper_layers:
        if (!is_listed && has_windows_ && has_window && index >= first_window_)
          out.type = kSlidingAttention;
        if (!has_windows_) out.type = kFullAttention;
        break;
      case all_if_enabled:
        out.type = has_windows_ && has_window ? kSlidingAttention : kFullAttention;
        break;
      case sliding_if_enabled:
        if (!has_windows_) out.type = kFullAttention;
        break;
      case unrotated_if_enabled:
        if (!is_listed && has_windows_ && has_window && !has_rope(out))
          out.type = kSlidingAttention;
        if (!has_windows_) out.type = kFullAttention;
        break;
      case chunked_layers:
        if (!is_listed && has_rope(out)) out.type = kChunkedAttention;
        break;
    }
    if (find_kind(out.type) == LayerKind::sliding && !has_window && !is_chunked_)
      out.type = kFullAttention;
  }

  // In transformers 5, each layer can have its own window: "per_layer_config.03.sliding_window".
  int read_window(int index) const {
    for (const char* zeros : {"", "0", "00"}) {
      const ParamValue* value = model_.entries.find(
          format_error("per_layer_config.{}{}.{}", zeros, index, family_.window.key));
      const auto* size = value != nullptr ? std::get_if<double>(value) : nullptr;
      if (size != nullptr && *size >= 1 && *size <= kMaxExtent) return static_cast<int>(*size);
    }
    return window_;
  }

  void set_window(int window, ConfigLayer& out) const {
    using enum WindowSpan;
    switch (span_) {
      case past: out.window = window; break;
      case half: out.window = window / 2; break;
      case each_way:
        out.window = window + 1;
        out.window_ahead = window;
        break;
      case half_each:
        out.window = window / 2 + 1;
        out.window_ahead = window / 2;
        break;
    }
  }

  void read_direction() {
    is_causal_ = family_.is_causal;
    span_ = family_.window.span;
    const ParamValue* value = family_.bidirectional_key != nullptr
                                  ? model_.entries.find(family_.bidirectional_key)
                                  : nullptr;
    const std::string text = value != nullptr ? to_message(*value) : "false";
    if (text == "true") {  // Gemma 3
      is_causal_ = false;
      span_ = WindowSpan::half_each;
    } else if (text == "\"all\"") {  // Gemma 4
      is_causal_ = false;
      span_ = WindowSpan::each_way;
      window_ = window_ > 0 ? window_ / 2 + 1 : 0;
    } else if (is_causal_ && !model_.boolean("is_causal", true)) {  // transformers 5
      is_causal_ = false;
      span_ = WindowSpan::each_way;
    }
  }

  // Ministral 3 stores its temperature in rope_parameters or rope_scaling.
  void read_scaling_temperature() {
    const auto read_or = [&](const char* key, double default_value) {
      for (const char* dictionary : {"rope_parameters.", "rope_scaling."}) {
        const ParamValue* value = model_.entries.find(std::string(dictionary) + key);
        const auto* number = value != nullptr ? std::get_if<double>(value) : nullptr;
        if (number != nullptr) return *number;
      }
      return default_value;
    };
    const bool has_scaling_type = model_.has("rope_parameters.rope_type") ||
                                  model_.has("rope_scaling.rope_type") ||
                                  model_.has("rope_scaling.type");
    const double beta = read_or("llama_4_scaling_beta", has_scaling_type ? 0 : 0.1);
    if (beta > 0)
      temperature_ = {read_or("original_max_position_embeddings", family_.temperature_length), beta,
                      0};
  }

  // The rotary channels of a head come after its content channels.
  void set_rotary_channels(EncodingConfig& encoding) const {
    const int content_dim = read_whole_number(model_, "qk_nope_head_dim", family_.qk_nope_head_dim);
    encoding.params["rotary_dim"] = static_cast<double>(
        read_whole_number(model_, "qk_rope_head_dim", family_.qk_rope_head_dim));
    encoding.params["rotary_offset"] = static_cast<double>(content_dim);
  }

  const Params& config_;
  ConfigMap& model_;
  const Family& family_;
  std::string stack_;
  LayerTypes types_{};
  bool is_causal_ = true;
  WindowSpan span_ = WindowSpan::past;
  bool is_chunked_ = false, has_windows_ = false, has_qk_norm_ = false, has_sinks_ = false,
       over_all_heads_ = false;
  std::optional<LayerTemperature> temperature_{};
  int window_ = 0, first_window_ = 0;
  double softcap_ = 0, eps_ = 0;
};

Status read_stack(const Params& config, std::string_view stack, std::vector<ConfigLayer>& out) {
  ConfigMap model;
  model.load(config);
  PHASOR_TRY(select_model(model, stack));
  const std::string name(model.string_or_none("model_type"));
  PHASOR_TRY(model.status());
  const Family* family = find_family(name);
  if (family == nullptr) {
    return unknown(
        "{}model_type: \"{}\" is not a family with known layers; docs/models.md lists the known "
        "families",
        model.path, name);
  }
  if (family->unsupported != nullptr)
    return invalid("{}model_type: \"{}\" {}", model.path, name, family->unsupported);
  int count = read_layer_count(family, model, stack);
  if (count == 0) count = family->layer_count;
  PHASOR_TRY(model.status());
  if (count == 0) {
    LayerTypes types;
    PHASOR_TRY(LayerTypes::read(family, model, 0, types));
    count = types.listed_count();
  }
  if (count == 0) return reject_missing_layer_count(model);
  PHASOR_TRY(check_extent("num_hidden_layers", count));
  if (family->has_no_attention) {
    out.resize(out.size() + static_cast<std::size_t>(count), {.type = "linear_attention"});
    return {};
  }
  if (family->is_vision_tower) return add_tower_layers(config, model, *family, count, out);
  LayerReader reader(config, model, *family, stack);
  PHASOR_TRY(reader.read(count));
  for (int index = 0; index < count; ++index)
    PHASOR_TRY(reader.read_layer(index, out.emplace_back()));
  return model.status();
}

}  // namespace

Result<std::vector<ConfigLayer>> layers_from_config(const Params& config) {
  return Result<std::vector<ConfigLayer>>::from([&](std::vector<ConfigLayer>& out) -> Status {
    const ParamValue* value = config.find("model_type");
    const auto* name = value != nullptr ? std::get_if<std::string>(value) : nullptr;
    const Family* family = name != nullptr ? find_family(*name) : nullptr;
    if (family == nullptr || !(family->has_stacks || family->read_decoder != nullptr))
      return read_stack(config, {}, out);
    PHASOR_TRY(read_stack(config, "encoder", out));
    return read_stack(config, "decoder", out);
  });
}

}  // namespace phasor
