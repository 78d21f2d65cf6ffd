#pragma once
// Reads the keys of a config.json that are not about positions, and finds keys that were not read.

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

  /// The value of the first of `keys` that is present and not null. Records a failure if the value
  /// has another type.
  std::optional<double> number(ChoiceList keys) { return get<double>(keys, "a number"); }
  std::optional<bool> boolean(ChoiceList keys) { return get<bool>(keys, "true or false"); }
  std::optional<std::string> string(ChoiceList keys) { return get<std::string>(keys, "a text"); }
  /// A required integer of at least 1.
  int size(ChoiceList keys);
  int size(ChoiceList keys, int default_value);

  /// The first failure.
  const Status& status() const { return status_; }
  /// Rejects a key that was not read, is not read by layers_from_config and may affect the result.
  Status check_unread() const;
  /// Rejects boolean keys whose values differ from those in "key=value, ...".
  Status check_required(ChoiceList required);

 private:
  template <class T>
  std::optional<T> get(ChoiceList keys, const char* kind);
  void fail(Status status);

  const Params& config_;
  std::vector<std::string_view> read_{};
  Status status_{};
};

}  // namespace phasor::model
