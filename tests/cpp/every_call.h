#pragma once
// Calls of every public function that may allocate much, with every encoding and every choice.

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "phasor/status.h"

namespace phasor::test {

/// A call whose arguments are created before it, so that only the call's memory is measured.
struct EveryCall {
  std::string name;
  /// Creates the arguments and returns the call, which is made once.
  std::function<std::function<Status()>()> prepare;
  /// Must succeed if there is memory; other calls may be rejected by the encoding.
  bool is_answered = false;
};

/// A call with these arguments, which it may move from.
template <class... Arguments, class F>
EveryCall call(std::string name, F run, Arguments... arguments) {
  return {std::move(name), [=] {
            const auto provided = std::make_shared<std::tuple<Arguments...>>(arguments...);
            return [=]() -> Status { return std::apply(run, std::move(*provided)); };
          }};
}

/// Texts of this many tokens.
std::vector<EveryCall> every_call(int tokens);
/// Attention, its gradients, caches and layers with its options, and with tensors of tokens.
std::vector<EveryCall> calls_with_options(int tokens);

}  // namespace phasor::test
