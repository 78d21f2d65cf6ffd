#pragma once
// Calls of every public function that may allocate much memory, with every encoding and variant.

#include <functional>
#include <memory>
#include <string>
#include <tuple>
#include <utility>
#include <vector>

#include "phasor/status.h"

namespace phasor::test {

/// A call with arguments created beforehand, so that only the memory of the call is measured.
struct EveryCall {
  std::string name;
  /// Creates the arguments and returns the call, which may be run once.
  std::function<std::function<Status()>()> prepare;
  /// Whether the call must succeed if there is memory; an encoding may reject other calls.
  bool is_answered = false;
};

/// A call with these arguments, which it may consume.
template <class... Arguments, class F>
EveryCall call(std::string name, F run, Arguments... arguments) {
  return {std::move(name), [=] {
            const auto bound_arguments = std::make_shared<std::tuple<Arguments...>>(arguments...);
            return [=]() -> Status { return std::apply(run, std::move(*bound_arguments)); };
          }};
}

/// Calls with texts of this many tokens.
std::vector<EveryCall> every_call(int tokens);
/// Attention, gradients, caches and layers with attention options and with token tensors.
std::vector<EveryCall> calls_with_options(int tokens);

}  // namespace phasor::test
