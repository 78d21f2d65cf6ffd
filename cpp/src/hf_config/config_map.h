#pragma once
// A map of config.json values by key that records which keys were read.

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

/// One object of config.json. Reading a key marks it as known. The first error is kept in `status`.
class ConfigMap {
 public:
  Params entries{};
  std::string path{};  ///< prefix of keys in error messages: "rope_scaling."

  /// Loads the whole file. Keys with the value null count as missing, except in is_null.
  void load(const Params& config);
  bool is_null(std::string_view key) const;

  // Keys must be string literals.
  bool has(std::string_view key) const { return entries.contains(key); }
  // Pointers into `entries`; nullptr if the key is missing or its value has another type.
  const double* number(const char* key) { return std::get_if<double>(find(key, 0)); }
  const bool* boolean(const char* key) { return std::get_if<bool>(find(key, 1)); }
  const std::string* string(const char* key) { return std::get_if<std::string>(find(key, 2)); }
  const Tensor* list(const char* key) { return std::get_if<Tensor>(find(key, 3)); }
  /// The value of a key, or `default_value` if the key is missing.
  double number(const char* key, double default_value);
  bool boolean(const char* key, bool default_value);
  std::string_view string_or_none(const char* key);
  /// A number that the scaling type `type` requires; fails if the key is missing.
  double require(const char* key, const char* type);
  /// A number, or the default of the family. `key` points into a string literal.
  double get_or(std::string_view key, double default_value);
  /// Returns the recorded defaults of missing keys, and clears them.
  Params take_assumed_defaults() { return std::exchange(assumed_defaults_, {}); }
  /// Records the family's default of a missing key.
  void assume(std::string_view key, double value) { assumed_defaults_[key] = value; }

  void fail(Status status);
  const Status& status() const { return status_; }
  /// Rejects the first unread key. Errors name the scaling type `type`.
  Status check_unread_keys(std::string_view type) const;
  /// Adds the keys that were read to `read_params`, and missing keys with defaults to
  /// `default_params`, both by full path.
  void collect_keys(Params& read_params, Params& default_params) const;

  /// Moves the entries whose keys begin with `prefix` out of `from`, and strips the prefix.
  static Params extract_prefixed(std::string_view prefix, Params& from);

  bool is_read(std::string_view key) const;

 private:
  /// The value of a key, or nullptr. `type_index` is the expected alternative of ParamValue; other
  /// types are errors.
  const ParamValue* find(std::string_view key, std::size_t type_index);

  std::vector<std::string_view> read_keys_{};  // views of string literals
  std::vector<std::string> null_keys_{};       // full paths
  Params assumed_defaults_{};
  Status status_{};
};

}  // namespace phasor
