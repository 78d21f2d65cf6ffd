#include <algorithm>

#include "request.h"

namespace phasor_js {

namespace {

constexpr const char* kEncodingDescription = "the id of an encoding or {id, ...parameters}";
constexpr const char* kParamDescription =
    "a number, a string, true, false, a list of numbers or a tensor {shape, data}";

bool has_param(std::string_view id, std::string_view name) {
  const phasor::EncodingInfo* type = phasor::find_encoding(id);
  if (!type) return false;
  return std::any_of(type->params.begin(), type->params.end(),
                     [name](const phasor::ParamInfo& param) { return param.name == name; });
}

}  // namespace

std::string Request::misplaced_param_hint(std::string_view name) {
  for (const Field& field : fields_) {
    // A call that does not read `encoding` has no such field.
    if (field.path == "encoding" && !field.is_read) return {};
  }
  const Field* id_field = fields_.find("encoding");
  if (id_field && id_field->kind == Field::Kind::object) id_field = fields_.find("encoding.id");
  const phasor::EncodingInfo* type = id_field && id_field->kind == Field::Kind::word
                                         ? phasor::find_encoding(id_field->text)
                                         : nullptr;
  if (!type) return {};
  for (const phasor::ParamInfo& info : type->params) {
    if (info.name == name)
      return phasor::format_error("; parameters belong in the encoding: {id: \"{}\", {}: ...}",
                                  type->id, name);
  }
  return {};
}

std::shared_ptr<phasor::Encoding> Request::prepared_encoding() {
  const Field* field = fields_.find("encoding");
  if (!field || field->kind != Field::Kind::encoding) return nullptr;
  const Handle* encoding_handle = handle("encoding", Field::Kind::encoding);
  return encoding_handle ? encoding_handle->encoding : nullptr;
}

phasor::EncodingConfig Request::encoding() {
  constexpr std::string_view kEncodingPrefix = "encoding.";
  const Field* field = fields_.find("encoding");
  phasor::EncodingConfig config;
  const Field* id_field =
      field && field->kind == Field::Kind::object ? fields_.find("encoding.id") : field;
  if (!id_field || id_field->kind != Field::Kind::word) {
    fail("encoding", field, kEncodingDescription);
    return config;
  }
  config.id = std::string(id_field->text);
  for (const Field& param_field : fields_) {
    if (!param_field.path.starts_with(kEncodingPrefix)) continue;
    const std::string_view name = param_field.path.substr(kEncodingPrefix.size());
    if (name == "id" || name.find('.') != std::string_view::npos) continue;
    param_field.is_read = true;
    for (const std::string_view new_name : find_current_names(param_field.path)) {
      if (has_param(config.id, new_name) && !has_param(config.id, name))
        reject(make_rename_error(name, new_name));
    }
    config.params[name] = param(param_field);
  }
  return config;
}

phasor::TokenTensors Request::token_tensors() {
  constexpr std::string_view kTensorsPrefix = "tokenTensors.";
  phasor::TokenTensors out;
  if (!has("tokenTensors")) return out;
  object("tokenTensors");
  for (const Field& field : fields_) {
    if (!field.path.starts_with(kTensorsPrefix)) continue;
    const std::string_view name = field.path.substr(kTensorsPrefix.size());
    if (name.find('.') == std::string_view::npos)
      out.add(std::string(name), take_tensor(field.path));
  }
  return out;
}

phasor::ParamValue Request::param(const Field& field) {
  switch (field.kind) {
    case Field::Kind::number: return *field.numbers;
    case Field::Kind::yes: return true;
    case Field::Kind::no: return false;
    case Field::Kind::word: return std::string(field.text);
    default:
      if (field.holds_numbers() && field.count > 0)
        return tensor(field, {static_cast<int>(field.count)});
      if (field.kind == Field::Kind::tensor || has(field.path, ".shape"))
        return take_tensor(field.path);
      fail(field.path.substr(field.path.rfind('.') + 1), &field, kParamDescription);
      return 0.0;
  }
}

RequestPositions Request::positions(std::string_view name) {
  const Field* field = fields_.find(name);
  if (!field || field->kind != Field::Kind::object) return {numbers(name), 1};
  const auto [data, shape] = read_shaped_field(name);
  const int axes = shape.size() == 2 ? shape[1] : 1;
  if (shape.empty() || shape.size() > 2 || axes < 1)
    reject("{}.shape: expected [tokens] or [tokens, axes]", name);
  return status_.ok() ? RequestPositions{numbers(*data), axes} : RequestPositions();
}

RequestPositions Request::position(const char* name) {
  const Field* field = fields_.find(name);
  if (field && field->kind == Field::Kind::number) return {{*field->numbers}, 1};
  const bool is_list = field && field->count > 0;
  if (!is_list) {
    fail(name, field, "a number or a list of coordinates");
    return {};
  }
  return {numbers(name), static_cast<int>(field->count)};
}

}  // namespace phasor_js
