#pragma once
// Keyed values from a file that someone else wrote: each key is requested by name, and what nobody
// requested can be named.

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

/// One object of the file. Reading a key also says that it is known; the first failure is kept and
/// later reads give nothing.
class ConfigMap {
 public:
  Params entries{};
  std::string path{};  ///< put before keys in sentences: "rope_scaling."

  /// The whole file. A key that is null is as one that is left out, but is_null tells the two
  /// apart.
  void load(const Params& file);
  bool is_null(std::string_view key) const;

  // Keys are literals: made into strings here, not wherever one is requested.
  bool has(std::string_view key) const { return entries.contains(key); }
  // The returned pointers are into `entries`; nullptr where there is none of this kind.
  const double* number(const char* key) { return std::get_if<double>(find(key, 0)); }
  const bool* boolean(const char* key) { return std::get_if<bool>(find(key, 1)); }
  const std::string* word(const char* key) { return std::get_if<std::string>(find(key, 2)); }
  const Tensor* list(const char* key) { return std::get_if<Tensor>(find(key, 3)); }
  /// The same, or something else where there is none.
  double number(const char* key, double otherwise);
  bool boolean(const char* key, bool otherwise);
  std::string_view word_or_none(const char* key);
  /// A number without which `type` means nothing.
  double require(const char* key, const char* type);
  /// A number, or the default of the model's family. The key is part of a literal.
  double get_or(std::string_view key, double default_value);
  /// Moves what was noted as missing with a default out of it.
  Params take_assumed() { return std::exchange(assumed_, {}); }
  /// Notes that a key is missing for which the model's family has a default.
  void assume(std::string_view key, double value) { assumed_[key] = value; }

  void fail(Status status);
  const Status& status() const { return status_; }
  /// Names a key that nobody read.
  Status unknown(std::string_view type) const;
  /// Adds the keys that were read, by their paths, and those that were missing but have a default.
  void add_lines(Params& read, Params& defaults) const;

  /// Moves the entries whose keys begin with `beginning` out of `from`, without that beginning.
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
