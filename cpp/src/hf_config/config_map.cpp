#include "hf_config/config_map.h"

#include <algorithm>

#include "core/format_error.h"

namespace phasor {

void ConfigMap::load(const Params& config) {
  for (const auto& [key, value] : config) {
    const auto* list = std::get_if<Tensor>(&value);
    if (list && list->shape.empty()) {
      null_keys_.push_back(key);
    } else {
      entries.add(key, value);
    }
  }
}

bool ConfigMap::is_null(std::string_view key) const {
  return std::find(null_keys_.begin(), null_keys_.end(), path + std::string(key)) !=
         null_keys_.end();
}

const ParamValue* ConfigMap::find(std::string_view key, std::size_t type_index) {
  // indexed by ParamValue::index()
  static constexpr const char* kTypeNames[] = {"a number", "true or false", "a string",
                                               "a list of numbers"};
  if (!is_read(key)) read_keys_.push_back(key);
  const ParamValue* value = entries.find(key);
  if (!value || value->index() == type_index) return value;
  fail(invalid("{}{}: {} is not {}", path, key, *value, kTypeNames[type_index]));
  return nullptr;
}

double ConfigMap::number(const char* key, double default_value) {
  const double* value = number(key);
  return value ? *value : default_value;
}

bool ConfigMap::boolean(const char* key, bool default_value) {
  const bool* value = boolean(key);
  return value ? *value : default_value;
}

std::string_view ConfigMap::string_or_none(const char* key) {
  const std::string* value = string(key);
  return value ? std::string_view(*value) : std::string_view();
}

bool ConfigMap::is_read(std::string_view key) const {
  return std::any_of(read_keys_.begin(), read_keys_.end(),
                     [&](std::string_view read_key) { return read_key == key; });
}

double ConfigMap::require(const char* key, const char* type) {
  if (!has(key)) fail(invalid("{}{}: the key is missing; {} needs it", path, key, type));
  return number(key, 0);
}

double ConfigMap::get_or(std::string_view key, double default_value) {
  const double* value = std::get_if<double>(find(key, 0));
  if (value) return *value;
  assume(key, default_value);
  return default_value;
}

void ConfigMap::collect_keys(Params& read_params, Params& default_params) const {
  for (const std::string_view key : read_keys_) {
    if (const ParamValue* value = entries.find(key)) read_params[path + std::string(key)] = *value;
  }
  for (const auto& [key, value] : assumed_defaults_) default_params[path + key] = value;
}

void ConfigMap::fail(Status status) {
  if (status_.ok()) status_ = std::move(status);
}

Status ConfigMap::check_unread_keys(std::string_view type) const {
  for (const auto& [key, value] : entries) {
    if (is_read(key)) continue;
    return phasor::unknown("{}{}: {} does not use this key, whose value is {}; expected one of {}",
                           path, key, detail(type), value,
                           ChoiceList(join_list(read_keys_).c_str()));
  }
  return {};
}

Params ConfigMap::extract_prefixed(std::string_view prefix, Params& from) {
  Params extracted_entries, remaining_entries;
  for (auto& [key, value] : from) {
    const bool has_prefix = key.starts_with(prefix);
    (has_prefix ? extracted_entries : remaining_entries)
        .add(has_prefix ? key.substr(prefix.size()) : std::move(key), std::move(value));
  }
  from = std::move(remaining_entries);
  return extracted_entries;
}

}  // namespace phasor
