#include "model/encoding_params.h"

#include <algorithm>

#include "core/format_error.h"
#include "phasor/registry.h"

namespace phasor::model {

namespace {

// Returns the value of a choice or boolean parameter, or its default, as a string that AppliesWhen
// can be compared with.
std::string get_choice_text(const EncodingInfo& info, const Params& params, std::string_view name) {
  if (const ParamValue* value = params.find(name)) {
    if (const auto* text = std::get_if<std::string>(value)) return *text;
    if (const auto* flag = std::get_if<bool>(value)) return *flag ? "true" : "false";
    return "";
  }
  for (const ParamInfo& param : info.params) {
    if (param.name != name) continue;
    if (param.kind == ParamKind::boolean) return param.default_value != 0 ? "true" : "false";
    if (param.kind == ParamKind::choice)
      return std::string(param.choices.list()[static_cast<std::size_t>(param.default_value)]);
  }
  return "";
}

bool has_effect(const EncodingInfo& info, const Params& params, std::string_view name) {
  for (const ParamInfo& param : info.params) {
    if (param.name != name) continue;
    const AppliesWhen& condition = param.applies_when;
    return condition.param.empty() ||
           condition.values.find(get_choice_text(info, params, condition.param)) >= 0;
  }
  return false;
}

}  // namespace

Status set_params(const Params& params, EncodingConfig& config) {
  if (params.empty()) return invalid("params: is empty; expected at least one parameter");
  const EncodingInfo* info = find_encoding(config.id);
  if (info == nullptr)
    return unknown("encoding: \"{}\" is unknown; expected the id of an encoding", config.id);
  Params merged_params = config.params;
  for (const auto& [name, value] : params) merged_params[name] = value;
  Params applicable_params;
  for (const auto& [name, value] : merged_params) {
    // A new scaling discards the sequence_length of the old one.
    const bool is_kept = has_effect(*info, merged_params, name) &&
                         (name != "sequence_length" || !params.contains("scaling"));
    if (params.contains(name) || is_kept) applicable_params.add(name, value);
  }
  if (params.contains("scaling")) {
    if (has_effect(*info, applicable_params, "original_length") &&
        !applicable_params.contains("original_length")) {
      return invalid("original_length: is missing; {} needs the training context length",
                     get_choice_text(*info, applicable_params, "scaling"));
    }
  }
  config.params = std::move(applicable_params);
  return {};
}

int original_length(const EncodingConfig& config) {
  if (config.id != "rope") return 0;
  const auto find_tensor = [&](const char* name) {
    const ParamValue* value = config.params.find(name);
    return value != nullptr ? std::get_if<Tensor>(value) : nullptr;
  };
  const std::string type = get_choice_text(*find_encoding("rope"), config.params, "scaling");
  if (type != "dynamic_ntk" && type != "longrope") return 0;
  // If the short and long factors are equal, as in GGUF files of Llama 3, the frequencies do not
  // depend on the text length.
  const Tensor *short_factors = find_tensor("short_factor"),
               *long_factors = find_tensor("long_factor");
  if (short_factors != nullptr && long_factors != nullptr &&
      short_factors->data == long_factors->data)
    return 0;
  const ParamValue* length = config.params.find("original_length");
  const auto* number = length != nullptr ? std::get_if<double>(length) : nullptr;
  return number != nullptr ? static_cast<int>(std::min(*number, double{kMaxExtent})) : 0;
}

int set_text_length(const TextLength& text_length, EncodingConfig& config) {
  const int training_length = original_length(config);
  if (training_length == 0 || config.params.contains("sequence_length")) return kMaxExtent;
  const int tokens =
      has_growing_frequencies(config) ? text_length.max_length() : text_length.tokens;
  if (tokens <= training_length) return training_length;
  config.params["sequence_length"] = tokens;
  return kMaxExtent;
}

bool has_growing_frequencies(const EncodingConfig& config) {
  return original_length(config) > 0 &&
         get_choice_text(*find_encoding("rope"), config.params, "scaling") == "dynamic_ntk";
}

bool has_half_split_pairs(const EncodingConfig& config) {
  return get_choice_text(*find_encoding("rope"), config.params, "layout") == "half_split";
}

std::array<int, 2> get_pair_channels(const EncodingConfig& config, int pair_count, int pair) {
  const ParamValue* offset = config.params.find("rotary_offset");
  const auto* number = offset != nullptr ? std::get_if<double>(offset) : nullptr;
  const int first_channel = number != nullptr ? static_cast<int>(*number) : 0;
  if (has_half_split_pairs(config))
    return {first_channel + pair, first_channel + pair + pair_count};
  return {first_channel + 2 * pair, first_channel + 2 * pair + 1};
}

}  // namespace phasor::model
