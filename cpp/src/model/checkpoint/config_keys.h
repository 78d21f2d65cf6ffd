#pragma once
// The keys of a config.json that are not about positions, each read by name; those that nothing
// reads can be found.

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

  /// The first of these keys that the file has and that is not null; a value of another kind is
  /// recorded as a failure.
  std::optional<double> number(ChoiceList keys) { return get<double>(keys, "a number"); }
  std::optional<bool> boolean(ChoiceList keys) { return get<bool>(keys, "true or false"); }
  std::optional<std::string> word(ChoiceList keys) { return get<std::string>(keys, "a text"); }
  /// A whole number from 1 on that the file must have.
  int size(ChoiceList keys);
  int size(ChoiceList keys, int default_value);

  /// The first failure.
  const Status& status() const { return status_; }
  /// Rejects a key that was not read, is not one of layers_from_config and has an effect on the
  /// result as far as is known here.
  Status check_unread() const;
  /// Rejects other values than those of "key=value, ...", in which all values are booleans.
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
