#include "phasor/registry.h"

#include <algorithm>
#include <cmath>
#include <cstdlib>

#include "core/format_error.h"

namespace phasor {

// CMake writes encodings.inc, with one PHASOR_USE line per file in cpp/src/encodings. The
// references to entries keep the linker from dropping encodings, as it may drop self-registering
// objects.
#define PHASOR_USE(id)                  \
  namespace encoding::id {              \
  extern const EncodingInfo entry_##id; \
  }
#include "encodings.inc"
#undef PHASOR_USE

namespace {

Status find_choice(const ParamInfo& param, const std::string& choice_name, double& out) {
  const int index = param.choices.find(choice_name);
  if (index < 0)
    return invalid("{}: \"{}\" is not one of {}", param.name, choice_name, param.choices);
  out = index;
  return {};
}

Status set_tensor(const ParamInfo& param, const ParamValue& value, ResolvedParams& out) {
  const auto* tensor = std::get_if<Tensor>(&value);
  if (tensor != nullptr && tensor->rank() > 0) PHASOR_TRY(check_data(param.name.data(), *tensor));
  if (tensor == nullptr || tensor->empty())
    return invalid("{}: expected an array {shape, data} of {}", param.name, param.shape);
  PHASOR_TRY(check_tensor(param.name.data(), *tensor));
  out.set(param, tensor);
  return {};
}

Status validate_param(const ParamInfo& param, const ParamValue& value, double& out) {
  if (const auto* text_value = std::get_if<std::string>(&value)) {
    if (param.kind == ParamKind::choice) return find_choice(param, *text_value, out);
    return invalid("{}: \"{}\" is not a number", param.name, *text_value);
  }
  if (const auto* flag = std::get_if<bool>(&value)) {
    if (param.kind != ParamKind::boolean)
      return invalid("{}: is a boolean; expected {}", param.name,
                     param.kind == ParamKind::choice ? "a string" : "a number");
    out = *flag ? 1.0 : 0.0;
    return {};
  }
  if (std::holds_alternative<Tensor>(value))
    return invalid("{}: is an array; expected a single value", param.name);
  out = std::get<double>(value);
  if (param.kind == ParamKind::choice) {
    return invalid("{}: {} is not one of {}", param.name, out, param.choices);
  }
  if (param.kind == ParamKind::boolean)
    return invalid("{}: {} is not true or false", param.name, out);
  if (param.kind == ParamKind::integer && out != std::floor(out)) {
    return invalid("{}: {} is not a whole number", param.name, out);
  }
  return check_range(param.name.data(), out, param.min, param.max);
}

void add_name(std::string_view name, std::string& names) {
  (names += names.empty() ? "" : ", ") += name;
}
std::string join_names(std::span<const ParamInfo> params) {
  std::string names;
  for (const ParamInfo& param : params) add_name(param.name, names);
  return names;
}
std::string join_names(std::span<const EncodingInfo* const> infos) {
  std::string names;
  for (const EncodingInfo* info : infos) add_name(info->id, names);
  return names;
}

Status resolve_params(const EncodingInfo& info, const EncodingConfig& config, ResolvedParams& out) {
  const std::span<const ParamInfo> params = info.params;
  for (const auto& [name, value] : config.params) {
    const auto param = std::find_if(
        params.begin(), params.end(),
        [&param_name = name](const ParamInfo& candidate) { return candidate.name == param_name; });
    if (param == params.end()) {
      if (params.empty())
        return unknown("{}: is not a parameter of {}, which has none", name, detail(info.id));
      return unknown("{}: is not a parameter of {}; expected one of {}", name, detail(info.id),
                     ChoiceList(join_names(params).c_str()));
    }
    if (out.is_set(param->name.data()))
      return invalid("{}: occurs twice; expected one value", name);
    if (param->kind == ParamKind::tensor) {
      PHASOR_TRY(set_tensor(*param, value, out));
      continue;
    }
    double number = 0;
    PHASOR_TRY(validate_param(*param, value, number));
    out.set(*param, number);
  }
  return {};
}

constexpr double kBytesPerChannel = 8 * sizeof(double);

constexpr const EncodingInfo* kEncodings[] = {
#define PHASOR_USE(id) &encoding::id::entry_##id,
#include "encodings.inc"
#undef PHASOR_USE
};

}  // namespace

std::span<const EncodingInfo* const> encodings() { return kEncodings; }

const EncodingInfo* find_encoding(std::string_view id) {
  for (const EncodingInfo* info : encodings()) {
    if (info->id == id) return info;
  }
  return nullptr;
}

Result<std::unique_ptr<Encoding>> create_encoding(const EncodingConfig& config,
                                                  const EncodingDims& dims) {
  return Result<std::unique_ptr<Encoding>>::from([&](std::unique_ptr<Encoding>& out) -> Status {
    const EncodingInfo* info = find_encoding(config.id);
    if (info == nullptr) {
      return unknown("encoding: \"{}\" is unknown; expected one of {}", config.id,
                     ChoiceList(join_names(encodings()).c_str()));
    }
    // `axes` is checked before `length`, because positions with 0 axes have length 0.
    PHASOR_TRY(check_range("axes", dims.axes, 1, 3));
    PHASOR_TRY(check_extent("length", dims.length));
    PHASOR_TRY(check_extent("dim", dims.dim));
    PHASOR_TRY(check_extent("heads", dims.heads));
    PHASOR_TRY(check_range(argument("v_head_dim"), dims.v_head_dim, 0, kMaxExtent));
    PHASOR_TRY(check_range(argument("kv_heads"), dims.kv_heads, 0, dims.heads));
    if (dims.scale && !is_finite(*dims.scale))
      return invalid("scale: {} is not a finite number", *dims.scale);
    // Most encodings store only a few values per channel and head. Encodings with larger arrays
    // check their size before allocating them.
    PHASOR_TRY(
        check_memory("dim", kBytesPerChannel * (static_cast<double>(dims.dim) + dims.heads)));
    ResolvedParams values(info->params);
    PHASOR_TRY(resolve_params(*info, config, values));
    PHASOR_TRY(info->create(values, dims).move_to(out));
    out->id = info->id;
    out->token_tensors = info->tokens;
    out->dims = dims;
    for (Parameter* parameter : out->parameters())
      parameter->initial_shape = std::vector<int>(parameter->value.shape);
    return {};
  });
}

}  // namespace phasor
