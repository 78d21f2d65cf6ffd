#pragma once
// Keyed values of a file: each key is requested by name, and unrequested keys can be listed.

#include <string>
#include <string_view>
#include <utility>
#include <variant>
#include <vector>

#include "phasor/encoding.h"
#include "phasor/status.h"

namespace phasor {

/// "yarn, longrope, llama3"
template <class List>
std::string joined(const List& words) {
  std::string text;
  for (const auto& word : words) (text += text.empty() ? "" : ", ") += word;
  return text;
}

/// One object of the file. Reading a key marks it as known; the first failure is stored and later
/// reads return nothing.
class ConfigMap {
 public:
  Params entries{};
  std::string path{};  ///< put before keys in sentences: "rope_scaling."

  /// The whole file. A null key counts as missing, except for is_null.
  void load(const Params& file);
  bool is_null(std::string_view key) const;

  // Keys are literals: converted to strings here, not at every request.
  bool has(std::string_view key) const { return entries.contains(key); }
  // The returned pointers are into `entries`; nullptr without a value of this kind.
  const double* number(const char* key) { return std::get_if<double>(find(key, 0)); }
  const bool* boolean(const char* key) { return std::get_if<bool>(find(key, 1)); }
  const std::string* word(const char* key) { return std::get_if<std::string>(find(key, 2)); }
  const Tensor* list(const char* key) { return std::get_if<Tensor>(find(key, 3)); }
  /// The same with a default.
  double number(const char* key, double otherwise);
  bool boolean(const char* key, bool otherwise);
  std::string_view word_or_none(const char* key);
  /// A number that `type` requires.
  double require(const char* key, const char* type);
  /// A number, or the default of the model's family. The key is part of a literal.
  double get_or(std::string_view key, double default_value);
  /// Removes the recorded missing keys with a default and returns them.
  Params take_assumed() { return std::exchange(assumed_, {}); }
  /// Records a missing key for which the model's family has a default.
  void assume(std::string_view key, double value) { assumed_[key] = value; }

  void fail(Status status);
  const Status& status() const { return status_; }
  /// The name of an unread key.
  Status unknown(std::string_view type) const;
  /// Adds the paths of keys that were read, and of missing keys with a default.
  void add_lines(Params& read, Params& defaults) const;

  /// Moves the entries with the prefix `beginning` out of `from`, without the prefix.
  static Params take_below(std::string_view beginning, Params& from);

  /// Whether the key was read.
  bool is_read(std::string_view key) const { return is_asked(key); }

 private:
  bool is_asked(std::string_view key) const;
  /// The value of a key, if there is one and it is of this kind (an index of ParamValue).
  const ParamValue* find(std::string_view key, std::size_t kind);

  std::vector<std::string_view> asked_{};  // literals
  std::vector<std::string> nulls_{};       // with their paths
  Params assumed_{};
  Status status_{};
};

}  // namespace phasor
