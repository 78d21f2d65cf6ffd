#pragma once
// Reads the config.json keys that layers_from_config does not read, and rejects unread keys that
// may affect the output.

#include <optional>
#include <string>
#include <string_view>
#include <vector>

#include "phasor/params.h"
#include "phasor/status.h"

namespace phasor::model {

class ConfigKeys {
 public:
  explicit ConfigKeys(const Params& config) : config_(config) {}

  /// Returns the value of the first key that is present and not null. Records an error if its type
  /// is wrong.
  std::optional<double> get_number(ChoiceList keys) { return get<double>(keys, "a number"); }
  std::optional<bool> get_boolean(ChoiceList keys) { return get<bool>(keys, "true or false"); }
  std::optional<std::string> get_string(ChoiceList keys) {
    return get<std::string>(keys, "a string");
  }
  /// Returns a required integer. Records an error if it is missing or outside 1 to kMaxExtent.
  int get_size(ChoiceList keys);
  int get_size(ChoiceList keys, int default_value);

  /// The first failure.
  const Status& status() const { return status_; }
  /// Rejects keys that were not read, except those that layers_from_config reads and those that do
  /// not affect the output.
  Status check_unread_keys() const;
  /// `required` has the form "key=true, key=false, ...". Rejects a config that sets one of these
  /// keys to any other value.
  Status check_required(ChoiceList required);

 private:
  template <class T>
  std::optional<T> get(ChoiceList keys, const char* kind);
  void fail(Status status);

  const Params& config_;
  std::vector<std::string_view> used_keys_{};
  Status status_{};
};

}  // namespace phasor::model
