#pragma once
// Stores the values of a config.json and records which keys were read.

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "phasor/encoding.h"
#include "phasor/status.h"

namespace phasor {

template <class List>
std::string join_list(const List& items) {
  std::string text;
  for (const auto& item : items) (text += text.empty() ? "" : ", ") += item;
  return text;
}

/// One object in a config.json. Reading a key marks it as known. `status` returns the first error.
class ConfigMap {
 public:
  Params entries{};
  std::string path{};  ///< prefix of the keys in error messages, such as "rope_scaling."

  /// Loads a whole config.json. Keys whose value is null count as missing, except in is_null.
  void load(const Params& config);
  bool is_null(std::string_view key) const;

  // Keys must be string literals, because read_keys_ stores views of them.
  bool has(std::string_view key) const { return entries.contains(key); }
  // Return pointers into `entries`, or nullptr if the key is missing. A value of another type is an
  // error.
  const double* number(const char* key) { return std::get_if<double>(find(key, 0)); }
  const bool* boolean(const char* key) { return std::get_if<bool>(find(key, 1)); }
  const std::string* string(const char* key) { return std::get_if<std::string>(find(key, 2)); }
  const Tensor* list(const char* key) { return std::get_if<Tensor>(find(key, 3)); }
  /// Returns the value of a key, or `default_value` if the key is missing.
  double number(const char* key, double default_value);
  bool boolean(const char* key, bool default_value);
  std::string_view string_or_none(const char* key);
  /// Returns a number that scaling type `type` requires. Fails if the key is missing.
  double require(const char* key, const char* type);
  /// Returns a number. If the key is missing, returns `default_value` and records it as an assumed
  /// default. `key` must be a string literal.
  double get_or(std::string_view key, double default_value);
  Params take_assumed_defaults() { return std::exchange(assumed_defaults_, {}); }
  /// Records the default of a missing key.
  void assume(std::string_view key, double value) { assumed_defaults_[key] = value; }

  void fail(Status status);
  const Status& status() const { return status_; }
  /// Fails if a key was not read. The error names the first such key and the scaling type `type`.
  Status check_unread_keys(std::string_view type) const;
  /// Adds the keys that were read to `read_params`, and missing keys with assumed defaults to
  /// `default_params`. Keys have their full path.
  void collect_keys(Params& read_params, Params& default_params) const;

  /// Removes the entries whose keys begin with `prefix` from `from`, and returns them without the
  /// prefix.
  static Params extract_prefixed(std::string_view prefix, Params& from);

  bool is_read(std::string_view key) const;

 private:
  /// Returns the value of a key, or nullptr if it is missing. `type_index` is the expected
  /// alternative of ParamValue. Fails if the value has another type.
  const ParamValue* find(std::string_view key, std::size_t type_index);

  std::vector<std::string_view> read_keys_{};  // point to string literals
  std::vector<std::string> null_keys_{};       // full paths
  Params assumed_defaults_{};
  Status status_{};
};

}  // namespace phasor
