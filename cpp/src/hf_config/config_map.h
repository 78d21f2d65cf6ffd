#pragma once
// A map of config.json values by key, which records the keys that were read, so that unread keys
// can be found.

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "phasor/encoding.h"
#include "phasor/status.h"

namespace phasor {

/// Joins items with commas: "yarn, longrope, llama3".
template <class List>
std::string joined(const List& words) {
  std::string text;
  for (const auto& word : words) (text += text.empty() ? "" : ", ") += word;
  return text;
}

/// One object of the file. Reading a key marks it as known. The first failure is stored; later
/// reads return nothing.
class ConfigMap {
 public:
  Params entries{};
  std::string path{};  ///< prefix of keys in error messages: "rope_scaling."

  /// Loads the whole file. A null value counts as missing, except for is_null.
  void load(const Params& file);
  bool is_null(std::string_view key) const;

  // Keys are string literals, converted here rather than at every call.
  bool has(std::string_view key) const { return entries.contains(key); }
  // Pointers into `entries`; nullptr if there is no value of this type.
  const double* number(const char* key) { return std::get_if<double>(find(key, 0)); }
  const bool* boolean(const char* key) { return std::get_if<bool>(find(key, 1)); }
  const std::string* string(const char* key) { return std::get_if<std::string>(find(key, 2)); }
  const Tensor* list(const char* key) { return std::get_if<Tensor>(find(key, 3)); }
  /// The same with a default.
  double number(const char* key, double otherwise);
  bool boolean(const char* key, bool otherwise);
  std::string_view string_or_none(const char* key);
  /// A number that the scaling type `type` requires; fails if the key is missing.
  double require(const char* key, const char* type);
  /// A number, or the default of the family. `key` points into a string literal.
  double get_or(std::string_view key, double default_value);
  /// Returns the recorded defaults of missing keys and clears the record.
  Params take_assumed() { return std::exchange(assumed_, {}); }
  /// Records a missing key for which the model's family has a default.
  void assume(std::string_view key, double value) { assumed_[key] = value; }

  void fail(Status status);
  const Status& status() const { return status_; }
  /// The name of an unread key.
  Status unknown(std::string_view type) const;
  /// Adds the paths of keys that were read, and of missing keys with their defaults.
  void add_lines(Params& read, Params& defaults) const;

  /// Moves the entries below `beginning` out of `from`, and removes that prefix.
  static Params take_below(std::string_view beginning, Params& from);

  bool is_read(std::string_view key) const;

 private:
  /// The value of a key, or nullptr if the key is missing or its value has another type. `kind` is
  /// an index of ParamValue.
  const ParamValue* find(std::string_view key, std::size_t kind);

  std::vector<std::string_view> read_keys_{};  // views of string literals
  std::vector<std::string> nulls_{};           // full paths of keys with null values
  Params assumed_{};
  Status status_{};
};

}  // namespace phasor
